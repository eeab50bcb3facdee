/** Why callers of a line wait. */
import type { Explanation } from '../../src/engine/contract/kind.ts';
import { queueMemberStatsOf, type QueueLineContext } from './context.ts';

/** One sentence a fact that keeps callers waiting. */
export const explainWaitingCallers = (context: QueueLineContext): Explanation[] => {
  const [first] = context.waiting;
  if (!first) return [];
  const resting = context.members.filter(
    ({ member }) => queueMemberStatsOf(context, member).restUntil > first.joinedAt,
  );
  const active = context.members.filter((member) => member.active).length;
  const detail =
    `${context.waiting.length} callers wait; of ${active} active members ` +
    `${new Set(context.talks.map(({ member }) => member)).size} talk, ` +
    `${new Set(context.offers.map(({ member }) => member)).size} are rung, ${resting.length} missed a call`;
  return [{ rule: 'line', detail, at: first.joinedAt }];
};
