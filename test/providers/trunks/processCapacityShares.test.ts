/** Processes share what a trunk bears: together never more, whoever asks, ends, or sleeps. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CapacityLimiter } from '../../../src/providers/dialClearance/capacityLimiter.ts';
import { TrunkCapacityShareRenewer } from '../../../src/providers/trunks/processCapacityShares.ts';
import type {
  DecideProcessTrunkShares,
  ProcessTrunkShareRow,
} from '../../../src/rules/trunks/trunkShareOfProcess.ts';
import { handClock } from '../../helpers/handClock.ts';

const LIMIT = { callsPerSecond: 10, legs: 30 };

/** Turns of the event loop until promises have settled. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** Several processes at one table, under one clock. */
const aWorld = (limit = LIMIT) => {
  const clock = handClock(1_000_000);
  let rows: ProcessTrunkShareRow[] = [];
  const ended = new Set<string>();
  const sleeping = new Map<string, number>();
  let isAway = false;
  const grants: { process: string; at: number }[] = [];

  const exchange = async (process: string, decide: DecideProcessTrunkShares): Promise<void> => {
    if (isAway) throw new Error('the database is away');
    const { own, ended: gone } = decide(rows, new Map([[1, limit]]));
    const kept = rows.filter((row) => row.process !== process && !gone.includes(row.process));
    rows = [...kept, ...own];
  };

  const node = async (process: string) => {
    /** What its monotonic clock missed. */
    const missed = (): number => sleeping.get(process) ?? 0;
    const shares: { of?: TrunkCapacityShareRenewer } = {};
    let isDead = false;
    const own = { now: () => clock.now() - missed(), after: clock.after };
    const limiter = new CapacityLimiter({
      capacityOf: (trunk) => shares.of?.capacityOf(trunk) ?? { callsPerSecond: 0, legs: 0 },
      clock: own,
    });
    shares.of = new TrunkCapacityShareRenewer({
      process,
      trunks: () => [{ id: 1, name: 'trunk' }],
      usageOf: (trunk) => limiter.usageOf(trunk),
      exchange: (decide) => (isDead ? new Promise(() => {}) : exchange(process, decide)),
      isProcessDead: (other) => ended.has(other),
      clock: { ...own, wall: clock.now },
      log: { warn: () => {}, info: () => {} },
    });
    await shares.of.renew();
    let calls = 0;
    const live: string[] = [];
    const note = (key: string): void => {
      grants.push({ process, at: clock.now() });
      live.push(key);
    };
    return {
      process,
      limiter,
      shares: shares.of,
      live,
      ask: (count: number): void => {
        for (let nth = 0; nth < count && !isDead; nth++) {
          const key = `${process} ${(calls += 1)}`;
          const answer = limiter.ask(
            key,
            { trunks: ['trunk'], lane: 'trunk' },
            {
              granted: () => !isDead && note(key),
              turnedAway: () => {},
            },
          );
          if (typeof answer === 'object' && 'granted' in answer) note(key);
        }
      },
      end: (count: number): void => {
        for (const key of live.splice(0, count)) limiter.release(key);
      },
      adopt: (key: string): void => {
        limiter.adopt(key, 1, 'trunk');
        live.push(key);
      },
      die: (): void => {
        isDead = true;
        limiter.stop();
      },
    };
  };

  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 50) {
      clock.turn(Math.min(50, left));
      await settled();
    }
  };
  return {
    ...{ clock, node, pass, grants, ended, sleeping },
    rows: () => rows,
    away: (value: boolean) => void (isAway = value),
    mostInASecond: (): number =>
      Math.max(
        0,
        ...grants.map(({ at }) => grants.filter((one) => one.at >= at && one.at < at + 1_000).length),
      ),
  };
};

