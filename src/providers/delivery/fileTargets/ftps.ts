/** Files for customers on an FTP server of theirs, over TLS only: written aside, then renamed. */
import { isIP } from 'node:net';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { Client, FTPError } from 'basic-ftp';
import type { FtpsSecret, FtpsSettings } from '../../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import type { FileTarget, FileToDeliver } from '../../contracts/delivery.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { temporaryName, isTemporaryNameOf } from './temporaryNames.ts';
import { resolveAllowedAddress, type OutboundNetworkOptions } from '../ssrfGuardedSocket.ts';
import { rememberContentSourceError } from '../idleTimeout.ts';

export interface FtpsOptions extends Omit<FtpsSettings, 'delimiter'>, FtpsSecret, OutboundNetworkOptions {}

/** How long the server may be silent, milliseconds. */
const SILENT_MS = 30_000;

export const ftpsDeliveryTarget = (options: FtpsOptions): FileTarget => ({
  async put(given) {
    const content = rememberContentSourceError(given.content);
    const file = { ...given, content };
    const address = await resolveAllowedAddress(options.host, options);
    // Its data connections lead to the host of the control connection only.
    const client = new Client(SILENT_MS);
    const breakOff = (): void => client.close();
    given.signal.addEventListener('abort', breakOff, { once: true });
    try {
      const certificate = await logIn(client, address, options);
      if (options.folder !== '') await client.ensureDir(options.folder);
      await removeDrafts(client, file);
      await write(client, file);
      return { certificate };
    } catch (error) {
      throw content.failure() ?? kindOf(error, options, given.name);
    } finally {
      given.signal.removeEventListener('abort', breakOff);
      client.close();
    }
  },
});

/** Answers the fingerprint of the server's certificate. Nothing secret is said before that is believed. */
const logIn = async (client: Client, address: string, options: FtpsOptions): Promise<string> => {
  const { host, port, implicit, user, password } = options;
  const tls = {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: options.certificate === undefined,
  };
  if (implicit) await client.connectImplicitTLS(address, port, tls);
  else {
    await client.connect(address, port);
    await client.useTLS(tls);
  }
  const certificate = fingerprintOf(client);
  if (options.certificate !== undefined && certificate !== options.certificate)
    throw new NotRetryable('certificateRefused', `the certificate of ${host} is another one: ${certificate}`);
  await client.login(user, password);
  await client.useDefaultSettings();
  return certificate;
};

const fingerprintOf = ({ ftp: { socket } }: Client): string => {
  if (!(socket instanceof TLSSocket)) throw new TypeError('the connection is not encrypted');
  return socket.getPeerCertificate().fingerprint256.replaceAll(':', '');
};

/** What a process that died left behind; a server that does not show its folders keeps it. */
const removeDrafts = async (client: Client, file: FileToDeliver): Promise<void> => {
  const entries = await client.list().catch((error: unknown) => {
    if (error instanceof FTPError) return [];
    throw error;
  });
  for (const { name } of entries)
    if (isTemporaryNameOf(name, file.name, file.draft)) await client.remove(name, true);
};

const write = async (client: Client, { name, content, draft }: FileToDeliver): Promise<void> => {
  const aside = temporaryName(name, draft);
  try {
    await client.uploadFrom(Readable.from(content), aside);
    await replace(client, aside, name);
  } catch (error) {
    if (!client.closed) await client.remove(aside, true).catch(() => {});
    throw error;
  }
};

/** In one step where the server can, else by making room first. */
const replace = async (client: Client, from: string, to: string): Promise<void> => {
  try {
    await client.rename(from, to);
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    await client.remove(to, true);
    await client.rename(from, to);
  }
};

/** TLS' words for a certificate that is not believed. */
const unbelieved = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ALTNAME/;

const kindOf = (cause: unknown, { host, user, folder }: FtpsOptions, file: string): unknown => {
  if (cause instanceof NotRetryable || cause instanceof Retryable) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (typeof code === 'string' && unbelieved.test(code)) {
    const sentence = `the certificate of ${host} is not believed (${code}): name it in the profile`;
    return new NotRetryable('certificateRefused', sentence, { cause });
  }
  if (!(cause instanceof FTPError)) return new Retryable(`${host}: ${code ?? message}`, { cause });
  if (cause.code === 530)
    return new NotRetryable('credentialsRefused', `the server refuses the credentials of ${user}`, { cause });
  if (cause.code === 550 || cause.code === 553) {
    const sentence = `the server does not let us write ${posix.join(folder, file)}: ${message}`;
    return new NotRetryable('folderRefused', sentence, { cause });
  }
  return new Retryable(`the server answered ${message}`, { cause });
};
