/** Commands that work on the databases of an installation make none where there is none. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ramal } from './terminal.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ramal-none-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['shard ls', ['shard', 'ls']],
  ['shard open', ['shard', 'open', 'a', '--redial']],
  ['reconcile', ['reconcile']],
  ['rotate-key', ['rotate-key', '--lost']],
])('%s refuses a folder without a database, and leaves it as it is', async (_name, words) => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const refused = await ramal(words, { env: { DATA_DIR: empty } });
  expect(refused).toMatchObject({ exit: 2, out: '' });
  expect(refused.err).toContain(`there is no database in ${empty}: set DATA_DIR, or DATABASE_URL`);
  expect(readdirSync(empty)).toEqual([]);
  const none = join(folder, 'none');
  expect(await ramal(words, { env: { DATA_DIR: none } })).toMatchObject({ exit: 2 });
  expect(existsSync(none)).toBe(false);
});
