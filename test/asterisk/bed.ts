/** A real Asterisk and its carrier for one test file, on ports of its own; ended with the file. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach } from 'vitest';
import type { MediaStore } from '../../src/providers/contracts/media.ts';

const here = dirname(fileURLToPath(import.meta.url));
const cache = process.env.ASTERISK_CACHE ?? join(here, '.cache');
const run = promisify(execFile);

const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * What this machine lacks for a bed, as a sentence; undefined when nothing. In CI nothing may be lacking: throws.
 */
export const lacking = (): string | undefined => {
  const programs = existsSync(join(cache, 'tree', '.complete'))
    ? ['sipp', 'curl']
    : ['sipp', 'curl', 'apt-get'];
  const missing = programs.filter((program) => !has(program));
  const root = process.getuid?.() === 0;
  if (missing.length === 0 && root) return undefined;
  const sentence = root
    ? `no real Asterisk here: ${missing.join(', ')} missing (apt-get install sip-tester curl)`
    : 'no real Asterisk here: the carrier needs root to speak (sudo npm test)';
  if (process.env.CI) throw new Error(sentence);
  return sentence;
};

export interface Bed {
  login: { url: string; user: string; password: string };
  /** Added to every port. */
  shift: number;
  /** How often the carrier was asked to ring for a channel. */
  dials(channel: string): Promise<number>;
  /** How often it was asked to ring, in all. */
  dialled(): Promise<number>;
  /** The log of all that the carrier was asked to ring for: `dial <number> <channel>`, a line each. */
  dialsLog: string;
  /** Ends Asterisk by SIGKILL; the carrier stays. */
  kill(): Promise<void>;
  /** What Asterisk and the carrier complained of last. */
  complaints(): Promise<string>;
  /** Runs one of Asterisk's console commands. */
  console(command: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a bed. `shift` is the file's own; two files that run at once must not share one. */
export const startBed = async (shift: number): Promise<Bed> => {
  const env = { ...process.env, BED_PORTS: String(shift) };
  await run(join(here, 'up'), [], { env });
  const folder = join(cache, shift === 0 ? 'run' : `run-${shift}`);
  return {
    login: { url: `http://127.0.0.1:${8088 + shift}`, user: 'ramal', password: 'ramal' },
    shift,
    dials: async (channel) => (await dialsIn(folder)).filter((line) => line.endsWith(` ${channel}`)).length,
    dialled: async () => (await dialsIn(folder)).length,
    dialsLog: join(folder, 'dials.log'),
    kill: async () => {
      process.kill(Number(await readFile(join(folder, 'asterisk.pid'), 'utf8')), 'SIGKILL');
    },
    complaints: async () => {
      const logs = ['asterisk.log', 'carrier.err'].map(
        async (log) => `${log}:\n${await endOf(join(folder, log))}`,
      );
      return (await Promise.all(logs)).join('\n');
    },
    console: async (command) => (await run(join(folder, 'rasterisk'), ['-x', command])).stdout,
    stop: async () => {
      await run(join(here, 'down'), [], { env });
    },
  };
};

export interface LoneAsterisk {
  /** Its configuration is in `etc` of it. */
  folder: string;
  /** Runs one of its console commands. */
  console(command: string): Promise<string>;
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** The shell command that starts an Asterisk without a carrier, on the ports of a shift of its own. */
export const loneAsterisk = (shift: number): LoneAsterisk & { start: string } => {
  const folder = join(cache, `run-${shift}`);
  const prompts = `/tmp/ramal-asterisk-${process.getuid?.()}-${shift}`;
  return {
    folder,
    start: `'${join(here, 'fetch')}' && '${join(here, 'start')}' '${folder}' '${prompts}'`,
    console: async (command) => (await run(join(folder, 'rasterisk'), ['-x', command])).stdout,
    log: () => endOf(join(folder, 'asterisk.log')),
    stop: async () => {
      await run(join(here, 'down'), [], { env: { ...process.env, BED_PORTS: String(shift) } });
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const dialsIn = async (folder: string): Promise<string[]> => {
  const log = await readFile(join(folder, 'dials.log'), 'utf8').catch(() => '');
  return log.split('\n').filter((line) => line.startsWith('dial '));
};

const endOf = async (log: string): Promise<string> =>
  (await readFile(log, 'utf8').catch(() => '(nothing)')).slice(-4000);

/** A test that fails prints what its bed complained of. */
export const tellsOnFailure = (bed: () => Bed | undefined): void => {
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await bed()?.complaints());
  });
};

/** A door through which Asterisk fetches what it plays, as the service's own does. */
export const openMediaServer = async (
  media: MediaStore,
): Promise<{ url: (account: number, id: string) => string; close: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    const [, account, id] = /^\/(\d+)\/([a-z0-9_-]+)\.wav$/.exec(request.url ?? '') ?? [];
    const found = id ? media.open(Number(account), id) : Promise.resolve(undefined);
    found.then(
      (file) => {
        response.writeHead(file ? 200 : 404, { 'content-type': 'audio/wav', 'cache-control': 'no-cache' });
        if (file) file.stream.pipe(response);
        else response.end();
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (account, id) => `http://127.0.0.1:${port}/${account}/${id}.wav`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
