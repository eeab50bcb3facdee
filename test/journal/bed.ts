/** Journals in folders of their own, that go with their test. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { JournalLine, JournalOwner, StoredJournal } from '../../src/engine/contract/journal.ts';
import { type FileJournal, type FileJournalOptions, openFileJournal } from '../../src/journal/fileJournal.ts';

export const NOON = Date.UTC(2026, 10, 23, 12);
export const DAY_MS = 86_400_000;

export const anOwner = (incarnation: number, some: Partial<JournalOwner> = {}): JournalOwner => ({
  ...{ shard: 'a', identity: 'shard-1', incarnation, slot: 1, name: 'node', process: `host ${incarnation}` },
  tokens: ['t0', 't1'],
  ...some,
});

/** What was said to the log. */
export interface Said {
  level: 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}

export interface Bed {
  directory: string;
  /** Of shard `a`. */
  folder: string;
  said: Said[];
  open(some?: Partial<FileJournalOptions>): FileJournal;
}

/** `directory`: made before, else one of its own. */
export const aBed = (directory = aFolder()): Bed => {
  const said: Said[] = [];
  const say = (level: Said['level']) => (fields: object, message: string) =>
    void said.push({ level, fields, message });
  const log = { info: say('info'), warn: say('warn'), error: say('error') };
  const open = (some: Partial<FileJournalOptions> = {}) => {
    const isProcessDead = () => false;
    const journal = openFileJournal({ directory, shard: 'a', log, keepDays: 3, isProcessDead, ...some });
    onTestFinished(() => journal.close());
    return journal;
  };
  return { directory, folder: join(directory, 'a'), said, open };
};

export const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Mounts something in a folder that goes with the test; undefined where we may not. */
export const mounted = (...options: string[]): string | undefined => {
  const folder = join(aFolder(), 'mount');
  mkdirSync(folder);
  if (!mount(folder, options)) return undefined;
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
};

const mount = (folder: string, options: readonly string[]): boolean => {
  try {
    execFileSync('mount', [...options, folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Whether a small disk can be had here. */
export const canMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-journal-'));
  const isMounted = mount(folder, ['-t', 'tmpfs', 'tmpfs']);
  if (isMounted) execFileSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
};

/** Appends a deed whose text names it. */
export const append = (
  journal: FileJournal,
  lane: number,
  number: number,
  { at = NOON, text = `deed ${lane}.${number}` } = {},
): Promise<void> => journal.append([text], { lane, number, era: 7, position: 100 * number + lane }, at);

export const appendUpTo = async (
  journal: FileJournal,
  lane: number,
  last: number,
  from = 1,
): Promise<void> => {
  for (let number = from; number <= last; number += 1) await append(journal, lane, number);
};

/** A journal of ten deeds, or so many, whose writer has ended; answers the path of its first segment. */
export const ended = async (bed: Bed, { last = 10, segmentBytes = 1_000_000 } = {}): Promise<string> => {
  const journal = bed.open({ segmentBytes });
  await journal.begin(anOwner(5), NOON);
  await appendUpTo(journal, 0, last);
  await journal.close();
  return join(bed.folder, '5.0001.journal');
};

export const onlyOf = async (journal: FileJournal, identity = 'shard-1'): Promise<StoredJournal> => {
  const kept = await journal.kept(identity);
  expect(kept).toHaveLength(1);
  return kept[0]!;
};

export const linesOf = async (
  kept: StoredJournal,
  above: [number, number][] = [],
): Promise<JournalLine[]> => {
  const lines: JournalLine[] = [];
  for await (const line of kept.lines(new Map(above))) lines.push(line);
  return lines;
};

export const numbersOf = async (kept: StoredJournal, above: [number, number][] = []): Promise<string[]> =>
  (await linesOf(kept, above)).map(({ lane, number }) => `${lane}.${number}`);

export const upTo = (last: number, from = 1, lane = 0): string[] =>
  Array.from({ length: last - from + 1 }, (_, index) => `${lane}.${from + index}`);
