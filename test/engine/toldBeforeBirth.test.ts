/** What a machine is told before it is born is heard before what it is told since, which no read has to bring. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MachineRef } from '../../src/engine/contract/api.ts';
import { timeOfId } from '../../src/engine/contract/idGenerator.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';
import { until } from '../helpers/patience.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { withCommit, withInbox, withRead } from './commits.ts';
import { contextOf, errand } from './errand.ts';

const account = 7;
/** The id of a queue, as counters give them: calls know it whether its line stands or not. */
const line: MachineRef = { shard: 'a', account, id: 42 };
/** The lane that a machine goes through, of two. */
const laneOf = (id: number): number => (id + timeOfId(id)) % 2;

/** Keeps what asks for it waiting until it is opened. */
const gate = () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
};

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('a line that was told something before it was born, on %s', (_name, makeBed) => {
  let bed: Bed;
  let engine: RamalEngine;
  /** Reads of the inbox wait for this, and have ended so often. */
  let reading: Promise<void>;
  let readsEnded: number;
  /** The birth of the line stands, and its commit is answered when this settles. */
  let answering: Promise<void>;
  /** The line was read by the engine. */
  let isLoaded: boolean;
  let call: MachineRef;

  const isBirth = ({ id, insert: birth }: MachineWrite): boolean => birth !== null && id === line.id;
  const through = (store: ShardMachineStore): ShardMachineStore => {
    const read = withRead(store, async (keys) => {
      const rows = await store.read(keys);
      isLoaded ||= rows.some(({ id }) => id === line.id);
      return rows;
    });
    const commit = withCommit(read, async (lane, batch, at, ticket) => {
      const written = await store.commit(lane, batch, at, ticket);
      if (batch.some(isBirth)) await answering;
      return written;
    });
    return withInbox(commit, async (...given) => {
      await reading;
      const rows = await store.inbox(...given);
      readsEnded += 1;
      return rows;
    });
  };

  beforeEach(async () => {
    [reading, readsEnded, answering, isLoaded] = [Promise.resolve(), 0, Promise.resolve(), false];
    bed = await makeBed([errand]);
    engine = await bed.node({ through });
    call = await callOfOtherLane();
    await tells('first');
    // The read that it asked for has found nothing: its row is nobody's.
    const before = readsEnded;
    await until(() => readsEnded > before);
  });
  afterEach(() => bed.end());

  const start = async (): Promise<MachineRef> => {
    const input = { friend: line.id };
    const result = await engine.start({ kind: 'errand', shard: 'a', account, input });
    if (result.outcome !== 'started') throw new Error('not started');
    return result.ref;
  };
  /** A call that does not wait for the commits of the line. */
  const callOfOtherLane = async (): Promise<MachineRef> => {
    const ref = await start();
    return laneOf(ref.id) === laneOf(line.id) ? callOfOtherLane() : ref;
  };
  const tells = (text: string) => engine.send(call, { type: 'tell', text });
  const startLine = () => engine.start({ kind: 'errand', ...line, input: {} });
  const heard = async (): Promise<string[]> => contextOf(await engine.view(line)).words;

  it('hears that first, whatever it is told since', async () => {
    const reads = gate();
    reading = reads.opened;
    await startLine();
    await tells('second');
    reads.open();
    await until(async () => (await heard()).length === 2);
    expect(await heard()).toEqual(['first', 'second']);
  });

  it('hears that first, also where it was read before its birth was answered', async () => {
    const [reads, answer] = [gate(), gate()];
    [reading, answering] = [reads.opened, answer.opened];
    const started = startLine();
    await until(async () => (await bed.store.read([line])).length > 0);
    const asked = engine.send(line, { type: 'word', text: 'asked' });
    await until(() => isLoaded);
    await tells('second');
    answer.open();
    reads.open();
    expect([(await started).outcome, (await asked).outcome]).toEqual(['started', 'stepped']);
    await until(async () => (await heard()).length === 3);
    expect(await heard()).toEqual(['asked', 'first', 'second']);
  });
});
