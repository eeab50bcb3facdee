/** A log that cannot be written costs lines, never the process. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LogOutput } from '../../src/log/nonBlockingWriter.ts';

const folder = mkdtempSync(join(tmpdir(), 'ramal-outlet-'));
afterAll(() => rmSync(folder, { recursive: true }));

const flushed = (outlet: LogOutput): Promise<void> => new Promise((done) => outlet.flush(done));
const line = (n: number): string => `{"n":${n},"text":"${'x'.repeat(1_000)}"}\n`;

test('lines come out whole and in order', async () => {
  const path = join(folder, 'plain');
  const fd = openSync(path, 'w');
  const outlet = new LogOutput(fd);
  for (let n = 0; n < 2_000; n += 1) outlet.write(line(n));
  await flushed(outlet);
  closeSync(fd);
  expect(readFileSync(path, 'utf8')).toBe(Array.from({ length: 2_000 }, (_, n) => line(n)).join(''));
});

test('a reader that stands still stops nobody, and what is too much for it is counted', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, 'r+');
  const outlet = new LogOutput(fd);
  // More than the pipe and the outlet bear together. That this comes to its end is the point.
  for (let n = 0; n < 10_000; n += 1) outlet.write(line(n));
  const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const piece of reader.stdout) {
    text += String(piece);
    if (text.includes('could not be written') && text.endsWith('\n')) break;
  }
  const told = text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one) as { n?: number; lost?: number });
  const numbers = told.flatMap(({ n }) => (n === undefined ? [] : [n]));
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => n));
  expect(told.at(-1)!.lost).toBe(10_000 - numbers.length);
  await flushed(outlet);
  reader.kill();
  closeSync(fd);
});

/** A disk of 64 kB, where we may mount one. */
const smallDisk = (): string | undefined => {
  const path = join(folder, 'disk');
  try {
    execFileSync('mkdir', [path]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch (error) {
    if (process.env['CI'])
      throw new Error('no small disk can be mounted here, and with CI set nothing may be missing', {
        cause: error,
      });
    return undefined;
  }
};
const disk = smallDisk();
afterAll(() => void (disk && execFileSync('umount', ['-l', disk])));

test.skipIf(disk === undefined)(
  `a full disk costs lines, and says how many when there is room again${disk ? '' : ': run it as root, who may mount a small disk'}`,
  async () => {
    const path = join(disk!, 'log');
    const fd = openSync(path, 'a');
    const outlet = new LogOutput(fd);
    for (let n = 0; n < 200; n += 1) {
      outlet.write(line(n));
      await flushed(outlet);
    }
    const before = readFileSync(path, 'utf8')
      .split('\n')
      .filter((one) => one.endsWith('}')).length;
    expect(before).toBeLessThan(100);
    writeFileSync(path, '');
    outlet.write(line(200));
    await flushed(outlet);
    closeSync(fd);
    const told = readFileSync(path, 'utf8')
      .split('\n')
      .filter((one) => one !== '')
      .map((one) => JSON.parse(one) as object);
    expect(told).toEqual([
      expect.objectContaining({ n: 200 }),
      expect.objectContaining({
        level: 'warn',
        msg: 'lines of the log could not be written',
        lost: 200 - before,
      }),
    ]);
  },
);

test('a reader that has gone is no news', async () => {
  const path = join(folder, 'gone');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, 'r+');
  const fd = openSync(path, 'w');
  closeSync(reader);
  const outlet = new LogOutput(fd);
  outlet.write(line(1));
  await flushed(outlet);
  outlet.write(line(2));
  await flushed(outlet);
  outlet.end();
  closeSync(fd);
});
