/** A real Redis server on loopback for one test file, without a disk; ended with the file. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { type AddressInfo, connect, createServer } from 'node:net';

export interface RunningRedis {
  /** As `REDIS_URL` wants it. */
  url: string;
  stop(): Promise<void>;
  /** It keeps its connections and answers nothing, until `resume`. */
  hang(): void;
  resume(): void;
  /** Again, at the same address and empty. */
  start(): Promise<void>;
}

/** Valkey is as good. */
const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Why there is no Redis here; undefined: there is one. With CI set it may not be missing. */
export const redisLacking = (): string | undefined => {
  if (program !== undefined) return undefined;
  const sentence = 'no Redis here (Debian: redis-server)';
  if (process.env['CI']) throw new Error(`${sentence}, and with CI set nothing may be missing`);
  return sentence;
};

export const startRedis = async (): Promise<RunningRedis> => {
  const port = await freePort();
  let child = await run(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => end(child),
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    start: async () => void (child = await run(port)),
  };
};

const run = async (port: number): Promise<ChildProcess> => {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program!, settings, { stdio: 'ignore' });
  while (child.exitCode === null && !(await answers(port)))
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
  return child;
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
