import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareDataFolder } from '../../src/dataFolder/prepare.ts';
import { startTestService } from '../helpers/service.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'ramal-data-folder-'));
});
afterEach(() => rmSync(place, { recursive: true }));

test('is made with all above it, for its owner only, and found again', () => {
  const folder = join(place, 'deep', 'data');
  prepareDataFolder(folder);
  prepareDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('what stands in its place is named', () => {
  const file = join(place, 'file');
  writeFileSync(file, '');
  expect(() => prepareDataFolder(file)).toThrow(`DATA_DIR ${file} cannot be used: EEXIST`);
  expect(() => prepareDataFolder(join(file, 'data'))).toThrow(/^DATA_DIR \S+ cannot be used: ENOTDIR/);
});

test.runIf(process.platform === 'linux')(
  'where nothing can be made the start ends, and does not hang',
  () => {
    expect(() => prepareDataFolder('/proc/ramal')).toThrow('DATA_DIR /proc/ramal cannot be used: ENOENT');
  },
);

test('what an earlier release left open is closed to other users, and to nobody else', () => {
  const modes = { sandbox: 0o755, media: 0o755, deliveries: 0o750 };
  for (const [name, mode] of Object.entries(modes)) {
    mkdirSync(join(place, name));
    writeFileSync(join(place, name, 'file'), '');
    chmodSync(join(place, name), mode);
    chmodSync(join(place, name, 'file'), 0o644);
  }
  prepareDataFolder(place);
  const found = Object.keys(modes).map((name) =>
    [name, join(name, 'file')].map((path) => statSync(join(place, path)).mode & 0o777),
  );
  expect(found).toEqual([
    [0o750, 0o640],
    [0o750, 0o640],
    [0o750, 0o640],
  ]);
});

test('what links in it point to keeps its mode', () => {
  const folder = join(place, 'data');
  const elsewhere = join(place, 'elsewhere');
  for (const path of [folder, join(folder, 'media'), elsewhere]) mkdirSync(path);
  writeFileSync(join(elsewhere, 'file'), '');
  chmodSync(join(elsewhere, 'file'), 0o644);
  chmodSync(elsewhere, 0o755);
  symlinkSync(elsewhere, join(folder, 'sandbox'));
  symlinkSync(elsewhere, join(folder, 'media', 'folder'));
  symlinkSync(join(elsewhere, 'file'), join(folder, 'media', 'file'));
  writeFileSync(join(folder, 'media', 'ours'), '');
  chmodSync(join(folder, 'media', 'ours'), 0o644);
  prepareDataFolder(folder);
  const paths = [elsewhere, join(elsewhere, 'file'), join(folder, 'media', 'ours')];
  expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o644, 0o640]);
});

/** Everything below a folder that any user of the machine may read, write or enter. */
const openIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => statSync(join(folder, path)).mode & 0o007,
  );

test('nothing that a service writes there is open to all', async () => {
  const mask = process.umask(0o022);
  const folder = join(place, 'data');
  const on = await startTestService({ DATA_DIR: folder });
  try {
    const call = await on.post('MakeTTSCall', { dest: '11987650000', text: 'Hello' });
    await on.post('MakeSMS', { dest: '11987650000', message: 'Hello' });
    await on.post('MakeMsgapp', { app_id: 1, dest: '5511987650000', mdata: 'Hello' });
    await on.ended(call.body.return.cd_id);
    await expect.poll(() => readdirSync(join(folder, 'sandbox'))).toContain('sms.log');
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['media', 'sandbox']));
    expect(openIn(folder)).toEqual([]);
  } finally {
    process.umask(mask);
    await on.stop();
  }
});
