/** Writers of one shard that move the same balance. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BalanceWriterTurns, type Turn } from '../../src/engine/writer/serializeBalanceWriters.ts';
import type { Clock } from '../../src/engine/contract/ports.ts';
import type { BalanceBooking } from '../../src/engine/contract/effect.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { withCommit } from './commits.ts';
import { errand } from './errand.ts';

const names = (...balances: string[]): ReadonlySet<string> => new Set(balances);

/** Its moments pass when a test says so. */
class TestClock implements Pick<Clock, 'after'> {
  readonly #due: { at: number; run(): void }[] = [];
  #now = 0;

  after(ms: number, run: () => void): () => void {
    const one = { at: this.#now + ms, run };
    this.#due.push(one);
    return () => void this.#due.splice(this.#due.indexOf(one), 1);
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const one of this.#due.filter(({ at }) => at <= this.#now)) one.run();
  }

  get alarms(): number {
    return this.#due.length;
  }
}

describe('turns', () => {
  let clock: TestClock;
  let turns: BalanceWriterTurns;
  let granted: Map<string, Turn>;
  beforeEach(() => {
    clock = new TestClock();
    turns = new BalanceWriterTurns(clock);
    granted = new Map();
  });
  /** Asks, and writes down when it was granted. */
  const ask = async (name: string, ...balances: string[]): Promise<void> => {
    void turns.take(names(...balances)).then((turn) => granted.set(name, turn));
    await settled();
  };
  const give = async (name: string): Promise<void> => {
    turns.give(granted.get(name)!);
    await settled();
  };
  const settled = () => new Promise((resolve) => void setImmediate(resolve));
  const order = (): string[] => [...granted.keys()];

  it('are granted at once where no other moves the same', async () => {
    await ask('one', 'a', 'b');
    await ask('two', 'c');
    expect(order()).toEqual(['one', 'two']);
  });

  it('are given on in the order in which they were asked for', async () => {
    await ask('one', 'a');
    await ask('two', 'a');
    await ask('three', 'a');
    expect(order()).toEqual(['one']);
    await give('one');
    expect(order()).toEqual(['one', 'two']);
    await give('two');
    expect(order()).toEqual(['one', 'two', 'three']);
    expect(clock.alarms).toBe(0);
  });

  it('of several balances begin when all are free, and are not overtaken for ever by those of one', async () => {
    await ask('first', 'a');
    await ask('both', 'a', 'b');
    await ask('late', 'b');
    expect(order()).toEqual(['first']);
    await give('first');
    expect(order()).toEqual(['first', 'both']);
    await give('both');
    expect(order()).toEqual(['first', 'both', 'late']);
  });

  it('begin after a tenth of a second though the one before has not ended', async () => {
    await ask('stuck', 'a');
    await ask('next', 'a');
    clock.pass(99);
    await settled();
    expect(order()).toEqual(['stuck']);
    clock.pass(1);
    await settled();
    expect(order()).toEqual(['stuck', 'next']);
  });

  it('are not ended by one that was passed', async () => {
    await ask('stuck', 'a');
    await ask('next', 'a');
    clock.pass(100);
    await ask('third', 'a');
    await give('stuck');
    expect(order()).toEqual(['stuck', 'next']);
    await give('next');
    expect(order()).toEqual(['stuck', 'next', 'third']);
  });
});

/** Whose balances a statement moves. */
const ownersIn = (batch: readonly MachineWrite[]): number[] => [
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

  it('stand in one statement at a time for one balance', async () => {
    /** Whose statement was sent when. */
    const underWay = new Map<number, number>();
    const together: number[] = [];
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, async (lane, batch, at, ticket) => {
        const owners = ownersIn(batch);
        const now = performance.now();
        for (const owner of owners) {
          // One that takes longer is passed, on a machine that is slow as well.
          if (now - (underWay.get(owner) ?? -Infinity) < 90) together.push(owner);
          underWay.set(owner, now);
        }
        try {
          return await store.commit(lane, batch, at, ticket);
        } finally {
          for (const owner of owners) if (underWay.get(owner) === now) underWay.delete(owner);
        }
      });
    const engine = await bed.node({ through });
    for (const owner of [3, 5]) await bed.fill(owner, 1_000);
    const charge = (owner: number): BalanceBooking[] => [
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
