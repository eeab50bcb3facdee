/** What a trunk bears, counted at its carrier: new legs a second, and legs at a time, over all nodes together. */
import { type Of, only } from '../../evidence.ts';
import type { Rule, Violation } from '../violation.ts';
import { type Leg, legsOf } from './legs.ts';

const rule = 'trunk limits';
/** Windows in which new legs are counted, milliseconds: short ones see a bunch, long ones the rate. */
const windowsMs = [1_000, 10_000] as const;

/** `bunchMs`: new legs that were on time may arrive so much closer together. */
export const trunksBearNoMore: Rule = (lines, { bunchMs }) => {
  const legs = legsOf(lines);
  return only(lines, 'trunk').flatMap((trunk) => {
    const own = legs.filter(({ carrier }) => carrier === trunk.asterisk);
    return [...windowsMs.flatMap((ms) => tooFast(trunk, own, ms, bunchMs)), ...tooMany(trunk, own)];
  });
};

const tooFast = (trunk: Of<'trunk'>, own: readonly Leg[], ms: number, bunchMs: number): Violation[] => {
  const most = Math.ceil((trunk.callsPerSecond * (ms + bunchMs)) / 1_000);
  const at = own.findIndex((leg, index) => {
    const beyond = own[index + most];
    return beyond !== undefined && beyond.invitedAt - leg.invitedAt < ms;
  });
  if (at === -1) return [];
  const those = own.slice(at, at + most + 1);
  const bears = `${trunk.trunk} bears ${trunk.callsPerSecond} new legs a second`;
  const what = `${bears}, and more than ${most} came within ${ms} ms`;
  return [{ rule, what, lines: [trunk, ...those.map(({ lines: [invite] }) => invite!)] }];
};

/** The most legs that came within so many milliseconds. */
export const mostWithin = (legs: readonly Leg[], ms: number): number =>
  Math.max(
    0,
    ...legs.map(
      ({ invitedAt: from }) => legs.filter(({ invitedAt: at }) => at >= from && at < from + ms).length,
    ),
  );

/** At the moment of a new leg; those that end at the same moment are over. */
const liveAt = (legs: readonly Leg[], at: number): Leg[] =>
  legs.filter(({ invitedAt, overAt = Infinity }) => invitedAt <= at && overAt > at);

/** The most legs that lived at a time. */
export const mostAtATime = (legs: readonly Leg[]): number =>
  Math.max(0, ...legs.map(({ invitedAt }) => liveAt(legs, invitedAt).length));

const tooMany = (trunk: Of<'trunk'>, own: readonly Leg[]): Violation[] => {
  for (const { invitedAt } of own) {
    const live = liveAt(own, invitedAt);
    if (live.length <= trunk.legs) continue;
    const what = `${trunk.trunk} bears ${trunk.legs} legs at a time, and had ${live.length}`;
    return [{ rule, what, lines: [trunk, ...live.map(({ lines: [invite] }) => invite!)] }];
  }
  return [];
};
