/** What is heard of legs tells how their trunk fares. */
import { expect, it } from 'vitest';
import type { Fact } from '../../../src/engine/contract/performer.ts';
import { trackTrunkHealth } from '../../../src/providers/dialClearance/trunkHealthFromCalls.ts';

const aWatch = () => {
  let now = 1_000_000;
  let legs = 0;
  const watch = trackTrunkHealth(() => now);
  const caller = { shard: 'a', account: 3, id: 7 };
  const leg = (...facts: Fact[]): void => {
    const number = (legs += 1);
    watch.dialled(caller, number, 'carrier', '551130001000');
    now += 1_000;
    for (const fact of facts) watch.hear(caller, { ...fact, leg: number });
  };
  return { watch, leg, pass: (ms: number) => void (now += ms), rests: () => watch.rests('carrier') };
};
const hungUp = (cause: number, sipStatus: number, by = 'carrier'): Fact => ({
  ...{ type: 'hungUp', cause, sipStatus, by },
});

it.each([
  ['the end of our ring time', hungUp(19, 0)],
  ['a request that had no answer', hungUp(18, 408)],
])('a carrier that says nothing of legs rests: %s', (_, silence) => {
  const { leg, rests } = aWatch();
  for (let nth = 0; nth < 20; nth++) leg(silence);
  expect(rests()).toBe(true);
});

it('one whose callees do not answer does not, nor one whose legs we end', () => {
  const { leg, rests } = aWatch();
  for (let nth = 0; nth < 20; nth++) leg({ type: 'ringing' }, hungUp(19, 480));
  for (let nth = 0; nth < 20; nth++) leg(hungUp(16, 0, 'us'));
  for (let nth = 0; nth < 20; nth++) leg(hungUp(17, 486, 'them'));
  expect(rests()).toBe(false);
});

it('one that rested is used again as soon as three legs ring', () => {
  const { leg, rests, pass } = aWatch();
  for (let nth = 0; nth < 20; nth++) leg(hungUp(34, 503));
  expect(rests()).toBe(true);
  pass(60_000);
  for (let nth = 0; nth < 3; nth++) leg({ type: 'ringing' });
  expect(rests()).toBe(false);
  leg({ type: 'ringing' }, { type: 'answered' });
  expect(rests()).toBe(false);
});
