/** What a call remembers between two facts. Plain JSON; 0 and '' stand for "none". */
import type { Explanation } from '../kind.ts';
import type { Endpoint } from '../vocabulary/telephony.ts';
import type { CallEvent, Scope } from './events.ts';
import type { CallInput, LegTarget } from './input.ts';

/** spec 2.1 `cd_status`; empty until an attempt ended. */
export type Status = '' | 'OK' | 'BUSY' | 'NOANSWER' | 'CANCEL' | 'CONGESTION' | 'CHANUNAVAIL';

/** One dial that is over. */
export interface Attempt {
  attempt: number;
  route: string;
  dialedAt: number;
  rangAt: number;
  answeredAt: number;
  endedAt: number;
  status: Status;
  reason: string;
  cause: number;
  sipStatus: number;
}

/** A second leg that is ringing or up. */
export interface SecondLeg {
  leg: number;
  /** The line that offered it, or 0. */
  line: number;
  member: string;
}

/** What is being heard, or was last. */
export type Cue = 'opening' | 'slot' | 'noDigit' | 'wrong' | 'ending' | 'machine';

export interface CallContext {
  id: number;
  call: CallInput;
  bornAt: number;

  /** Audio of the texts, in the order of `textsOf(call)`, and when it was made. */
  audio: { media: string; seconds: number }[];
  audioAt: number;
  /** Unanswered questions in a row (audio). */
  asks: number;

  /** Do not dial before; no attempt after. They move on by whole days while nothing was tried. */
  notBefore: number;
  until: number;
  /** When a postponed or failed call goes on. */
  resumeAt: number;
  explanations: Explanation[];

  attempt: number;
  attempts: Attempt[];
  /** Legs are numbered over the whole life of the call, never twice. */
  lastLeg: number;
  /** The callee's leg while it lives. */
  leg: number;
  route: string;
  dialedAt: number;
  rangAt: number;
  answeredAt: number;
  endedAt: number;
  /** We hang up because somebody said so. */
  cancelled: boolean;
  /** The last attempt's leg vanished before it was answered: it may still ring somewhere. */
  lost: boolean;

  answeredBy: 'MA' | 'HM' | 'ND';
  plays: number;
  cue: Cue;
  slot: number;
  digits: string;
  responses: string[];
  /** Times the callee was told of a missing or wrong digit. */
  misses: number;
  replays: number;
  smsDigitPressed: boolean;

  target: LegTarget | null;
  endpoint: Endpoint | null;
  line: number;
  lineUntil: number;
  seconds: SecondLeg[];
  /** The second leg in the bridge. */
  partner: number;
  transferTo: string;
  transferredAt: number;

  recording: { name: string; open: boolean; media: string; seconds: number } | null;
  smsId: string;

  status: Status;
  reason: string;
  cause: number;
  sipStatus: number;
}

/** What the engine gives a call at its start. */
export interface CallBirth extends CallInput {
  at: number;
  id: number;
}

export const newContext = ({ at, id, ...call }: CallBirth): CallContext => ({
  id,
  call,
  bornAt: at,
  audio: [],
  audioAt: 0,
  asks: 0,
  notBefore: call.schedule.notBefore ?? 0,
  until: call.schedule.until ?? 0,
  resumeAt: 0,
  explanations: [],
  attempt: 0,
  attempts: [],
  lastLeg: 0,
  leg: 0,
  route: '',
  dialedAt: 0,
  rangAt: 0,
  answeredAt: 0,
  endedAt: 0,
  cancelled: false,
  lost: false,
  answeredBy: 'ND',
  plays: 0,
  cue: 'opening',
  slot: 0,
  digits: '',
  responses: [],
  misses: 0,
  replays: 0,
  smsDigitPressed: false,
  target: null,
  endpoint: null,
  line: 0,
  lineUntil: 0,
  seconds: [],
  partner: 0,
  transferTo: '',
  transferredAt: 0,
  recording: null,
  smsId: '',
  status: '',
  reason: '',
  cause: 0,
  sipStatus: 0,
});

/** The time of a fact. The first step has none of its own: it happens at birth. */
export const timeOf = ({ context, event }: Scope): number => (event as { at?: number }).at ?? context.bornAt;

/** The leg a fact or a failed effect is about; 0 when it names none. */
export const legOf = (event: CallEvent): number => {
  if ('leg' in event) return event.leg;
  const params = 'params' in event ? (event.params as { leg?: unknown }) : {};
  return typeof params?.leg === 'number' ? params.leg : 0;
};

/** Legs that may be up. */
export const liveLegs = (context: CallContext): number[] => {
  const seconds = context.seconds.map((second) => second.leg);
  return context.leg ? [context.leg, ...seconds] : seconds;
};

/** Explanations kept with a call; older ones stand in its history. */
const EXPLANATIONS = 8;

/** The explanations with one more. */
export const explained = (context: CallContext, explanation: Explanation): Explanation[] => [
  ...context.explanations.slice(1 - EXPLANATIONS),
  explanation,
];
