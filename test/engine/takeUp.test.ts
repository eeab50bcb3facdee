import { expect, it } from 'vitest';
import { Health } from '../../src/engine/health.ts';
import type { Membership } from '../../src/engine/membership.ts';
import { hostClock, noLog } from '../../src/engine/ports.ts';
import type { ShardStore, TakenUp } from '../../src/engine/store.ts';
import { type Heir, TakeUp } from '../../src/engine/takeUp.ts';
import { until } from './bed.ts';

const row = { account: 7, id: 1, revision: 4 } as TakenUp;

it('steps a machine that must be told something else at once, and no second time when its turn comes', async () => {
  const chunks = [[row], []];
  let crowd = 10_000;
  let over = false;
  const stepped: Heir[] = [];
  const takeUp = new TakeUp({
    store: { takeUp: async () => chunks.shift() ?? [] } as unknown as ShardStore,
    clock: hostClock,
    log: noLog,
    random: Math.random,
    health: new Health('a', hostClock, noLog),
    membership: {
      mint: () => 1,
      now: () => 0,
      incarnation: 5,
      advanceIds: () => {},
      guard: {
        isOpen: true,
        numbers: { writeFound: async (_: number, send: (ticket: object) => Promise<unknown>) => send({}) },
      },
    } as unknown as Membership,
    known: [],
    backlog: () => crowd,
    began: () => {},
    ended: () => void (over = true),
    taken: () => true,
    step: (heir) => void stepped.push(heir),
  });
  takeUp.run([3]);
  await until(async () => over);
  expect(stepped).toEqual([]);
  takeUp.hurry(2);
  takeUp.hurry(1);
  expect(stepped).toEqual([{ account: 7, id: 1, upTo: 4 }]);
  crowd = 0;
  chunks.push([{ ...row, id: 9 }], []);
  takeUp.run([3]);
  await until(async () => stepped.length > 1);
  expect(stepped.map(({ id }) => id)).toEqual([1, 9]);
  takeUp.stop();
});
