/** A real ClamAV daemon with a signature of our own, on a socket in a folder of its own; nothing is downloaded. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RunningClamd {
  /** As `CLAMD_URL` wants it. */
  url: string;
  /** Also over TCP. */
  tcpUrl: string;
  stop(): Promise<void>;
}

/** Where Debian puts it is not on everybody's path. */
const program = ['clamd', '/usr/sbin/clamd'].find((path) => spawnSync(path, ['--version']).status === 0);

/** Why there is no clamd here; undefined: there is one. With CI set it may not be missing. */
export const clamdLacking = (): string | undefined => {
  if (program !== undefined) return undefined;
  if (process.env['CI'])
    throw new Error('clamd is missing (Debian: clamav-daemon), and with CI set nothing may be');
  return 'clamd is not installed (Debian: clamav-daemon)';
};

/** The test virus that every scanner is told of. In two parts, so that no scanner finds it here. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Anywhere in a file. */
const signature = `Ramal.Test.Eicar:0:*:${Buffer.from(eicar).toString('hex')}\n`;

export const startClamd = async (port: number): Promise<RunningClamd> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-clamd-'));
  chmodSync(folder, 0o755);
  for (const name of ['db', 'tmp']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'db', 'own.ndb'), signature);
  const socket = join(folder, 'clamd.sock');
  const config = join(folder, 'clamd.conf');
  writeFileSync(config, configOf(folder, socket, port));
  const child = spawn(program!, ['--config-file', config, '--foreground'], { stdio: 'ignore' });
  await reachable(child, socket);
  return {
    url: `unix://${socket}`,
    tcpUrl: `tcp://127.0.0.1:${port}`,
    stop: async () => {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const configOf = (folder: string, socket: string, port: number): string => {
  const root = process.getuid?.() === 0 ? ['User root'] : [];
  return [
    `LocalSocket ${socket}`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    `DatabaseDirectory ${join(folder, 'db')}`,
    `TemporaryDirectory ${join(folder, 'tmp')}`,
    'Foreground yes',
    'StreamMaxLength 1M',
    'SelfCheck 0',
    'OfficialDatabaseOnly no',
    ...root,
    '',
  ].join('\n');
};

const reachable = async (child: ChildProcess, socket: string): Promise<void> => {
  while (child.exitCode === null) {
    if (await canConnect(socket)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`clamd ended with ${child.exitCode}`);
};

const canConnect = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    });
    connection.on('error', () => resolve(false));
  });

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
