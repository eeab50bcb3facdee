/** Why a machine waits, or did not do what one might have expected; as data, and as sentences for people. */
import type { Explanation, Kind } from '../../machines/kind.ts';
import type { MachineView } from '../engine/verbs.ts';
import { writeCallId } from '../wire/callId.ts';
import { outcomeSentence } from './outcome.ts';

export interface ExplainAnswer {
  id: string;
  kind: string;
  state: string;
  ended: boolean;
  /** Rules that refused, postponed or retried something, oldest first. `open`: still holds. */
  reasons: (Explanation & { open: boolean })[];
  /** What the machine waits for now, earliest first. */
  waitsFor: { what: 'timer' | 'effect'; id: string; name: string; until: number; tries?: number }[];
  attention: string | null;
  sentences: string[];
}

/** `now`: epoch milliseconds. */
export const explain = (view: MachineView, kind: Kind | undefined, now: number): ExplainAnswer => {
  const ended = view.endedAt !== null;
  const outcome = ended && kind?.record && outcomeSentence(kind.record.life(view.context, view.state));
  const said = kind?.explain?.(view.context) ?? [];
  const reasons = said.map((reason) => ({ ...reason, open: !ended && (reason.until ?? Infinity) > now }));
  const waitsFor = view.agenda.map(({ what, id, name, dueAt, tries }) => ({
    what,
    id,
    name: what === 'timer' ? timerName(name) : name,
    until: dueAt,
    ...(tries !== undefined && { tries }),
  }));
  return {
    id: writeCallId(view.shard, view.id),
    kind: view.kind,
    state: view.state,
    ended,
    reasons,
    waitsFor,
    attention: view.attention,
    sentences: [
      ended ? `It ended at ${when(view.endedAt!)} in ${view.state}.` : `It is in ${view.state}.`,
      ...(outcome ? [outcome] : []),
      ...reasons.map(reasonSentence),
      ...waitsFor.map(waitSentence),
      ...(view.attention ? [`Somebody should look: ${view.attention}.`] : []),
    ],
  };
};

const reasonSentence = ({ rule, detail, at, until }: Explanation): string =>
  `${when(at)}, ${rule}: ${detail}${until === undefined ? '' : `; until ${when(until)}`}.`;

/** The chart's own word for a delay: of `xstate.after.look.campaign.active` it is `look`. */
const timerName = (id: string): string => /^xstate\.after\.([^.]+)\./.exec(id)?.[1] ?? id;

/** `look`, `nextAttempt`, `ringGuard` as words. */
const spelled = (name: string): string => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

const waitSentence = ({ what, name, until, tries }: ExplainAnswer['waitsFor'][number]): string =>
  what === 'timer'
    ? `It waits for its timer "${spelled(name)}" at ${when(until)}.`
    : `It owes the effect ${name}${tries ? `, tried ${tries} times` : ''}, due ${when(until)}.`;

const when = (at: number): string => new Date(at).toISOString();
