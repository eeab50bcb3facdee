/** The built service as a process of its own, on the bench's database and with the sandbox carrier. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The token of the demo account, which every service makes for itself. */
export const demoToken = 'DEMO0token0DEMO0token0DEMO0tok';

/** Services that follow one another on a database share it. */
const secretKey = 'of-the-bench-'.repeat(4);

export interface RunningService {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const START_MS = 60_000;
const here = join(import.meta.dirname, '../../..');

/**
 * Starts the service and waits until it takes calls. Throws what it said when it ends instead. `tree`: the checkout whose
 * build is run; default: this one.
 */
export const startService = async (
  databaseUrl: string,
  folder: string,
  env: Record<string, string> = {},
  tree = here,
): Promise<RunningService> => {
  const port = await freePort();
  const child = spawn(process.execPath, ['--max-semi-space-size=32', join(tree, 'dist/src/main.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: mkdtempSync(join(folder, 'service-')),
      DEMO_TOKEN: demoToken,
      SECRET_KEY: secretKey,
      CARRIER: 'sandbox',
      SANDBOX_SPEED: '1000',
      LOG_LEVEL: 'silent',
      REQUESTS_PER_SECOND: '100000',
      ...env,
    },
  });
  let words = '';
  child.stderr.on('data', (part: Buffer) => (words += part.toString()));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (const until = performance.now() + START_MS; !(await isReady(url)); await pause(50)) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`the service did not start: ${words}`);
    }
  }
  return {
    url,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
};

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
