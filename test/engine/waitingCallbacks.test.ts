/**
 * Events that wait for machines of low-priority kinds in a busy process, and one for a machine that somebody waits for.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { withInbox } from './commits.ts';
import { contextOf, errand } from './errand.ts';
import type { MachineInboxRow } from '../../src/engine/contract/rows.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const callback: Kind = { ...errand, name: 'callback', lowPriority: true };

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('four thousand waiting callbacks on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand, callback]);
  });
  afterEach(() => bed.end());

  it('let an event from another node be brought by the next read', async () => {
    let reads = 0;
    const busy = await bed.node({
      cache: 10_000,
      load: () => 1,
      through: (store) =>
        withInbox(store, async (...given) => {
          reads += 1;
          return store.inbox(...given);
        }),
    });
    const start = async (kind: string): Promise<number> => {
      const result = await busy.start({ kind, shard: 'a', account, input: {} });
      if (result.outcome !== 'started') throw new Error('not started');
      return result.ref.id;
    };
    const other = await bed.node();
    const machine = await start('errand');
    const callbacks = await Promise.all(Array.from({ length: 400 }, () => start('callback')));
    const rows = callbacks.flatMap((id) =>
      Array.from({ length: 10 }, (_, index): MachineInboxRow => ({
        ...{ account, machine: id, at: 0 },
        id: other.mintId('a'),
        event: JSON.stringify({ type: 'word', text: `${index}` }),
      })),
    );
    await bed.store.leave(rows);
    const from = reads;
    await until(() => reads > from + 2);
    const before = reads;
    const sent = await other.send({ shard: 'a', account, id: machine }, { type: 'word', text: 'urgent' });
    expect(sent).toEqual({ outcome: 'left' });
    const ref = { shard: 'a', account, id: machine };
    await until(async () => contextOf(await busy.view(ref)).words.includes('urgent'));
    // One may have been under way when it was left.
    expect(reads - before).toBeLessThanOrEqual(3);
    // They do wait: a few had their turn.
    const waiting = await bed.store.inbox(
      (await bed.store.read([{ account, id: machine }]))[0]!.heldBy,
      10_000,
    );
    expect(waiting.length).toBeGreaterThan(2_000);
  });

  it('are passed by a read that knows them, and come after those of other kinds', async () => {
    const node = await bed.node({ load: () => 1 });
    const start = async (kind: string): Promise<number> => {
      const result = await node.start({ kind, shard: 'a', account, input: {} });
      return result.outcome === 'started' ? result.ref.id : 0;
    };
    const [slow, fast] = [await start('callback'), await start('errand')];
    const { heldBy } = (await bed.store.read([{ account, id: fast }]))[0]!;
    node.abandon();
    const row = (id: number, machine: number): MachineInboxRow => ({
      account,
      machine,
      id,
      event: '{}',
      at: 0,
    });
    await bed.store.leave([row(1, slow), row(2, slow), row(3, fast), row(4, slow), row(5, fast)]);
    const ids = async (
      ...given: [number, { except?: number[]; lowPriority?: boolean }?]
    ): Promise<number[]> => (await bed.store.inbox(heldBy, ...given)).map(({ id }) => id);
    expect(await ids(10)).toEqual([3, 5, 1, 2, 4]);
    expect(await ids(3, { except: [1, 3] })).toEqual([5, 2, 4]);
    expect(await ids(10, { except: [5], lowPriority: false })).toEqual([3]);
  });
});
