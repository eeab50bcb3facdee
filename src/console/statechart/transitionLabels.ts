/** Words on lines: `played +2`, `digitReceived: done, hangUp`. What does not fit is cut; the whole is in the data. */
import type { StatechartTransition } from './statechartData.ts';
import { groupBy } from './groupBy.ts';
import type { Hop } from './hop.ts';

/** Characters of a label. */
const LONGEST = 24;
/** Guards that a label names; more are `…`. */
const MOST_GUARDS = 2;

/** The label of transitions between the same two stations. */
export const transitionLabel = (hops: readonly Hop[], isForked: SeveralTargetsPredicate): string => {
  const isAnswer = hops[0]!.from.startsWith('answers:');
  const leadsToAnswers = hops[0]!.to.startsWith('answers:');
  const guardsByEvent = new Map<string, Set<string>>();
  for (const { transition } of hops) {
    const event = isAnswer ? '' : transition.label;
    const guards = guardsByEvent.get(event) ?? new Set<string>();
    if (event === '') guards.add(transition.guard || 'else');
    else if (!leadsToAnswers && transition.guard && isForked(transition)) guards.add(transition.guard);
    guardsByEvent.set(event, guards);
  }
  const [first, ...rest] = [...guardsByEvent].map(words);
  const more = rest.length > 0 ? ` +${rest.length}` : '';
  return cut(first!, LONGEST - more.length) + more;
};

/** Whether a transition's event leads its state to several others: then the guard tells which way. */
export type SeveralTargetsPredicate = (transition: StatechartTransition) => boolean;

export const eventsLeadingToDifferentStates = (
  transitions: readonly StatechartTransition[],
): SeveralTargetsPredicate => {
  const alike = groupBy(transitions, eventOf);
  const forked = new Set(
    [...alike].filter(([, some]) => new Set(some.map(({ to }) => to)).size > 1).map(([event]) => event),
  );
  return (transition) => forked.has(eventOf(transition));
};

const eventOf = ({ from, event }: StatechartTransition): string => `${from} ${event}`;

const words = ([event, guards]: [string, Set<string>]): string => {
  const named = [...guards].slice(0, MOST_GUARDS).join(', ') + (guards.size > MOST_GUARDS ? '…' : '');
  if (event === '') return named;
  return guards.size === 0 || guards.size > MOST_GUARDS ? event : `${event}: ${named}`;
};

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
