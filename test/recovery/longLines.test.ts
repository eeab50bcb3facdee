/** A write that fits into no line of the journal is not committed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noopEngineLog } from '../../src/engine/contract/ports.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import { openFileJournal } from '../../src/journal/fileJournal.ts';
import { type Bed, postgresBed } from '../engine/bed.ts';
import { contextOf, errand } from '../engine/errand.ts';
import { until } from '../helpers/patience.ts';

let bed: Bed;
let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ramal-long-'));
  bed = await postgresBed([errand]);
});
afterEach(async () => {
  await bed.end();
  rmSync(directory, { recursive: true });
});

const openJournal = () =>
  openFileJournal({ directory, shard: 'a', log: noopEngineLog, keepDays: 30, isProcessDead: () => false });
const begin = async (engine: RamalEngine) => {
  const begun = await engine.start({ kind: 'errand', shard: 'a', account: 7, input: {} });
  if (begun.outcome !== 'started') throw new Error('not started');
  return begun.ref;
};
/** Whether the journal has each number that the database counts. */
const isWhole = async (): Promise<boolean> => {
  const [kept] = await openJournal().kept((await bed.store.standing(0)).identity);
  const { writers } = await bed.store.standing(kept!.owner.incarnation);
  return writers.every(({ lane, number }) => (kept!.last.get(lane) ?? 0) === number);
};

test('a batch that is too long is written in parts, each with a line of its own', async () => {
  const engine = await bed.node({ journal: openJournal() });
  const refs = await Promise.all(Array.from({ length: 24 }, () => begin(engine)));
  // Each stands in what its machine is and in what it was told: 3 MB a step, and more than 64 MiB in all.
  const text = 'long '.repeat(600_000);
  // On a busy machine callers may not be answered in time; the steps are written all the same.
  await Promise.allSettled(refs.map((ref) => engine.send(ref, { type: 'word', text })));
  for (const ref of refs)
    await until(async () => contextOf(await engine.view(ref)).words[0]?.length === text.length);
  await until(isWhole);
});

test('a step that is too long by itself is refused, and nothing of it is written', async () => {
  const engine = await bed.node({ journal: openJournal() });
  const ref = await begin(engine);
  const text = 'x'.repeat(36 * 1024 * 1024);
  await expect(engine.send(ref, { type: 'word', text })).rejects.toThrow('fit');
  await engine.send(ref, { type: 'word', text: 'short' });
  expect(contextOf(await engine.view(ref)).words).toEqual(['short']);
  await until(isWhole);
});
