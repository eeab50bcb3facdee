/** A Redis of the judge's own, that may hang. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { freePort, until } from './ports.ts';

export interface Redis {
  url: string;
  /** It is there, and answers nothing; until `goOn`. */
  hang(): void;
  goOn(): void;
  /** It is gone, with all it held; and back, empty. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Undefined: there is none on this machine. */
export const startRedis = async (): Promise<Redis | undefined> => {
  if (program === undefined) return undefined;
  const port = await freePort();
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn(program, settings, { stdio: 'ignore', detached: true });
    await until(() => answers(port), 10_000);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    kill,
    start,
    stop: kill,
  };
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
