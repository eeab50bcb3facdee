/** Why a machine waits, or did not do what one might have expected; as data, and as sentences for people. */
import type { Explanation, Kind } from '../engine/contract/kind.ts';
import type { MachineView } from '../engine/contract/api.ts';
import type { CallbackDeliveryRow } from '../store/reads/deliveries/deliveryRecords.ts';
import { formatLocalDateTime } from '../lib/formatLocalDateTime.ts';
import { isSandboxTrunk } from '../rules/trunks/trunkTypes.ts';
import { writeCallId } from '../wire/callId.ts';
import { machineNotBegunSentence } from './explained/callbackAndUnstartedSentences.ts';
import type { Language } from './explained/language.ts';
import { writeMachineStatusSentences } from './explained/machineStatusSentences.ts';
import { callOutcomeSentence } from './callOutcomeSentence.ts';

export interface MachineExplanation {
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
  /** Of a call or message with a callback address: the delivery that brings its events. */
  callbacks?: CallbackDeliverySummary;
  sentences: string[];
}

export interface CallbackDeliverySummary {
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
  /** Of all moments in the sentences: IANA name. */
  zone?: string;
}

/** `now`: epoch milliseconds. `told`: how the receiver of its events is told. */
export const explainMachine = (
  view: MachineView,
  kind: Kind | undefined,
  now: number,
  told?: CallbackDeliveryRow,
  { held = [], language = 'en', zone = 'UTC' }: Told = {},
): MachineExplanation => {
  if (view.pending) return explainPending(view, language);
  const ended = view.endedAt !== null;
  const record = kind?.record?.onUpdate(view.context, view.state);
  // A call that has ended may still wait for an answer to what it asked last.
  const isOver = ended || view.state === 'ended';
  const outcome = isOver && record ? callOutcomeSentence(record, language) : undefined;
  const sandbox = record !== undefined && isRecordCarriedBySandbox(record);
  const said = [...held, ...withoutPace(kind?.explain?.(view.context) ?? [], held)];
  const reasons = said.map((reason) => ({ ...reason, open: !ended && holds(reason, view.state, now) }));
  const waitsFor = view.agenda.map(({ what, id, name, dueAt, tries }) => ({
    what,
    id,
    name: what === 'timer' ? timerName(name) : name,
    until: dueAt,
    ...(tries !== undefined && { tries }),
  }));
  const isHeld = held.length > 0;
  const story = { view, record, outcome, isOfSandbox: sandbox, reasons, isHeld, waitsFor, callbacks: told };
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
    sentences: writeMachineStatusSentences(story, language, {
      zone,
      when: (at) => formatLocalDateTime(at, zone),
    }),
  };
};

/** Whether a call or message, by its record, is carried by a sandbox. */
export const isRecordCarriedBySandbox = ({ sandbox, route }: Readonly<Record<string, unknown>>): boolean =>
  sandbox === true || (typeof route === 'string' && isSandboxTrunk(route));

/** What a call waited for before it was dialled anew, and does not while it rings or is spoken. */
const beforeDial = new Set(['late', 'reroute']);
const dialled = /^(dialing|checking|answered|closing|filing|settling|texting)/;

const holds = ({ rule, until }: Explanation, state: string, now: number): boolean =>
  until === undefined ? !(beforeDial.has(rule) && dialled.test(state)) : until > now;

/** An account that is switched off dials at no pace. */
const withoutPace = (said: Explanation[], held: readonly Explanation[]): Explanation[] =>
  held.length > 0 ? said.filter(({ rule }) => rule !== 'pace') : said;

/** Nothing was asked of its chart so far. */
const explainPending = (
  { shard, id, kind, state, agenda, attention }: MachineView,
  language: Language,
): MachineExplanation => ({
  ...{ id: writeCallId(shard, id), kind, state, ended: false, reasons: [], attention },
  waitsFor: agenda.map(({ what, id: timer, name, dueAt }) => ({ what, id: timer, name, until: dueAt })),
  sentences: [machineNotBegunSentence(attention ?? '', language)],
});

const callbacksOf = (
  shard: string,
  { id, state, result, waiting, last_error }: CallbackDeliveryRow,
): CallbackDeliverySummary => ({
  delivery_id: writeCallId(shard, id),
  ...{ state, cd_returl: result, waiting, last_error },
});

/** The chart's own word for a delay: of `xstate.after.look.campaign.active` it is `look`. */
const timerName = (id: string): string => /^xstate\.after\.([^.]+)\./.exec(id)?.[1] ?? id;
