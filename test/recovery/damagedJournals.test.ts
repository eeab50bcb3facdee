/** Journals in files whose heads cannot be read, beside a real database that went back, or may have. */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EffectCall } from '../../src/engine/contract/performer.ts';
import { hostClock, noopEngineLog } from '../../src/engine/contract/ports.ts';
import { restoreShardFromJournals } from '../../src/engine/restoreShardByOperatorCommand.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import { openFileJournal } from '../../src/journal/fileJournal.ts';
import { type Bed, postgresBed } from '../engine/bed.ts';
import { contextOf, errand } from '../engine/errand.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const graceMs = 500;
let bed: Bed;
let directory: string;
let ended: Set<string>;
/** What was done in the world at most once. */
let done: string[];

beforeEach(async () => {
  done = [];
  ended = new Set();
  directory = mkdtempSync(join(tmpdir(), 'ramal-damaged-'));
  bed = await postgresBed([errand]);
});
afterEach(async () => {
  await bed.end();
  rmSync(directory, { recursive: true });
});

const isProcessDead = (process: string): boolean => ended.has(process);
const openJournal = () =>
  openFileJournal({ directory, shard: 'a', log: noopEngineLog, keepDays: 30, isProcessDead });
const node = (process: string, ms = graceMs): Promise<RamalEngine> =>
  bed.node({
    ...{ graceMs: ms, process, ended, journal: openJournal() },
    performers: { once: async (call: EffectCall) => void done.push(call.id) },
  });
const problemOf = (engine: RamalEngine) => engine.shardStates()[0]!.problem;
const isOpen = (engine: RamalEngine) => problemOf(engine) === undefined;
const isClosed = (engine: RamalEngine) => problemOf(engine)?.startsWith('is closed');

/** A node does something, is killed, and leaves the only journal there is. `isLost`: its database goes back to before that. */
const work = async (isLost: boolean) => {
  const engine = await node('lost');
  const begun = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
  if (begun.outcome !== 'started') throw new Error('not started');
  const restore = await bed.backUp();
  await engine.send(begun.ref, { type: 'ask', name: 'once' });
  await until(() => done.length === 1);
  await engine.send(begun.ref, { type: 'word', text: 'kept' });
  engine.abandon();
  ended.add('lost');
  if (isLost) await restore();
  const [name] = readdirSync(join(directory, 'a'));
  return { ref: begun.ref, path: join(directory, 'a', name!) };
};

const zeros = (path: string): void => writeFileSync(path, readFileSync(path).fill(0, 0, 20));

test('a shard does not open beside a journal whose head is gone, names the file, and opens when an operator decides', async () => {
  const { path } = await work(true);
  zeros(path);
  const next = await node('next');
  await until(() => isClosed(next));
  expect(problemOf(next)).toContain(`the head of the journal cannot be read (${path}, at byte 0)`);
  expect(problemOf(next)).toContain('a whole copy in its place mends that');
  expect(problemOf(next)).toContain('ramal shard open a');
  expect(await bed.store.openAfterLoss(Date.now())).toBe(true);
  // It joins anew, and looks at the journals again.
  await until(() => isOpen(next));
  const later = await node('later');
  // A node that was silent meanwhile is declared dead, and the shard looked at; it is not closed again.
  await until(() => isOpen(later) || isClosed(later));
  expect(problemOf(later)).toBeUndefined();
});

test('what stands behind a head that is damaged only in itself is written again, and nothing is done twice', async () => {
  const { ref, path } = await work(true);
  writeFileSync(path, readFileSync(path).fill('X', 30, 31));
  const next = await node('next');
  await until(async () => contextOf(await next.view(ref)).words.includes('kept'));
  await until(() => isOpen(next));
  await next.send(ref, { type: 'word', text: 'on' });
  expect(contextOf(await next.view(ref)).words).toEqual(['kept', 'on']);
  expect(done).toHaveLength(1);
});

test('a journal that was emptied keeps the shard closed until a whole copy is in its place', async () => {
  const { ref, path } = await work(true);
  const copy = join(directory, 'copy');
  copyFileSync(path, copy);
  truncateSync(path, 0);
  const next = await node('next');
  await until(() => isClosed(next));
  expect(problemOf(next)).toContain(path);
  copyFileSync(copy, path);
  await until(() => isOpen(next));
  await until(async () => contextOf(await next.view(ref)).words.includes('kept'));
  expect(done).toHaveLength(1);
});

test('so it does where the database lacks nothing, which cannot be known', async () => {
  const { path } = await work(false);
  truncateSync(path, 0);
  const next = await node('next');
  await until(() => isClosed(next));
  expect(problemOf(next)).toContain(path);
});

test('an operator hears of it from the command that brings journals', async () => {
  const { path } = await work(true);
  zeros(path);
  const ending = await restoreShardFromJournals({
    ...{
      shard: 'a',
      store: bed.store,
      clock: hostClock,
      log: noopEngineLog,
      graceMs,
      isLastWord: true,
      isProcessDead,
    },
    journal: openJournal(),
    progress: () => {},
  });
  expect(ending).toMatchObject({ what: 'lost', why: expect.stringContaining(path) });
  expect((await bed.store.standing(0)).state).toBe('closed');
});

test('a node that lives confirms its writes whatever its file holds: it knows what it was told', async () => {
  // However busy the machine is: that it lives is what the test is about.
  const longMs = 5_000;
  const one = await node('one', longMs);
  const [name] = readdirSync(join(directory, 'a'));
  truncateSync(join(directory, 'a', name!), 0);
  const other = await node('other', longMs);
  // Who joins may have the shard checked: it is open again without an operator.
  await until(() => isOpen(one) && isOpen(other));
  await other.send((await begin(one)).ref, { type: 'word', text: 'hello' });
  expect([isOpen(one), isOpen(other)]).toEqual([true, true]);
});

const begin = async (engine: RamalEngine) => {
  const begun = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
  if (begun.outcome !== 'started') throw new Error('not started');
  return begun;
};
