/** What a call remembers between two facts. Plain JSON; 0 and '' stand for "none". */
import type { Explanation } from '../../src/engine/contract/kind.ts';
import type { LastAttemptOutcomeCode } from '../contracts/legOutcomeBySipAndCause.ts';
import type { LegTariff } from '../contracts/price.ts';
import type { LegDestination } from '../contracts/telephony.ts';
import type { CallMachineEvent } from './events.ts';
import type { CallInput, SecondLegTarget } from './input.ts';

export type { LastAttemptOutcomeCode } from '../contracts/legOutcomeBySipAndCause.ts';

/** A leg of an attempt that its trunk refused before it rang, so that the attempt went on with another. */
export interface LegRefusedByTrunk {
  route: string;
  leg: number;
  dialedAt: number;
  endedAt: number;
  reason: string;
  cause: number;
  sipStatus: number;
}

/** One dial that is over. */
export interface DialAttempt {
  attempt: number;
  /** The number dialled, when the person has several. */
  number?: string;
  route: string;
  /** The caller id that a pool chose; absent: the call's own was shown. */
  callerId?: string;
  /** What its trunk asked for it, ten-thousandths of the currency; absent: the trunk had no price for the number. */
  purchase?: number;
  dialedAt: number;
  rangAt: number;
  answeredAt: number;
  endedAt: number;
  status: LastAttemptOutcomeCode;
  reason: string;
  cause: number;
  sipStatus: number;
  /** Trunks that refused it before; absent: none. */
  tries?: LegRefusedByTrunk[];
}

/** A second leg that is ringing or up. */
export interface SecondLeg {
  leg: number;
  /** The line that offered it, or 0. */
  line: number;
  member: string;
  /** A number, which goes by the trunk of the callee's leg. */
  byTrunk?: true;
}

/** What is being heard, or was last. */
export type PlayingPromptKind =
  | 'opening'
  | 'slot'
  | 'noDigit'
  | 'wrong'
  | 'ending'
  | 'machine'
  /** Validation: asks for the digits; they match; the callee did not confirm; no digit came. */
  | 'code'
  | 'match'
  | 'notConfirmed'
  | 'unconfirmed'
  /** Before a transfer, and when it was not answered. */
  | 'beforeTransfer'
  | 'nobody';

/** The current attempt, or the last one. */
export interface DialState {
  attempt: number;
  /** Questions to call admission so far: its answers name the one they belong to. Absent: none was numbered yet. */
  question?: number;
  /** The callee's leg while it lives. */
  leg: number;
  route: string;
  /** Final SIP answers after which another trunk is tried; absent: there is no other. */
  failover?: readonly number[];
  /** The caller id that a pool chose; absent: the call's own is shown. */
  callerId?: string;
  /** What the trunk asks; absent: it has no price for the number. */
  price?: LegTariff;
  /** Trunks that refused this attempt; absent: none. */
  tries?: LegRefusedByTrunk[];
  /** Of the leg that was dialled last. */
  dialedAt: number;
  rangAt: number;
  answeredAt: number;
  endedAt: number;
  /** We hang up because an operator or the campaign ordered it. */
  cancelled: boolean;
  /** The leg vanished, or was given up: it may still ring, or be up, somewhere. */
  lost: boolean;
  status: LastAttemptOutcomeCode;
  reason: string;
  cause: number;
  sipStatus: number;
}

/** What was said and pressed. */
export interface CallIvrState {
  answeredBy: 'MA' | 'HM' | 'ND';
  /** Playbacks so far; they are numbered over the whole life of a call. */
  plays: number;
  cue: PlayingPromptKind;
  slot: number;
  digits: string;
  responses: string[];
  /** Times the callee was told of a missing or wrong digit. */
  misses: number;
  replays: number;
  smsDigitPressed: boolean;
}

/** The second leg, from the wish for one on. */
export interface SecondLegState {
  target: SecondLegTarget | null;
  /** Times it was asked where a second leg goes: answers name the question they belong to. Absent: never, or unnumbered. */
  question?: number;
  endpoint: LegDestination | null;
  /** The line we wait in, or whose member we talk with. */
  line: number;
  /** When the wait is over. */
  until: number;
  legs: SecondLeg[];
  /** The leg in the bridge. */
  partner: number;
  transferTo: string;
  transferredAt: number;
}

/** What was told of a call. */
export interface CallbackEventsToldCounts {
  events: number;
  /** Responses of the callee that an event told of. */
  responses: number;
}

/** Where a campaign call stands with its campaign. */
export interface CallTurnInCampaign {
  stage: 'idle' | 'wanted' | 'granted' | 'dialling' | 'up';
  /** When it came there, epoch milliseconds. */
  since: number;
  /** The number of its last question to the campaign; a grant for another is not its own. Absent: 0, none yet. */
  ask?: number;
  /** Why no further attempt follows; empty: nothing forbids one. */
  over: string;
}

