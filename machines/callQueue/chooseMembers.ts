/** Whom a caller is offered: strategies over the members that are free (spec 2.7; decisions "FI leg"). */
import type { CallQueueMember } from '../contracts/targetResolutionAndQueue.ts';
import { queueMemberStatsOf, type QueueLineContext } from './context.ts';

/** Most members that ring for one caller at a time. */
const RING_AT_ONCE = 8;

/** Members to offer now, and the next state of the sequence. Empty: no member is free. */
export const chooseQueueMembersToOffer = (
  context: QueueLineContext,
  at: number,
): { chosen: CallQueueMember[]; seed: number } => {
  const free = context.members.filter((member) => isFree(context, member, at));
  const penalty = Math.min(...free.map((member) => member.penalty));
  const class_ = free.filter((member) => member.penalty === penalty);
  if (class_.length === 0) return { chosen: [], seed: context.seed };
  const by = (value: (member: CallQueueMember) => number): CallQueueMember[] =>
    class_.toSorted((one, other) => value(one) - value(other)).slice(0, 1);
  switch (context.strategy) {
    case 'ringall':
      return { chosen: class_.slice(0, RING_AT_ONCE), seed: context.seed };
    case 'leastrecent':
      return {
        chosen: by((member) => queueMemberStatsOf(context, member.member).lastAt),
        seed: context.seed,
      };
    case 'fewestcalls':
      return { chosen: by((member) => queueMemberStatsOf(context, member.member).calls), seed: context.seed };
    case 'random': {
      const seed = following(context.seed);
      return { chosen: [class_[seed % class_.length]!], seed };
    }
  }
};

const isFree = (
  context: QueueLineContext,
  { member, active, capacity }: CallQueueMember,
  at: number,
): boolean => {
  if (!active || queueMemberStatsOf(context, member).restUntil > at) return false;
  const held = [...context.talks, ...context.offers].filter((one) => one.member === member).length;
  return held < capacity;
};

/** Park and Miller's minimal standard generator: exact in doubles. */
const following = (seed: number): number => (seed * 16_807) % 2_147_483_647;
