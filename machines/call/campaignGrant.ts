/**
 * A call of a campaign waits for its turn: every attempt needs a grant, and every number has one live call at most
 * (spec 4.3; the contract in `contracts/campaign.ts`). Calls without a campaign have no turn, and nothing here happens.
 */
import type { Explanation } from '../../src/engine/contract/kind.ts';
import type { CallToCampaignEvent } from '../contracts/campaign.ts';
import {
  addCallExplanation,
  updateDialContext,
  callEventTime,
  type CallContext,
  type CallTurnInCampaign,
  type CallActionArgs,
} from './context.ts';
import { computeMaxLegSeconds } from './startAttemptsAndLegs.ts';
import { lastDialledNumber } from './numbers.ts';
import { endCallWithoutDialing } from './attemptEndAndRetry.ts';
import { tellMachineEffect, type CallEffectRequest } from './hangUpAndQueueEffects.ts';

/**
 * The claim on a number outlives the longest leg by this much: it is given back by the call, not by the clock. A dial may
 * leave half a minute after its step, and clocks may be set meanwhile (decisions 0005 and 0023).
 */
const CLAIM_SLACK_MS = 300_000;
/** Another call to the number is looked for again after this long. */
const BUSY_NUMBER_MS = 30_000;

const askOf = ({ turn }: CallContext): number => turn?.ask ?? 0;

const isDialled = (turn: CallTurnInCampaign): boolean => turn.stage === 'dialling' || turn.stage === 'up';

const keyOf = (context: CallContext): string => `live:${lastDialledNumber(context)}`;

const report = ({ call, id }: CallContext, word: (id: number) => CallToCampaignEvent): CallEffectRequest[] =>
  call.campaign ? [tellMachineEffect(call.campaign.id, word(id))] : [];

// ------------------------------------------------------------ what is asked and told

export const tellCampaignAttemptWanted = ({ context }: CallActionArgs): CallEffectRequest[] =>
  report(context, (call) => ({
    type: 'attemptWanted',
    call,
    region: context.call.campaign?.region ?? '',
    ask: askOf(context),
  }));

/** The number is claimed as it is dialled; when another call holds it, neither happens. */
export const claimDialledNumber = (scope: CallActionArgs): CallEffectRequest[] => {
  const { context } = scope;
  if (!context.turn) return [];
  const untilMs = callEventTime(scope) + computeMaxLegSeconds(context.call) * 1_000 + CLAIM_SLACK_MS;
  const { attempt } = context.dial;
  return [
    { type: 'claim', params: { key: keyOf(context), untilMs } },
    ...report(context, (call) => ({ type: 'attemptBegun', call, attempt, ask: askOf(context) })),
  ];
};

/** The attempt is over. A leg that was lost may still ring or be up: its number stays claimed until it cannot be. */
export const releaseDialledNumber = ({ context }: CallActionArgs): CallEffectRequest[] =>
  context.turn && isDialled(context.turn) && !context.dial.lost
    ? [{ type: 'release', params: { key: keyOf(context) } }]
    : [];

/** A grant that is not going to be used now is given back. */
export const tellCampaignGrantDropped = ({ context }: CallActionArgs): CallEffectRequest[] =>
  context.turn?.stage === 'granted' ? dropped(context, askOf(context)) : [];

const dropped = (context: CallContext, ask: number): CallEffectRequest[] =>
  report(context, (call) => ({ type: 'attemptDropped', call, ask }));

/** A grant comes that it did not wait for, or not any more: it counts until the campaign hears that. */
export const tellCampaignGrantUnused = ({ context, event }: CallActionArgs): CallEffectRequest[] => {
  if (event.type !== 'attemptGranted' || event.ask === undefined) return [];
  return isInUse(context, event.ask) ? [] : dropped(context, event.ask);
};

/** The campaign asks what became of a grant. */
export const answerGrantInquiryOfCampaign = ({ context, event }: CallActionArgs): CallEffectRequest[] => {
  if (event.type !== 'attemptAwaited' || event.ask === undefined) return [];
  const { ask } = event;
  if (!isInUse(context, ask)) return dropped(context, ask);
  return report(context, (call) => ({ type: 'attemptHeld', call, ask }));
};

/** Whether it waits to dial on the grant for this question, or dials on it. */
const isInUse = (context: CallContext, ask: number): boolean => {
  const { turn } = context;
  return turn !== undefined && ask === askOf(context) && (turn.stage === 'granted' || isDialled(turn));
};

/** The attempt that was begun was not made, and the call asks for its turn again. */
export const tellCampaignAttemptUndone = ({ context }: CallActionArgs): CallEffectRequest[] => {
  const { attempt } = context.dial;
  return context.turn?.stage === 'dialling'
    ? report(context, (call) => ({ type: 'attemptUndone', call, attempt }))
    : [];
};

export const tellCampaignCallAnswered = ({ context }: CallActionArgs): CallEffectRequest[] =>
  report(context, (call) => ({ type: 'callAnswered', call }));

/** Told once, however often it is passed on. */
export const tellCampaignCallTransferred = ({ context }: CallActionArgs): CallEffectRequest[] =>
  context.second?.transferredAt ? [] : report(context, (call) => ({ type: 'callTransferred', call }));

