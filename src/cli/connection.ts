/** Where the service is and what opens it: from options, the environment, or the service's own folder. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../config/settings.ts';
import { wrongUsage } from './failure.ts';
import { urlOf } from '../rules/urlOf.ts';

export interface ConnectionOptions {
  /** `--url`. */
  url?: string;
  /** `--admin-token`. */
  adminToken?: string;
  /** `--token`. */
  token?: string;
}

export interface Connection {
  /** Without a slash at its end. */
  url: string;
  /** Opens the admin API; undefined: there is none here. */
  adminToken: string | undefined;
  /** Opens the REST interface for one account; undefined: there is none here. */
  accountToken: string | undefined;
}

/** Reads what is given. Throws for an address that is none. */
export const connectionOf = (options: ConnectionOptions, env: Environment): Connection => {
  const set = (name: string) => env[name]?.trim() || undefined;
  const url = addressOf(options.url ?? set('RAMAL_URL') ?? ownAddress(set('HOST'), set('PORT')));
  // Tokens of this folder's service are not shown to others.
  const kept = (file: string) =>
    isOurs(url, set('HOST')) ? keptToken(resolve(set('DATA_DIR') ?? './data'), file) : undefined;
  return {
    url,
    adminToken: options.adminToken ?? set('ADMIN_TOKEN') ?? kept('admin-token'),
    accountToken: options.token ?? set('RAMAL_TOKEN') ?? set('DEMO_TOKEN') ?? kept('demo-token'),
  };
};

const addressOf = (text: string): string => {
  if (/^https?:$/.test(urlOf(text)?.protocol ?? '')) return text.replace(/\/+$/, '');
  throw wrongUsage(
    'the address of the service must begin with http:// or https://',
    'Give it with --url or RAMAL_URL, for example --url http://127.0.0.1:8080.',
  );
};

/** Where the service of this environment listens. */
const ownAddress = (host: string | undefined, port = '8080'): string => {
  const everywhere = host === undefined || host === '0.0.0.0' || host === '::';
  return `http://${everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
};

const isOurs = (url: string, host: string | undefined): boolean => {
  const { hostname } = new URL(url);
  return ['localhost', '127.0.0.1', '[::1]', host, `[${host}]`].includes(hostname);
};

const keptToken = (dataDir: string, file: string): string | undefined => {
  try {
    return readFileSync(join(dataDir, file), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
};
