/**
 * Containers that share a volume: process ids of their own, so that neither sees the other's. `unshare` makes such a
 * room without any container.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDatabaseFolder } from '../../src/store/embedded/folderLock.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { until } from '../helpers/patience.ts';

const apart = ['--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'];

/** Why this machine has no such rooms; undefined: it has. */
const hindrance = ((): string | undefined => {
  try {
    execFileSync('unshare', [...apart, 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'unshare (util-linux, as root) is not permitted here';
  }
})();

let home: string;
let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ramal-guard-'));
  dataDir = join(home, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  for (const pid of servers()) end(pid);
  await until(() => servers().length === 0);
  rmSync(home, { recursive: true, force: true });
});

interface Container {
  child: ChildProcess;
  /** Absent: it refused. */
  url: string | undefined;
  said: string;
}

/** A process of a container that shares the folder, once it has its server or has refused. */
const container = async (): Promise<Container> => {
  const helper = join(import.meta.dirname, '../helpers/embeddedUser.js');
  const child = spawn('unshare', [...apart, process.execPath, helper, dataDir], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  children.push(child);
  let said = '';
  child.stderr!.on('data', (text: Buffer) => (said += text.toString()));
  const server = await Promise.race([
    once(child, 'message').then(([message]) => message as { url: string }),
    once(child, 'close').then(() => undefined),
  ]);
  return { child, url: server?.url, said };
};

/** Process ids of the PostgreSQL servers that run on the folder, in whatever room. */
function servers(): number[] {
  const data = join(dataDir, 'postgres/data');
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid).includes(data));
}

/** It may be on its way out already. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

const answerOf = async (url: string): Promise<unknown> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query('SELECT 42 AS answer')).rows[0].answer;
  } finally {
    await client.end();
  }
};

const refusal =
  /a PostgreSQL that this process cannot see runs on .*give each container a DATA_DIR of its own/;

describe.skipIf(hindrance)(`containers that share a DATA_DIR${hindrance ? ` (${hindrance})` : ''}`, () => {
  test('are refused while a server that they cannot see runs on it, and let in when it has stopped', async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    const second = await container();
    expect(second.url).toBeUndefined();
    expect(second.said).toMatch(refusal);
    expect(servers().length).toBe(1);
    expect(await answerOf(server.url)).toBe(42);
    await server.stop();
    const third = await container();
    expect(await answerOf(third.url!)).toBe(42);
    expect(servers().length).toBe(1);
  });

  test('are refused as well when the process that started the server is gone and the server goes on', async () => {
    const server = await startEmbeddedPostgres({ dataDir });
    await server.stop();
    const first = await container();
    const url = first.url!;
    // Only what started it is killed: the room, and the server in it, goes on.
    const [starter] = childrenOf(first.child.pid!);
    process.kill(starter!, 'SIGSTOP');
    const second = await container();
    expect(second.said).toMatch(refusal);
    expect(await answerOf(url)).toBe(42);
    expect(servers().length).toBe(1);
    process.kill(starter!, 'SIGCONT');
  });

  test('of several that start at once on an empty folder, one has it', async () => {
    const all = await Promise.all([container(), container(), container()]);
    const running = all.filter(({ url }) => url !== undefined);
    expect(running.length).toBe(1);
    expect(servers().length).toBe(1);
    for (const { url, said } of all) if (url === undefined) expect(said).toMatch(refusal);
  });

  test('may use a folder again whose container was killed with all that was in it', async () => {
    const first = await container();
    first.child.kill('SIGKILL');
    await expect.poll(servers).toEqual([]);
    const second = await container();
    expect(await answerOf(second.url!)).toBe(42);
  });
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

describe('the guard of a folder', () => {
  const guarded = (folder: string) => lockDatabaseFolder(folder, () => {});

  test('is one at a time, however many ask at once', async () => {
    const folder = join(home, 'guard');
    for (let round = 0; round < 20; round += 1) {
      const taken = (await Promise.all(Array.from({ length: 5 }, () => guarded(folder)))).filter(Boolean);
      expect(taken.length).toBeLessThan(2);
      for (const guard of taken) guard!.close();
    }
    const alone = await guarded(folder);
    expect(alone).toBeDefined();
    expect(await guarded(folder)).toBeUndefined();
    alone!.close();
  });

  test('holds in a folder whose path is longer than a socket may have', async () => {
    const folder = join(home, 'x'.repeat(100), 'y'.repeat(100));
    mkdirSync(folder, { recursive: true });
    const taken = await guarded(folder);
    expect(taken?.descriptor).toBeGreaterThan(2);
    expect(await guarded(folder)).toBeUndefined();
    taken!.close();
    const again = await guarded(folder);
    expect(again).toBeDefined();
    again!.close();
  });

  test('lasts as long as a process that inherited it', async () => {
    const folder = join(home, 'guard');
    const taken = await guarded(folder);
    const child = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', taken!.descriptor!] });
    taken!.close();
    expect(await guarded(folder)).toBeUndefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const after = await guarded(folder);
    expect(after).toBeDefined();
    after!.close();
    expect(readdirSync(folder).length).toBe(1);
  });
});