export interface CallContext {
  id: number;
  call: CallInput;
  bornAt: number;
  /** Audio of the texts in the order of `textsOf(call)`, when it was made, and how often it was asked for in vain. */
  audio: { made: { media: string; seconds: number }[]; at: number; asks: number };
  /**
   * No dial before `notBefore`, no attempt after `until`; both move on by whole days while nothing was tried.
   * `resumeAt`: when a postponed or failed call goes on.
   */
  plan: { notBefore: number; until: number; resumeAt: number };
  explanations: Explanation[];
  /** Attempts that are over. */
  attempts: DialAttempt[];
  /** Legs are numbered over the whole life of the call, never twice. */
  lastLeg: number;
  dial: DialState;
  talk: CallIvrState;
  second: SecondLegState | null;
  recording: { name: string; open: boolean; media: string; seconds: number } | null;
  smsId: string;
  /** Of a campaign call. */
  turn?: CallTurnInCampaign;
  /** Of a call with a callback: what was told. */
  told?: CallbackEventsToldCounts;
}

/** Of a call that has not been dialled. */
export const INITIAL_DIAL_STATE: DialState = {
  attempt: 0,
  leg: 0,
  route: '',
  dialedAt: 0,
  rangAt: 0,
  answeredAt: 0,
  endedAt: 0,
  cancelled: false,
  lost: false,
  status: '',
  reason: '',
  cause: 0,
  sipStatus: 0,
};

/** What the engine gives a call at its start. */
export interface CallStartInput extends CallInput {
  at: number;
  id: number;
}

export const initialCallContext = ({ at, id, ...call }: CallStartInput): CallContext => ({
  id,
  call,
  bornAt: at,
  audio: { made: [], at: 0, asks: 0 },
  plan: { notBefore: call.schedule.notBefore ?? 0, until: call.schedule.until ?? 0, resumeAt: 0 },
  explanations: [],
  attempts: [],
  lastLeg: 0,
  dial: { ...INITIAL_DIAL_STATE },
  talk: {
    answeredBy: 'ND',
    plays: 0,
    cue: 'opening',
    slot: 0,
    digits: '',
    responses: [],
    misses: 0,
    replays: 0,
    smsDigitPressed: false,
  },
  second: null,
  recording: null,
  smsId: '',
  ...(call.campaign
    ? { turn: { stage: call.campaign.granted ? 'granted' : 'idle', since: at, over: '' } }
    : {}),
  ...(call.callback && { told: { events: 0, responses: 0 } }),
});

const NO_SECOND: SecondLegState = {
  target: null,
  endpoint: null,
  line: 0,
  until: 0,
  legs: [],
  partner: 0,
  transferTo: '',
  transferredAt: 0,
};

/** What is known of the second leg; all empty while none was asked for. */
export const secondLegInContext = (context: CallContext): SecondLegState => context.second ?? NO_SECOND;

/** A changed part of a group; the groups are small, the context is copied by XState. */
export const updateDialContext = (
  { dial }: CallContext,
  changes: Partial<DialState>,
): { dial: DialState } => ({
  dial: { ...dial, ...changes },
});
export const updateIvrState = (
  { talk }: CallContext,
  changes: Partial<CallIvrState>,
): { talk: CallIvrState } => ({
  talk: { ...talk, ...changes },
});
export const updateSecondLegContext = (
  context: CallContext,
  changes: Partial<SecondLegState>,
): { second: SecondLegState } => ({
  second: { ...secondLegInContext(context), ...changes },
});

/** The time of a fact. The first step has none of its own: it happens at birth. */
export const callEventTime = ({ context, event }: CallActionArgs): number =>
  (event as { at?: number }).at ?? context.bornAt;

/** The leg a fact or a failed effect is about; 0 when it names none. */
export const eventLegNumber = (event: CallMachineEvent): number => {
  if ('leg' in event) return event.leg;
  const params = 'params' in event ? (event.params as { leg?: unknown }) : {};
  return typeof params?.leg === 'number' ? params.leg : 0;
};

/** The question that an answer of call admission belongs to; undefined when it names none. */
export const questionOfClearanceAnswer = (event: CallMachineEvent): number | undefined => {
  const named = 'question' in event ? event : 'params' in event ? event.params : {};
  return 'question' in named && typeof named.question === 'number' ? named.question : undefined;
};

/** Legs that may be up. */
export const liveLegNumbers = (context: CallContext): number[] => {
  const seconds = secondLegInContext(context).legs.map(({ leg }) => leg);
  return context.dial.leg ? [context.dial.leg, ...seconds] : seconds;
};

/** Explanations kept with a call; older ones stand in its history. */
const EXPLANATIONS = 8;

/** The explanations with one more. One that is said again takes the place of its like. */
export const addCallExplanation = (
  { explanations }: CallContext,
  explanation: Explanation,
): Explanation[] => {
  const last = explanations.at(-1);
  const isAgain = last?.rule === explanation.rule && last.detail === explanation.detail;
  return [...(isAgain ? explanations.slice(0, -1) : explanations).slice(1 - EXPLANATIONS), explanation];
};

/** What guards, delays and params are given. */
export interface CallActionArgs {
  context: CallContext;
  event: CallMachineEvent;
}
