/** The commands `backup` and `restore`: what they say, pipes of real processes, and a service on either side. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { progressBarLines } from '../../src/cli/progress.ts';
import { aFolder, contentOf, fill } from '../backup/bed.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { builtMain } from '../service/service.ts';
import { ramal } from './terminal.ts';

test('the bar is as wide as the terminal, and full at the end', () => {
  expect(progressBarLines('control: machines', 0.5, 20)).toEqual([
    'control: machines',
    '███████▒▒▒▒▒▒▒  50 %',
  ]);
  expect(progressBarLines('a name that is longer than the line', 1, 20)).toEqual([
    'a name that is long…',
    '██████████████ 100 %',
  ]);
});

const cli = resolve(builtMain, '../cli/main.js');
const passphrase = 'correct horse battery staple';
const folder = aFolder();
afterAll(() => folder.remove());

/** Runs a line of a shell, in which `ramal` is the built command. */
const shell = (line: string, env: Record<string, string>): Promise<{ exit: number | null; err: string }> =>
  new Promise((resolve) => {
    const child = spawn(
      'bash',
      ['-o', 'pipefail', '-c', `ramal() { "${process.execPath}" "${cli}" "$@"; }; ${line}`],
      {
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder.path, ...env },
      },
    );
    let err = '';
    for (const stream of [child.stderr, child.stdout]) stream.on('data', (data) => (err += String(data)));
    child.once('close', (exit) => resolve({ exit, err }));
  });

/** The guide makes a passphrase with it; a bare machine has none. */
const lackingOpenssl = spawnSync('openssl', ['version']).error !== undefined;
if (lackingOpenssl)
  console.warn('the lines of the backup guide are not tried: openssl missing (apt-get install openssl)');

