/** A line's whole decision: what a fact changes, and which offers follow. Pure. */
import type { CallQueueEvent, QueueLineReplyToCall } from '../contracts/targetResolutionAndQueue.ts';
import { chooseQueueMembersToOffer } from './chooseMembers.ts';
import {
  queueMemberStatsOf,
  type QueueLineContext,
  type QueueLineActionArgs,
  type QueueMemberStats,
} from './context.ts';

/** An offer that is not answered within this time was made to a call that is gone. */
const OFFER_MS = 180_000;
/** The longest talk; a call that holds a member longer is gone. */
const TALK_MS = 4 * 3_600_000;
/** The longest wait; a living caller gives up before. */
const WAIT_MS = 4 * 3_600_000;
/** A member that did not answer is left alone for a moment. */
const REST_MS = 5_000;

/** Something a call is told. */
export interface Told {
  call: number;
  event: QueueLineReplyToCall;
}

/** The line after a fact, and what it tells its callers. */
export const decideQueueLineStep = ({
  context,
  event,
}: QueueLineActionArgs): { next: QueueLineContext; told: Told[] } => {
  const told: Told[] = [];
  let next = expired(heard({ context, event }), event.at);
  for (const caller of next.waiting) {
    if (!next.active || next.offers.some(({ call }) => call === caller.call)) continue;
    const { chosen, seed } = chooseQueueMembersToOffer(next, event.at);
    if (chosen.length === 0) continue;
    const offers = chosen.map(({ member }) => ({ call: caller.call, member, until: event.at + OFFER_MS }));
    next = { ...next, seed, offers: [...next.offers, ...offers] };
    for (const { member, endpoint } of chosen)
      told.push({ call: caller.call, event: { type: 'memberOffered', line: next.id, member, endpoint } });
  }
  const turnedAway = next.waiting.filter((caller) => isTurnedAway(next, caller));
  for (const { call } of turnedAway) told.push({ call, event: { type: 'noneFree', line: next.id } });
  return { next: { ...next, waiting: next.waiting.filter((caller) => !turnedAway.includes(caller)) }, told };
};

/** A caller that does not wait, or waits at a closed line, is told so unless a member rings for it. */
const isTurnedAway = (
  context: QueueLineContext,
  { call, waits }: { call: number; waits: boolean },
): boolean => (!waits || !context.active) && !context.offers.some((offer) => offer.call === call);

/** What the fact itself changes. */
const heard = ({ context, event }: QueueLineActionArgs): QueueLineContext => {
  switch (event.type) {
    case 'callerJoined': {
      if (isKnown(context, event.call)) return context;
      const caller = { call: event.call, joinedAt: event.at, waits: event.waits };
      return { ...context, waiting: [...context.waiting, caller] };
    }
    case 'callerLeft':
      return withoutCall(context, event.call);
    case 'memberTaken': {
      const talk = { call: event.call, member: event.member, since: event.at };
      const rest = withoutCall(context, event.call);
      return standing({ ...rest, talks: [...rest.talks, talk] }, event.member, (before) => ({
        calls: before.calls + 1,
        lastAt: event.at,
        restUntil: 0,
      }));
    }
    case 'memberMissed':
      if (!context.offers.some(isPair(event))) return context;
      return resting(
        { ...context, offers: context.offers.filter(isNot(isPair(event))) },
        event.member,
        event.at,
      );
    case 'memberFreed':
      return { ...context, talks: context.talks.filter(isNot(isPair(event))) };
    case 'lineChanged':
      return changed(context, event);
    case 'lineRemoved':
      return { ...context, active: false, removed: true };
    default:
      // A timer: only time has passed.
      return context;
  }
};

const changed = (
  context: QueueLineContext,
  event: Extract<CallQueueEvent, { type: 'lineChanged' }>,
): QueueLineContext => {
  const { strategy, members, active } = event;
  const standings = Object.entries(context.standing).filter(([name]) =>
    members.some(({ member }) => member === name),
  );
  return {
    ...context,
    strategy,
    members,
    active: active && !context.removed,
    standing: Object.fromEntries(standings),
  };
};

type Pair = { call: number; member: string };
const isPair =
  (one: Pair) =>
  (other: Pair): boolean =>
    one.call === other.call && one.member === other.member;
const isNot =
  <Value>(question: (value: Value) => boolean) =>
  (value: Value): boolean =>
    !question(value);

const isKnown = (context: QueueLineContext, call: number): boolean =>
  [...context.waiting, ...context.talks].some((one) => one.call === call);

const withoutCall = (context: QueueLineContext, call: number): QueueLineContext => ({
  ...context,
  waiting: context.waiting.filter((one) => one.call !== call),
  offers: context.offers.filter((one) => one.call !== call),
  talks: context.talks.filter((one) => one.call !== call),
});

const standing = (
  context: QueueLineContext,
  member: string,
  change: (before: QueueMemberStats) => QueueMemberStats,
): QueueLineContext => ({
  ...context,
  standing: { ...context.standing, [member]: change(queueMemberStatsOf(context, member)) },
});

const resting = (context: QueueLineContext, member: string, at: number): QueueLineContext =>
  standing(context, member, (before) => ({ ...before, restUntil: at + REST_MS }));

/** Calls that have not been heard of for too long are gone: what they held is free. */
const expired = (context: QueueLineContext, at: number): QueueLineContext => {
  const gone = new Set([
    ...context.offers.filter(({ until }) => until <= at).map(({ call }) => call),
    ...context.talks.filter(({ since }) => since + TALK_MS <= at).map(({ call }) => call),
    ...context.waiting.filter(({ joinedAt }) => joinedAt + WAIT_MS <= at).map(({ call }) => call),
  ]);
  let next = context;
  for (const call of gone) next = withoutCall(next, call);
  return next;
};

/** When something must be looked at again though no fact came; Infinity: never. */
export const nextQueueLineCheckAt = (context: QueueLineContext, at: number): number => {
  const rests = Object.values(context.standing).map(({ restUntil }) => restUntil);
  return Math.min(
    ...context.offers.map(({ until }) => until),
    ...context.talks.map(({ since }) => since + TALK_MS),
    ...context.waiting.map(({ joinedAt }) => joinedAt + WAIT_MS),
    ...(context.waiting.length > 0 ? rests.filter((until) => until > at) : []),
  );
};
