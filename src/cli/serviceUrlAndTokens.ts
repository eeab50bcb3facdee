/** Where the service is and what opens it: from options, the environment, or the service's own folder. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EnvironmentVariables } from '../config/parseEnvironmentVariable.ts';
import { wrongUsageFailure } from './failure.ts';
import { parseUrl } from '../lib/parseUrl.ts';

export interface ServiceConnectionOptions {
  /** `--url`. */
  url?: string;
  /** `--admin-token`. */
  adminToken?: string;
  /** `--token`. */
  token?: string;
}

export interface ServiceConnection {
  /** Without a slash at its end. */
  url: string;
  /** Opens the admin API; undefined: there is none here. */
  adminToken: string | undefined;
  /** Opens the REST interface for one account; undefined: there is none here. */
  accountToken: string | undefined;
}

/** Reads what is given. Throws for an address that is none. */
export const readServiceConnection = (
  options: ServiceConnectionOptions,
  env: EnvironmentVariables,
): ServiceConnection => {
  const set = (name: string) => env[name]?.trim() || undefined;
  const url = addressOf(options.url ?? set('RAMAL_URL') ?? ownAddress(set('HOST'), set('PORT')));
  // Tokens of this folder's service are not shown to others.
  const kept = (file: string) =>
    isOurs(url, set('HOST')) ? keptToken(resolve(set('DATA_DIR') ?? './data'), file) : undefined;
  const adminToken = options.adminToken ?? set('ADMIN_TOKEN') ?? kept('admin-token');
  const accountToken = options.token ?? set('RAMAL_TOKEN') ?? set('DEMO_TOKEN') ?? kept('demo-token');
  return {
    url,
    adminToken: whole('the admin token', adminToken),
    accountToken: whole('the token', accountToken),
  };
};

/** A token that can stand in a header. */
const whole = (what: string, token: string | undefined): string | undefined => {
  if (token === undefined || /^[\x21-\x7e]*$/.test(token)) return token;
  throw wrongUsageFailure(
    `${what} holds a blank, a line end or a letter with an accent, as no token does`,
    'Copy it again, whole and alone.',
  );
};

const addressOf = (text: string): string => {
  const { protocol = '', username, password, search, hash } = parseUrl(text) ?? {};
  const wrong = !/^https?:$/.test(protocol)
    ? 'must begin with http:// or https://'
    : username || password
      ? 'must not hold a user or a password'
      : search || hash
        ? 'must end before ? and #'
        : undefined;
  if (wrong === undefined) return text.replace(/\/+$/, '');
  throw wrongUsageFailure(
    `the address of the service ${wrong}`,
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
