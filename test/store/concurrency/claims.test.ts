/** Claims taken by several commits at once, beside their release, the sweep, and answers that are kept under a key. */
import { expect, it } from 'vitest';
import { storeIdempotentAnswer } from '../../../src/store/idempotencyKeyClaims.ts';
import type { Dice } from '../../simulation/dice.ts';
import { at, aWrite } from '../writes.ts';
import { shuffled, some, storm, times, type Storm } from './storm.ts';
import type { MachineWrite } from '../../../src/engine/contract/rows.ts';

const account = 7;
const KEYS = ['a', 'b', 'c', 'd'];
const WRITERS = 6;
const TOOL = 'a tool';

let ids = 0;

/** Some births, each with keys of its own: a key occurs once in a batch. */
const batchOf = (dice: Dice, now: number): MachineWrite[] => {
  const keys = some(dice, KEYS);
  const births: MachineWrite[] = [];
  while (keys.length > 0) {
    const own = keys.splice(0, dice.whole(1, 2));
    const claims = own.map((key) => ({ key, until: now + dice.whole(50, 300), answer: null }));
    births.push(aWrite(++ids, { claims }));
  }
  return births;
};

/** Who holds what at that time, by key. */
const holders = async ({ store }: Storm, now: number): Promise<Map<string, string>> => {
  const found = await store.claims(
    KEYS.map((key) => ({ account, key })),
    now,
  );
  return new Map(found.map(({ key, owner }) => [key, owner]));
};

it('have one owner at a time, however many want a key at once', () => {
  let now = at;
  return storm(40, async (here) => {
    const { dice, store, database } = here;
    now += dice.pick([1, 60, 250, 500]);
    const before = await holders(here, now);
    const owners = [...new Set(before.values())].filter((owner) => owner !== TOOL && dice.chance(0.4));
    const released = new Set([...before].filter(([, owner]) => owners.includes(owner)).map(([key]) => key));
    const batches = times(WRITERS, () => batchOf(dice, now));
    const kept = dice.chance(0.5) ? some(dice, KEYS) : [];
    await Promise.all(
      shuffled(dice, [
        ...batches.map((batch) => () => store.commit(0, batch, now)),
        ...owners.map((owner) => () => release(here, Number(owner), now)),
        ...kept.map((key) => () => {
          const answer = { key, forMs: 200, answer: 'kept' };
          return storeIdempotentAnswer(database.pool, account, answer, { owner: TOOL, at: now });
        }),
        () => store.sweep(now, 0),
      ]).map((work) => work()),
    );
    await judge(here, { now, before, released, batches });
  });
});

/** The owner gives back whatever it holds, in one step. */
const release = async ({ store }: Storm, owner: number, now: number): Promise<void> => {
  const [row] = await store.read([{ account, id: owner }]);
  const step = aWrite(owner, { revision: row!.revision + 1, releases: KEYS });
  expect(await store.commit(1, [step], now)).toBe(1);
};

interface Round {
  now: number;
  before: ReadonlyMap<string, string>;
  released: ReadonlySet<string>;
  batches: readonly MachineWrite[][];
}

const judge = async (here: Storm, { now, before, released, batches }: Round): Promise<void> => {
  const births = batches.flat();
  const rows = await here.store.read(births.map(({ id }) => ({ account, id })));
  const born = new Set(rows.map(({ id }) => id));
  const after = await holders(here, now);
  for (const key of KEYS) {
    const askers = births.filter(({ claims }) => claims.some((claim) => claim.key === key));
    const winners = askers.filter(({ id }) => born.has(id)).map(({ id }) => String(id));
    const owner = before.get(key);
    const isHeld = owner !== undefined && !released.has(key);
    expect(winners.length, `winners of ${key}, held by ${owner}`).toBeLessThanOrEqual(isHeld ? 0 : 1);
    if (isHeld) expect(after.get(key), `who holds ${key}`).toBe(owner);
    else if (winners.length > 0) expect(after.get(key), `who holds ${key}`).toBe(winners[0]);
    else expect([undefined, TOOL], `who holds ${key}`).toContain(after.get(key));
    // Where nothing else could hold them back, one of them got it.
    const isPlain = askers.length > 0 && askers.every(({ claims }) => claims.length === 1);
    if (isPlain && owner === undefined) expect(after.get(key), `who holds ${key}`).toBeDefined();
  }
};

it('of a leader are given to one node at a time', () =>
  storm(10, async ({ round, store }) => {
    const now = at + 100 * round;
    const led = await Promise.all(
      times(8, (node) => store.lead('job', `node ${round} ${node}`, now, now + 100)),
    );
    expect(led.filter(Boolean)).toHaveLength(1);
  }));