describe('shares of a trunk', () => {
  it('are all of it for one process alone, at once', async () => {
    const { node } = aWorld();
    expect((await node('a')).shares.capacityOf('trunk')).toEqual(LIMIT);
  });

  it('are even between two that both need more, within seconds', async () => {
    const world = aWorld({ callsPerSecond: 10, legs: 1_000 });
    const [a, b] = [await world.node('a'), await world.node('b')];
    for (let second = 0; second < 8; second++) {
      a.ask(20);
      b.ask(20);
      await world.pass(1_000);
    }
    expect([a, b].map(({ shares }) => shares.capacityOf('trunk')!.callsPerSecond)).toEqual([5, 5]);
    const late = world.grants.filter(({ at }) => at > world.clock.now() - 2_000);
    expect(late.filter(({ process }) => process === 'a').length).toBe(10);
    expect(late.filter(({ process }) => process === 'b').length).toBe(10);
  });

  it('follow the demand: a process that is busy gets what an idle one does not need', async () => {
    const world = aWorld({ callsPerSecond: 12, legs: 1_000 });
    const [a, b] = [await world.node('a'), await world.node('b')];
    b.ask(1);
    for (let second = 0; second < 10; second++) {
      a.ask(30);
      await world.pass(1_000);
    }
    expect(a.shares.capacityOf('trunk')!.callsPerSecond).toBeGreaterThanOrEqual(9);
    // And it still dials at once.
    const before = world.grants.length;
    b.ask(1);
    expect(world.grants.slice(before).map(({ process }) => process)).toContain('b');
  });

  it.each([
    ['a call a second', { callsPerSecond: 1, legs: 1_000 }],
    ['two legs', { callsPerSecond: 10, legs: 2 }],
  ])(
    'of a trunk that bears %s go to the process whose calls wait, not to those that idle',
    async (_, limit) => {
      const world = aWorld(limit);
      const idle = [await world.node('a'), await world.node('b')];
      const [busy, last] = [await world.node('c'), await world.node('d')];
      idle.push(last);
      for (let second = 0; second < 20; second++) {
        busy.ask(1);
        busy.end(1);
        await world.pass(1_000);
      }
      const late = world.grants.filter(({ at }) => at > world.clock.now() - 10_000);
      expect(late.length).toBeGreaterThanOrEqual(9);
      // Who idled has its turn when a call comes.
      for (const node of idle) {
        node.ask(1);
        busy.ask(20);
        for (let half = 0; half < 120 && node.live.length === 0; half++) {
          busy.end(busy.live.length);
          await world.pass(500);
        }
        expect(node.live.length).toBe(1);
        node.end(1);
      }
      expect(world.mostInASecond()).toBeLessThanOrEqual(limit.callsPerSecond);
    },
  );

  it('are had by turns where there is less than one unit for each that waits', async () => {
    const world = aWorld({ callsPerSecond: 1, legs: 1_000 });
    const all = [await world.node('a'), await world.node('b'), await world.node('c')];
    for (const node of all) node.ask(300);
    await world.pass(180_000);
    const of = (name: string) => world.grants.filter(({ process }) => process === name).length;
    for (const { process } of all) expect(of(process)).toBeGreaterThan(40);
    expect(world.grants.length).toBeGreaterThan(150);
    expect(world.mostInASecond()).toBe(1);
  });

  it('of a process that stops are free for the others', async () => {
    const world = aWorld();
    const [a, b] = [await world.node('a'), await world.node('b')];
    b.ask(20);
    await world.pass(4_000);
    await a.shares.stop();
    await world.pass(2_000);
    expect(b.shares.capacityOf('trunk')).toEqual(LIMIT);
  });

  it('of a process that was killed are free after a while, and its legs when they were adopted or have ended', async () => {
    const world = aWorld();
    const [a, b] = [await world.node('a'), await world.node('b')];
    a.ask(10);
    await world.pass(1_000);
    a.die();
    b.ask(40);
    await world.pass(20_000);
    // It had 10 legs, may have begun more of its half, and that of b is full.
    expect(b.shares.capacityOf('trunk')).toEqual({ callsPerSecond: 10, legs: 15 });
    for (let leg = 0; leg < 4; leg++) b.limiter.adopt(`adopted ${leg}`, 1, 'trunk');
    await world.pass(30_000);
    expect(b.shares.capacityOf('trunk')!.legs).toBe(30);
    expect(b.limiter.usageOf('trunk').legs).toBeLessThanOrEqual(30);
  });

  it('of a neighbour that surely ended are free once what it began last is a second ago', async () => {
    const world = aWorld();
    const [a, b] = [await world.node('a'), await world.node('b')];
    a.ask(20);
    await world.pass(3_000);
    a.die();
    world.ended.add('a');
    b.ask(20);
    await world.pass(3_000);
    expect(b.shares.capacityOf('trunk')!.callsPerSecond).toBe(LIMIT.callsPerSecond);
    expect(world.mostInASecond()).toBeLessThanOrEqual(LIMIT.callsPerSecond);
  });

  it('of a process that stops while it dials are free once what it began last is a second ago', async () => {
    const world = aWorld();
    const [a, b] = [await world.node('a'), await world.node('b')];
    b.ask(20);
    a.ask(20);
    await world.pass(1_000);
    const stopped = a.shares.stop();
    await world.pass(4_000);
    await stopped;
    expect(b.shares.capacityOf('trunk')!.callsPerSecond).toBe(LIMIT.callsPerSecond);
    expect(world.mostInASecond()).toBeLessThanOrEqual(LIMIT.callsPerSecond);
  });

  it('of legs go to a process whose calls wait, from one whose calls follow at once', async () => {
    const world = aWorld({ callsPerSecond: 20, legs: 10 });
    const [a, b] = [await world.node('a'), await world.node('b')];
    a.ask(400);
    await world.pass(2_000);
    b.ask(400);
    for (let half = 0; half < 60; half++) {
      for (const node of [a, b]) node.end(1);
      await world.pass(500);
    }
    expect([a, b].map(({ limiter }) => limiter.usageOf('trunk').legs)).toEqual([5, 5]);
  });

  it('are not used when they could not be renewed, and again when they can', async () => {
    const world = aWorld();
    const a = await world.node('a');
    world.away(true);
    await world.pass(4_000);
    expect(a.shares.capacityOf('trunk')).toEqual(LIMIT);
    await world.pass(2_000);
    expect(a.shares.capacityOf('trunk')).toEqual({ callsPerSecond: 0, legs: 0 });
    expect(a.shares.problem).toContain('nothing new is dialled');
    world.away(false);
    await world.pass(1_500);
    expect([a.shares.capacityOf('trunk'), a.shares.problem]).toEqual([LIMIT, undefined]);
  });

  it('are not used by a process that wakes after its machine slept', async () => {
    const world = aWorld();
    const a = await world.node('a');
    // Its monotonic clock stood still, the wall clock did not.
    world.sleeping.set('a', 60_000);
    world.clock.turn(60_000);
    expect(a.shares.capacityOf('trunk')).toEqual({ callsPerSecond: 0, legs: 0 });
  });

  it.each([
    ['a hall', LIMIT],
    ['a call a second', { callsPerSecond: 1, legs: 30 }],
    ['two legs', { callsPerSecond: 10, legs: 2 }],
  ])(
    'together exceed neither rate nor legs of a trunk that bears %s, whatever is asked, ended, killed and away',
    async (_, limit) => {
      await fc.assert(
        fc.asyncProperty(fc.array(anAct, { minLength: 10, maxLength: 40 }), (acts) => play(acts, limit)),
        { numRuns: 60 },
      );
    },
  );
});

