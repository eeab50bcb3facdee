/** Why a machine waits, or did not do what one might have expected; as data, and as sentences for people. */
import type { Explanation, Kind } from '../../machines/kind.ts';
import type { MachineView } from '../engine/verbs.ts';
import type { CallbackStanding } from '../store/reads/deliveryRecords.ts';
import { writeCallId } from '../wire/callId.ts';
import type { Language } from './explained/language.ts';
import { ruleWords } from './explained/rules.ts';
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
  /** A sandbox carries it; absent: none does, or none so far. */
  sandbox?: true;
  /** Of a call or message that somebody is told of: the delivery that brings its events. */
  callbacks?: Callbacks;
  sentences: string[];
}

export interface Callbacks {
  delivery_id: string;
  state: string;
  /** 0 pending, +attempts delivered, -attempts given up. */
  cd_returl: number;
  waiting: number;
  last_error: string;
}

/** What is known beside the machine, and for whom it is told. */
interface Told {
  held?: readonly Explanation[];
  language?: Language;
}

/** `now`: epoch milliseconds. `told`: how whoever wants to hear of it is told. */
export const explain = (
  view: MachineView,
  kind: Kind | undefined,
  now: number,
  told?: CallbackStanding,
  { held = [], language = 'en' }: Told = {},
): ExplainAnswer => {
  if (view.unborn) return explainUnborn(view);
  const ended = view.endedAt !== null;
  const record = kind?.record?.life(view.context, view.state);
  const outcome = ended && record && outcomeSentence(record, language);
  const sandbox = record !== undefined && isOfSandbox(record);
  const said = [...held, ...withoutPace(kind?.explain?.(view.context) ?? [], held)];
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
    ...(sandbox && { sandbox }),
    ...(told && { callbacks: callbacksOf(view.shard, told) }),
    sentences: [
      ended ? `It ended at ${when(view.endedAt!)} in ${view.state}.` : `It is in ${view.state}.`,
      ...(outcome ? [outcome] : []),
      ...(sandbox ? ['A sandbox has it: nobody outside is reached.'] : []),
      ...reasons.map((reason) => reasonSentence(reason, language)),
      ...waitsFor.map(waitSentence),
      ...(told ? [callbackSentence(told)] : []),
      ...(view.attention ? [`Somebody should look: ${view.attention}.`] : []),
    ],
  };
};

/** Whether a call or message, by its record, is carried by a sandbox. */
export const isOfSandbox = ({ sandbox, route }: Readonly<Record<string, unknown>>): boolean =>
  sandbox === true || route === 'sandbox';

/** An account that is switched off dials at no pace. */
const withoutPace = (said: Explanation[], held: readonly Explanation[]): Explanation[] =>
  held.length > 0 ? said.filter(({ rule }) => rule !== 'pace') : said;

/** Nothing was asked of its chart so far. */
const explainUnborn = ({ shard, id, kind, state, agenda, attention }: MachineView): ExplainAnswer => ({
  ...{ id: writeCallId(shard, id), kind, state, ended: false, reasons: [], attention },
  waitsFor: agenda.map(({ what, id: timer, name, dueAt }) => ({ what, id: timer, name, until: dueAt })),
  sentences: [unbornSentence(attention ?? '')],
});

/** Why a machine has not begun. `failure`: of its birth; empty: none. */
export const unbornSentence = (failure: string): string =>
  failure === ''
    ? 'It is written down, and is born when its process has time: a minute after that at the latest.'
    : `Its birth failed: ${failure}. It is tried again when the machine hears of something.`;

const callbacksOf = (
  shard: string,
  { id, state, result, waiting, last_error }: CallbackStanding,
): Callbacks => ({
  delivery_id: writeCallId(shard, id),
  ...{ state, cd_returl: result, waiting, last_error },
});

const callbackSentence = ({ state, target, attempts, waiting, last_error, next_at }: CallbackStanding) => {
  const behind = waiting > 0 ? `; ${waiting} more wait behind it` : '';
  switch (state) {
    case 'unborn':
      return `A callback to ${target} waits. ${unbornSentence(last_error)}`;
    case 'delivered':
      return `Its callbacks were delivered to ${target}, the last at attempt ${attempts}.`;
    case 'idle':
      return `Its callbacks so far were delivered to ${target}.`;
    case 'deadLetter':
      return `A callback to ${target} is a dead letter after attempt ${attempts} (${last_error})${behind}: replay it when the receiver is back.`;
    case 'givenUp':
      return `Its callbacks to ${target} were given up (${last_error}).`;
    default: {
      const why = last_error === '' ? '' : `, after ${last_error}`;
      const next = next_at === null ? '' : `, next at ${when(next_at)}`;
      return `A callback is on its way to ${target}, attempt ${Math.max(1, attempts)}${why}${next}${behind}.`;
    }
  }
};

/** Calls and campaigns are explained in the words of their rules; other machines by rule and detail, in English. */
const reasonSentence = ({ rule, detail, at, until }: Explanation, language: Language): string => {
  const words = ruleWords(rule);
  if (!words) return `${when(at)}, ${rule}: ${detail}${until === undefined ? '' : `; until ${when(until)}`}.`;
  const upTo = until === undefined ? '' : `; ${UNTIL[language]} ${when(until)}`;
  const says = language === 'en' ? detail : words.says.pt;
  return `${when(at)}: ${says}${upTo}.${words.todo ? ` ${words.todo[language]}` : ''}`;
};

const UNTIL = { en: 'until', pt: 'até' } as const;

/** The chart's own word for a delay: of `xstate.after.look.campaign.active` it is `look`. */
const timerName = (id: string): string => /^xstate\.after\.([^.]+)\./.exec(id)?.[1] ?? id;

/** `look`, `nextAttempt`, `ringGuard` as words. */
const spelled = (name: string): string => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

const waitSentence = ({ what, name, until, tries }: ExplainAnswer['waitsFor'][number]): string =>
  what === 'timer'
    ? `It waits for its timer "${spelled(name)}" at ${when(until)}.`
    : `It owes the effect ${name}${tries ? `, tried ${tries} times` : ''}, due ${when(until)}.`;

const when = (at: number): string => new Date(at).toISOString();