/** The second leg answered and could not be bridged. */
export const tellCampaignTransferUndone = ({ context }: CallActionArgs): CallEffectRequest[] =>
  context.second?.transferredAt ? report(context, (call) => ({ type: 'transferUndone', call })) : [];

export const tellCampaignAttemptEnded = ({ context }: CallActionArgs): CallEffectRequest[] =>
  report(context, (call) => ({ type: 'attemptEnded', call }));

/** Its last word. That it was answered may have come out only as it ended: `answered` was lost on the way. */
export const tellCampaignCallEnded = (scope: CallActionArgs): CallEffectRequest[] => {
  const { context } = scope;
  const { turn, dial } = context;
  if (!turn) return [];
  const isAnsweredUnheard = turn.stage === 'dialling' && dial.answeredAt > 0;
  const stage = isAnsweredUnheard ? 'up' : turn.stage;
  const was = stage === 'dialling' || stage === 'up' ? stage : 'idle';
  return [
    ...(isAnsweredUnheard ? tellCampaignCallAnswered(scope) : []),
    ...report(context, (call) => ({ type: 'callEnded', call, was })),
  ];
};

// ------------------------------------------------------------ what is noted

export const assignCallTurnStage = (
  scope: CallActionArgs,
  stage: CallTurnInCampaign['stage'],
): Partial<CallContext> => {
  const { turn } = scope.context;
  return turn ? { turn: { ...turn, stage, since: callEventTime(scope) } } : {};
};

/** It asks anew: what was said to an earlier question does not count any more. */
export const assignNextTurnRequest = ({ context }: CallActionArgs): Partial<CallContext> =>
  context.turn ? { turn: { ...context.turn, ask: askOf(context) + 1 } } : {};

/** It said that it will not dial on the grant for this question, and never will. */
export const assignTurnRequestAfterUnusedGrant = (scope: CallActionArgs): Partial<CallContext> => {
  const { context, event } = scope;
  const ask = 'ask' in event ? event.ask : undefined;
  return ask === askOf(context) && !isInUse(context, ask) ? assignNextTurnRequest(scope) : {};
};

/** Whether the campaign's word is about the question asked last. */
export const isAboutLastTurnRequest = ({ context, event }: CallActionArgs): boolean => {
  const ask = 'ask' in event ? event.ask : undefined;
  return ask === undefined || ask === askOf(context);
};

const waitsUntil = (
  { context }: CallActionArgs,
  why: Explanation & { until: number },
): Partial<CallContext> => ({
  plan: { ...context.plan, resumeAt: why.until },
  explanations: addCallExplanation(context, why),
});

/** The campaign says when to ask again, and why not now. */
export const assignAttemptDeferred = (scope: CallActionArgs): Partial<CallContext> => {
  const { event } = scope;
  if (event.type !== 'attemptDeferred') return {};
  const { reason: rule, detail, until } = event;
  return {
    ...assignCallTurnStage(scope, 'idle'),
    ...waitsUntil(scope, { rule, detail, at: callEventTime(scope), until }),
  };
};

/** Another call is live to the number. */
export const assignNumberHeldByOtherCall = (scope: CallActionArgs): Partial<CallContext> => {
  const at = callEventTime(scope);
  const holder = scope.event.type === 'claimRefused' ? scope.event.owner : '';
  const detail = `another call (${holder}) is live to the same number`;
  return waitsUntil(scope, { rule: 'busyNumber', detail, at, until: at + BUSY_NUMBER_MS });
};

/** The campaign is over: what is tried already keeps its outcome, and no attempt follows. */
export const assignCampaignOver = (scope: CallActionArgs): Partial<CallContext> => {
  const { context, event } = scope;
  if (event.type !== 'campaignOver' || !context.turn || context.turn.over) return {};
  const { reason } = event;
  const detail = `${OVER[reason]}: no further attempt`;
  return {
    turn: { ...context.turn, over: reason },
    explanations: addCallExplanation(context, { rule: reason, detail, at: callEventTime(scope) }),
  };
};

/** It was never dialled, and never will be. */
export const assignCampaignOverBeforeDial = (scope: CallActionArgs): Partial<CallContext> =>
  scope.event.type === 'campaignOver'
    ? endCallWithoutDialing(scope, scope.event.reason, OVER[scope.event.reason])
    : {};

const OVER = {
  limitReached: 'the campaign has as many answered calls as it wanted',
  expired: 'the last day of the campaign is over',
  cancelled: 'the campaign was cancelled',
} as const;

/** An operator ends a call whose legs go down already: what was answered stands, and no attempt follows. */
export const assignStoppedByOperator = ({ context }: CallActionArgs): Partial<CallContext> => {
  const { leg, answeredAt, reason } = context.dial;
  return updateDialContext(context, { cancelled: true, reason: leg && !answeredAt ? 'cancelled' : reason });
};

/** Why it waits, when no word of the campaign says so yet. */
export const explainCallWaitingForCampaignTurn = ({ call, turn }: CallContext): Explanation[] =>
  turn?.stage === 'wanted' && call.campaign
    ? [
        {
          rule: 'turn',
          detail: `the call waits for its turn in campaign ${call.campaign.id}`,
          at: turn.since,
        },
      ]
    : [];
