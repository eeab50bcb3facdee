/** A session with an SFTP server: opened, asked, and ended. What the server says becomes a kind of failure here. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { Client, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import type { SftpSecret, SftpSettings } from '../../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';

export type SftpLogin = Pick<SftpSettings, 'user' | 'host_key'> & { secret: SftpSecret };

export interface SftpSession {
  sftp: SFTPWrapper;
  /** `SHA256:…` of the key that the server showed. */
  hostKey: string;
  /** One request; rejects with the server's answer, or because the connection broke. */
  ask<Value = void>(request: (done: Done<Value>) => void): Promise<Value>;
  /** Work that ends with the connection at the latest. */
  during<Value>(work: Promise<Value>): Promise<Value>;
  end(): void;
}

type Done<Value> = (error?: Error | null, value?: Value) => void;

/** From the greeting to the login. */
const READY_MS = 20_000;

/** Logs in over a connection. Throws `NotRetryable` for a key or credentials that are refused, else `Retryable`. */
export const openSftpSession = async (
  socket: Socket,
  login: SftpLogin,
  signal: AbortSignal,
): Promise<SftpSession> => {
  const client = new Client();
  const seen = { hostKey: '' };
  const broken = new Promise<never>((_, reject) => {
    client.on('error', reject);
    client.on('close', () => reject(new Error('the server closed the connection')));
    socket.on('error', reject);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  broken.catch(() => socket.destroy());
  const during: SftpSession['during'] = (work) => Promise.race([broken, work]);
  const ask: SftpSession['ask'] = (request) =>
    during(
      new Promise<never>((resolve, reject) => {
        request((error, value) => (error ? reject(error) : resolve(value as never)));
      }),
    );
  try {
    const ready = ask((done) => client.once('ready', () => done()));
    answerPrompts(client, login.secret.password);
    client.connect(configOf(socket, login, (hostKey) => (seen.hostKey = hostKey)));
    await ready;
    const sftp = await ask<SFTPWrapper>((done) => client.sftp(done));
    return { sftp, hostKey: seen.hostKey, ask, during, end: () => client.end() };
  } catch (error) {
    socket.destroy();
    throw loginFailure(error, login, seen.hostKey);
  }
};

const configOf = (
  socket: Socket,
  { user, host_key, secret }: SftpLogin,
  saw: (key: string) => void,
): ConnectConfig => ({
  sock: socket,
  username: user,
  readyTimeout: READY_MS,
  hostVerifier: (key: Buffer) => {
    const hostKey = fingerprint(key);
    saw(hostKey);
    return host_key === undefined || host_key === hostKey;
  },
  ...(secret.password !== undefined && { password: secret.password, tryKeyboard: true }),
  ...(secret.private_key !== undefined && { privateKey: secret.private_key }),
  ...(secret.passphrase !== undefined && { passphrase: secret.passphrase }),
});

/** Some servers ask for the password as a question. */
const answerPrompts = (client: Client, password = ''): void => {
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
    finish(prompts.map(() => password)),
  );
};

/** As `ssh-keygen -lf` prints it. */
const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;

const loginFailure = (cause: unknown, { user, host_key }: SftpLogin, hostKey: string): Error => {
  const { level, message } = cause as Error & { level?: string };
  if (host_key !== undefined && hostKey !== '' && hostKey !== host_key)
    return new NotRetryable('hostKeyChanged', `the server shows the key ${hostKey}, expected ${host_key}`, {
      cause,
    });
  if (level === 'client-authentication')
    return new NotRetryable('credentialsRefused', `the server refuses the credentials of ${user}`, { cause });
  if (/privateKey/.test(message))
    return new NotRetryable('credentialsRefused', 'the private key cannot be read, or wants a passphrase', {
      cause,
    });
  return new Retryable(`no session: ${message}`, { cause });
};

/** What an answer to a request means. `NO_SUCH_FILE` and `PERMISSION_DENIED` are there tomorrow as well. */
export const sftpRequestFailure = (cause: unknown, path: string): Error => {
  if (cause instanceof NotRetryable || cause instanceof Retryable) return cause;
  const { code, message } = cause as Error & { code?: unknown };
  if (code === 2 || code === 3)
    return new NotRetryable('folderRefused', `the server does not let us write ${path}: ${message}`, {
      cause,
    });
  return new Retryable(`the server could not write ${path}: ${message}`, { cause });
};
