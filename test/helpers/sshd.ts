/** A real OpenSSH server on loopback for one test file, with a key pair that opens it; ended with the file. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import ssh2 from 'ssh2';

const program = '/usr/sbin/sshd';
const keyMaker = '/usr/bin/ssh-keygen';

/** What this machine lacks for it, as a sentence; undefined when nothing. In CI nothing may be lacking: throws. */
export const lackingSshd = (): string | undefined => {
  if (existsSync(program) && existsSync(keyMaker)) return undefined;
  const sentence = 'no real SFTP server here: sshd missing (apt-get install openssh-server)';
  if (process.env['CI']) throw new Error(sentence);
  return sentence;
};

export interface Sshd {
  port: number;
  user: string;
  /** Opens it. */
  privateKey: string;
  /** `SHA256:…` of its host key. */
  hostKey: string;
  /** A folder of its own for files. */
  folder: string;
  stop(): Promise<void>;
}

/**
 * A new key pair in OpenSSH's words, the private half sealed when there is a passphrase. OpenSSH makes it:
 * of those that ssh2 makes, one in a hundred can't be read, by OpenSSH neither.
 */
export const sshKeyPair = (passphrase = ''): { private: string; public: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-key-'));
  const file = join(folder, 'key');
  execFileSync(keyMaker, ['-q', '-t', 'ed25519', '-N', passphrase, '-f', file]);
  const pair = { private: readFileSync(file, 'utf8'), public: readFileSync(`${file}.pub`, 'utf8').trim() };
  rmSync(folder, { recursive: true });
  return pair;
};

export const startSshd = async (): Promise<Sshd> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-sshd-'));
  const host = sshKeyPair();
  const login = sshKeyPair();
  const port = await freePort();
  const files = join(folder, 'files');
  mkdirSync(files);
  writeSecret(join(folder, 'host_key'), host.private);
  writeSecret(join(folder, 'authorized_keys'), `${login.public}\n`);
  writeFileSync(join(folder, 'config'), configOf(folder, port));
  // As root it wants this folder of its own.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const server = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], { stdio: 'ignore' });
  await answering(port, server);
  return {
    port,
    user: userInfo().username,
    privateKey: login.private,
    hostKey: fingerprintOf(host.public),
    folder: files,
    stop: async () => {
      server.kill();
      await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(0)));
      rmSync(folder, { recursive: true });
    },
  };
};

const configOf = (folder: string, port: number): string =>
  [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host_key')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    'StrictModes no',
    'UsePAM no',
    'PidFile none',
    'Subsystem sftp internal-sftp',
    '',
  ].join('\n');

const writeSecret = (path: string, text: string): void => {
  writeFileSync(path, text);
  chmodSync(path, 0o600);
};

const fingerprintOf = (publicKey: string): string => {
  const key = ssh2.utils.parseKey(publicKey);
  if (key instanceof Error) throw key;
  return `SHA256:${createHash('sha256').update(key.getPublicSSH()).digest('base64').replaceAll('=', '')}`;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** Tries until it greets; throws when it has ended. */
const answering = async (port: number, server: ChildProcess): Promise<void> => {
  while (server.exitCode === null) {
    const greeted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('data', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (greeted) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('sshd did not start');
};
