/** Processes that share a trunk, each with its queue, at one table and under one clock. */
import { CapacityLimiter } from '../../../src/providers/clearance/capacityLimiter.ts';
import { TrunkShares } from '../../../src/providers/trunks/shares.ts';
import type { DecideShares, ShareRow } from '../../../src/rules/trunks/shareOf.ts';
import { handClock } from '../../helpers/handClock.ts';

export const LIMIT = { callsPerSecond: 10, legs: 30 };

/** Turns of the event loop until promises have settled. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** Several processes at one table, under one clock. */
export const aWorld = (limit = LIMIT) => {
  const clock = handClock(1_000_000);
  let rows: ShareRow[] = [];
  const ended = new Set<string>();
  const sleeping = new Map<string, number>();
  let isAway = false;
  const grants: { process: string; at: number }[] = [];

  const exchange = async (process: string, decide: DecideShares): Promise<void> => {
    if (isAway) throw new Error('the database is away');
    const { own, ended: gone } = decide(rows, new Map([[1, limit]]));
    const kept = rows.filter((row) => row.process !== process && !gone.includes(row.process));
    rows = [...kept, ...own];
  };

  const node = async (process: string) => {
    /** What its monotonic clock missed. */
    const missed = (): number => sleeping.get(process) ?? 0;
    const shares: { of?: TrunkShares } = {};
    let isDead = false;
    const own = { now: () => clock.now() - missed(), after: clock.after };
    const limiter = new CapacityLimiter({
      capacityOf: (trunk) => shares.of?.capacityOf(trunk) ?? { callsPerSecond: 0, legs: 0 },
      clock: own,
    });
    shares.of = new TrunkShares({
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