describe('with databases of one’s own', () => {
  let source: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    source = await freshDatabase();
    await fill(source.pool, 50);
    env = { DATABASE_URL: source.url, DATA_DIR: folder.below('own') };
    writeFileSync(join(env['DATA_DIR']!, 'secret-key'), 'the-secret-key-of-these-tests');
    // More than a pipe holds that nobody reads.
    mkdirSync(join(env['DATA_DIR']!, 'media', '3'), { recursive: true });
    writeFileSync(join(env['DATA_DIR']!, 'media', '3', 'noise.wav'), randomBytes(500_000));
  });
  afterAll(() => source.drop());

  const withTarget = async (use: (target: TestDatabase) => Promise<void>): Promise<void> => {
    const target = await freshDatabase({ migrated: false });
    try {
      await use(target);
    } finally {
      await target.drop();
    }
  };

  test('a backup says what is in it, and that secrets are not', async () => {
    const to = join(folder.path, 'said');
    const { exit, out, err } = await ramal(['backup', to], { env });
    expect(exit).toBe(0);
    const [name] = readdirSync(to);
    expect(name).toMatch(/^ramal-\d{4}-\d\d-\d\dT.+Z\.tar\.gz$/);
    expect(statSync(join(to, name!)).mode & 0o777).toBe(0o600);
    expect(out).toContain(`${join(to, name!)}: `);
    expect(out).toMatch(/ {2}control and shard a: [\d,]+ rows, as of /);
    expect(out).toContain('secrets: left out, for there is no passphrase. Keep SECRET_KEY');
    expect(err).toContain('control and shard a: machines, 50 rows, ');
  });

  test('scripts hear it in JSON; a restore says that nothing goes on by itself, and what to do', async () => {
    const to = folder.below('json');
    const made = await ramal(['backup', to, '--json'], {
      env: { ...env, RAMAL_BACKUP_PASSPHRASE: passphrase },
    });
    expect(made).toMatchObject({ exit: 0, err: '', json: { secrets: true, media: { files: 1 } } });
    await withTarget(async (target) => {
      const settings = { DATABASE_URL: target.url, DATA_DIR: folder.below('json-target') };
      const said = await ramal(['restore', made.json.file], {
        env: settings,
        person: { columns: 100, types: [passphrase] },
      });
      expect(said.exit).toBe(0);
      expect(said.out).toContain('Every row was read back and compared.');
      expect(said.out).toContain('What to do now:');
      expect(said.out).toContain('Stop the old service for good');
      expect(said.out).toContain(`secrets: secret-key in ${settings.DATA_DIR}`);
      expect(said.err).toContain('Passphrase of the backup: ');
      expect(said.err).not.toContain(passphrase);
      expect(await contentOf(target.pool)).toEqual(await contentOf(source.pool));
    });
  });

  test('a terminal shows a bar, which goes when it is over', async () => {
    const { err } = await ramal(['backup', folder.below('bar')], { env, person: { columns: 60 } });
    expect(err).toMatch(/control and shard a: \w+\u001B\[K\n\r█*▒+ +\d+ %/);
    expect(err.endsWith('\u001B[2A\u001B[J')).toBe(true);
  });

  test('without the key of the old service it says that this is missing', async () => {
    const { json } = await ramal(['backup', folder.below('keyless'), '--json'], { env });
    await source.pool.query(
      `INSERT INTO key_checks VALUES (1, 'sealed with another', 1) ON CONFLICT DO NOTHING`,
    );
    const keyed = (await ramal(['backup', folder.below('keyless'), '--json'], { env })).json;
    await withTarget(async (target) => {
      const settings = { DATABASE_URL: target.url, DATA_DIR: folder.below('keyless-1') };
      expect((await ramal(['restore', json.file], { env: settings })).out).toContain(
        'SECRET_KEY is missing: ',
      );
    });
    await withTarget(async (target) => {
      const settings = {
        DATABASE_URL: target.url,
        DATA_DIR: folder.below('keyless-2'),
        SECRET_KEY: 'x'.repeat(24),
      };
      expect((await ramal(['restore', keyed.file], { env: settings })).out).toContain(
        'SECRET_KEY is not the one',
      );
    });
  });

  test('wrong words are refused before anything is done', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const refused = async (words: string[], sentence: string, more = {}): Promise<void> => {
      const { exit, err, out } = await ramal(words, { env: { ...env, ...more } });
      expect({ exit, said: err + out }).toEqual({ exit: 2, said: expect.stringContaining(sentence) });
    };
    await refused(['backup', file], 'is no folder');
    await refused(['backup', '-', '--json'], 'standard output is either the archive or JSON');
    await refused(['backup', folder.path], 'a passphrase has at least 12 characters', {
      RAMAL_BACKUP_PASSPHRASE: 'short',
    });
    await refused(
      ['backup', folder.path, '--passphrase-file', join(folder.path, 'none')],
      'the passphrase cannot be read',
    );
    writeFileSync(join(folder.path, 'blank'), ' \n');
    await refused(
      ['backup', folder.path, '--passphrase-file', join(folder.path, 'blank')],
      `there is no passphrase in ${join(folder.path, 'blank')}: it is empty`,
    );
    await refused(['backup', folder.path], 'RAMAL_BACKUP_PASSPHRASE is set and empty', {
      RAMAL_BACKUP_PASSPHRASE: ' ',
    });
    const nothing = await ramal(['backup', folder.path], { env: { DATA_DIR: folder.below('nothing') } });
    expect(nothing).toMatchObject({ exit: 1, err: expect.stringContaining('there is no database in') });
    expect(readdirSync(join(folder.path, 'nothing'))).toEqual([]);
  });

  test('goes from pipe to pipe, and a pipe that breaks is a failure on both ends', async () => {
    await withTarget(async (target) => {
      const settings = { ...env, TARGET: target.url, TO: folder.below('piped') };
      const there = 'DATABASE_URL=$TARGET DATA_DIR=$TO ramal restore -';
      const cut = await shell(
        `ramal backup - | head -c 20000 | ${there}; echo "ended \${PIPESTATUS[*]}"`,
        settings,
      );
      expect(cut.err).toContain('standard input is not whole');
      expect(cut.err).toMatch(/ended 1 0 1\n$/);
      expect(await contentOf(target.pool)).toEqual({});
      expect(await shell(`ramal backup - | ${there}`, settings)).toMatchObject({ exit: 0 });
      expect(await contentOf(target.pool)).toEqual(await contentOf(source.pool));
      // What the pipe brought was kept in a file for a while only.
      expect(readdirSync(folder.path).filter((name) => name.startsWith('ramal-restore-'))).toEqual([]);
    });
  });

  test.skipIf(lackingOpenssl)('the lines of the guide do what it says', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/back-up-and-restore.md'), 'utf8');
    const lines = [...guide.matchAll(/```sh[^\n]*\n([^`]+)```/g)].map(([, line]) => line!.trim());
    const [backup, sealed, , restore] = lines;
    expect(lines).toHaveLength(4);
    await withTarget(async (target) => {
      const place = folder.below('guide');
      writeFileSync(join(place, 'passphrase'), `${passphrase}\n`);
      const said = await shell(
        `cd ${place}; npx() { "$@"; }
        (${backup}) && ( ${sealed} ) && export DATABASE_URL=$TARGET && (${restore!.replace(/ramal-\S+Z/, '$(cd backups; ls | tail -1 | sed s/.tar.gz//)')})`,
        { ...env, TARGET: target.url },
      );
      expect(said).toMatchObject({ exit: 0, err: expect.stringContaining('What to do now:') });
      expect(await contentOf(target.pool)).toEqual(await contentOf(source.pool));
      expect(existsSync(join(place, 'restored', 'secret-key'))).toBe(true);
    });
  });
});
