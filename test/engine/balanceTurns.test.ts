/** Writers of one shard that move the same balance. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BalanceTurns } from '../../src/engine/writer/balanceTurns.ts';
import type { Booking } from '../../src/engine/contract/effect.ts';
import type { Write } from '../../src/engine/contract/rows.ts';
import type { ShardStore } from '../../src/engine/contract/store.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { withCommit } from './commits.ts';
import { errand } from './errand.ts';

const names = (...balances: string[]): ReadonlySet<string> => new Set(balances);

describe('turns', () => {
  let turns: BalanceTurns;
  let granted: string[];
  beforeEach(() => {
    [turns, granted] = [new BalanceTurns(), []];
  });
  /** Asks, and writes down when it was granted. */
  const ask = (name: string, ...balances: string[]): void =>
    void turns.take(names(...balances)).then(() => granted.push(name));
  const settled = () => new Promise((resolve) => void setImmediate(resolve));

  it('are granted at once where no other moves the same, and where nothing is moved', async () => {
    ask('one', 'a', 'b');
    ask('two', 'c');
    ask('three');
    await settled();
    expect(granted).toEqual(['one', 'two', 'three']);
  });

  it('are given on in the order in which they were asked for', async () => {
    ask('one', 'a');
    ask('two', 'a');
    ask('three', 'a');
    await settled();
    expect(granted).toEqual(['one']);
    turns.give(names('a'));
    await settled();
    expect(granted).toEqual(['one', 'two']);
    turns.give(names('a'));
    await settled();
    expect(granted).toEqual(['one', 'two', 'three']);
  });

  it('of several balances begin when all are free, and are not overtaken for ever by those of one', async () => {
    ask('first', 'a');
    ask('both', 'a', 'b');
    ask('late', 'b');
    await settled();
    expect(granted).toEqual(['first']);
    turns.give(names('a'));
    await settled();
    expect(granted).toEqual(['first', 'both']);
    turns.give(names('a', 'b'));
    await settled();
    expect(granted).toEqual(['first', 'both', 'late']);
  });
});

/** Whose balances a statement moves. */
const ownersIn = (batch: readonly Write[]): number[] => [
  ...new Set(batch.flatMap(({ bookings }) => bookings.map(({ account }) => account))),
];

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('paid starts of one node on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  it('never stand in two statements at a time for one balance', async () => {
    const underWay: number[] = [];
    const together: number[] = [];
    const through = (store: ShardStore): ShardStore =>
      withCommit(store, async (lane, batch, at, ticket) => {
        const owners = ownersIn(batch);
        together.push(...owners.filter((owner) => underWay.includes(owner)));
        underWay.push(...owners);
        try {
          return await store.commit(lane, batch, at, ticket);
        } finally {
          for (const owner of owners) underWay.splice(underWay.indexOf(owner), 1);
        }
      });
    const engine = await bed.node({ through });
    for (const owner of [3, 5]) await bed.fill(owner, 1_000);
    const charge = (owner: number): Booking[] => [
      { account: owner, balance: 'balance', amount: -10, entry: 'charge' },
    ];
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, nth) =>
        engine.start({
          ...{ kind: 'errand', shard: 'a', account: 7, input: {} },
          bookings: charge(nth < 100 ? 3 : 5),
        }),
      ),
    );
    expect(results.filter(({ outcome }) => outcome === 'started')).toHaveLength(200);
    expect(together).toEqual([]);
  });
});