interface Act {
  what: 'ask' | 'end' | 'die' | 'away';
  who: number;
  count: number;
}

const act = (weight: number, what: Act['what'], min: number, max: number) => ({
  weight,
  arbitrary: fc.record({ what: fc.constant(what), who: fc.nat(2), count: fc.integer({ min, max }) }),
});

/** `count` of a death: odd ones are known to the others at once. */
const anAct = fc.oneof(act(6, 'ask', 1, 25), act(4, 'end', 1, 15), act(1, 'die', 0, 1), act(1, 'away', 0, 8));

/** Legs of the dead are adopted after so long. */
const ADOPTED_MS = 15_000;

const play = async (acts: readonly Act[], limit: typeof LIMIT): Promise<void> => {
  const world = aWorld(limit);
  const nodes = [await world.node('a'), await world.node('b'), await world.node('c')];
  const dead = new Set<string>();
  const orphans: { keys: string[]; at: number }[] = [];
  const living = () => nodes.filter(({ process }) => !dead.has(process));
  const adopt = (): void => {
    while (orphans[0] && orphans[0].at <= world.clock.now() - ADOPTED_MS)
      for (const key of orphans.shift()!.keys) living()[0]!.adopt(key);
  };
  for (const { what, who, count } of acts) {
    const node = nodes[who]!;
    if (what === 'ask') node.ask(count);
    if (what === 'end') node.end(count);
    if (what === 'die' && dead.size < 2 && !dead.has(node.process)) {
      node.die();
      dead.add(node.process);
      if (count === 1) world.ended.add(node.process);
      orphans.push({ keys: node.live, at: world.clock.now() });
    }
    if (what === 'away') {
      world.away(true);
      await world.pass(count * 1_000);
      world.away(false);
    }
    await world.pass(700);
    adopt();
    const left = orphans.reduce((sum, { keys }) => sum + keys.length, 0);
    const legs = living().reduce((sum, { limiter }) => sum + limiter.usageOf('trunk').legs, left);
    expect(legs).toBeLessThanOrEqual(limit.legs);
  }
  expect(world.mostInASecond()).toBeLessThanOrEqual(limit.callsPerSecond);
};
