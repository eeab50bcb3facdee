/** `ramal stop`, over processes that note themselves as the service does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownProcessName } from '../../src/lib/processIdentity.ts';
import { ramal } from './terminal.ts';

let dataDir: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ramal-stop-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

/** A process that noted itself; it ends by SIGTERM as Node does, unless it is deaf. */
const aService = async (isDeaf = false): Promise<ChildProcess> => {
  const script = `
    const { registerRunningService } = await import('./src/dataFolder/runningServices.ts');
    registerRunningService(${JSON.stringify(dataDir)});
    ${isDeaf ? "process.on('SIGTERM', () => {});" : ''}
    setInterval(() => {}, 1_000);
    console.log('noted');`;
  child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
};

const stop = (...more: string[]) => ramal(['stop', ...more, '--json'], { env: { DATA_DIR: dataDir } });

test('ends the service of this folder, and waits until it has ended', async () => {
  const { pid } = await aService();
  expect((await stop()).json).toEqual({ ended: [pid] });
  expect(await stop()).toMatchObject({
    exit: 1,
    json: { error: expect.stringContaining('no service runs on') },
  });
});

test('says which process has not ended in time', async () => {
  const { pid } = await aService(true);
  expect(await stop('--within', '0')).toMatchObject({ exit: 1, json: { ended: [], left: [pid] } });
});

test('leaves alone a process that only has the number of one that ended, and one of another place', async () => {
  mkdirSync(join(dataDir, 'run'));
  const mine = ownProcessName();
  const note = (text: string) => writeFileSync(join(dataDir, 'run', String(process.pid)), text);
  for (const other of [mine.replace(/:\d+$/, ':1'), mine.replace(/^[^:]+/, 'another-boot'), '', 'nonsense']) {
    note(other);
    expect([other, (await stop()).exit]).toEqual([other, 1]);
  }
});
