/** The legs of a call: what is asked when one is opened, and what is kept of it. */
import type { TelephonyEffects } from '../contracts/telephony.ts';
import type { DialClearanceEffects } from '../contracts/clearance.ts';
import {
  addCallExplanation,
  updateDialContext,
  updateSecondLegContext,
  INITIAL_DIAL_STATE,
  secondLegInContext,
  callEventTime,
  type CallContext,
  type DialState,
  type SecondLeg,
  type CallActionArgs,
} from './context.ts';
import type { CallMachineEvent } from './events.ts';
import type { CallInput, SecondLegTarget } from './input.ts';
import { numberForAttempt, lastDialledNumber } from './numbers.ts';

/** The carrier's own safety net is wider than our timers by this much. */
const NET_SECONDS = 60;

/** A line takes an offer back after 180 s, and the caller's place with it: its member has been rung for less by then. */
const MEMBER_RINGS_AT_MOST_S = 150;

/** How long a leg of the call may be there, from its dial: the carrier ends it then. */
export const computeMaxLegSeconds = ({ ringSeconds, limitSeconds }: CallInput): number =>
  ringSeconds + limitSeconds + NET_SECONDS;

/** Call admission is asked anew, about this attempt as things are now. */
export const assignNextClearanceQuestion = ({ context }: CallActionArgs): Partial<CallContext> =>
  updateDialContext(context, { question: (context.dial.question ?? 0) + 1 });

/** May the next attempt dial now? */
export const nextAttemptClearanceParams = ({
  context,
}: CallActionArgs): DialClearanceEffects['requestClearance'] =>
  attemptClearanceParams(context, context.dial.attempt + 1);

/** What call admission is asked about an attempt, as things are now. */
export const attemptClearanceParams = (
  { call, dial: { question } }: CallContext,
  attempt: number,
): DialClearanceEffects['requestClearance'] => {
  const { numberLimit, audioLimit, ...policy } = call.policy;
  return {
    ...{ destination: numberForAttempt(call, attempt), attempt },
    ...(question !== undefined && { question }),
    ...{ priority: call.priority, customerCampaign: call.customerCampaign },
    ...policy,
    ...(call.campaign && { campaign: call.campaign.id }),
    ...(numberRestScope(call) !== '' && { restScope: numberRestScope(call) }),
    ...(numberLimit === undefined ? {} : { numberLimit }),
    ...(audioLimit === undefined ? {} : { audioLimit }),
    ...(call.callerId !== '' && { callerId: call.callerId }),
    ...(call.callerIdAsked && { callerIdAsked: true }),
    ...(call.fixedRoutes.length > 0 && { forcedRoutes: call.fixedRoutes }),
  };
};

/** For which calls a number rests: those of the campaign, or of the customer's campaign; empty: for none. */
export const numberRestScope = ({ campaign, customerCampaign }: CallInput): string => {
  if (campaign) return `campaign ${campaign.id}`;
  return customerCampaign === '' ? '' : `cpid ${customerCampaign}`;
};

/** The trunk that was granted, with what it asks, and the caller id that is shown on it. */
export const readClearedTrunk = (
  event: CallMachineEvent,
): Pick<DialState, 'route' | 'failover' | 'callerId' | 'price'> => {
  if (event.type !== 'cleared') return { route: '' };
  const { route, failover, callerId, price } = event;
  return {
    ...{ route, ...(failover && { failover }), ...(price && { price }) },
    ...(callerId !== undefined && { callerId }),
  };
};

/** The caller id that callees see: the pool's, or the call's own. */
export const shownCallerId = ({ call, dial }: CallContext): string => dial.callerId ?? call.callerId;

/** The dial as it was before a trunk was granted. */
export const dialBeforeTrunkGrant = ({
  failover: _failover,
  callerId: _callerId,
  price: _price,
  ...dial
}: DialState): DialState => dial;

const withoutTrunks = (dial: DialState): DialState => {
  const { tries: _tries, ...rest } = dialBeforeTrunkGrant(dial);
  return rest;
};

/** A new attempt begins: everything the last one left behind is put away. */
export const assignNewDialAttempt = (scope: CallActionArgs): Partial<CallContext> => {
  const { context, event } = scope;
  const leg = context.lastLeg + 1;
  const begun = {
    attempt: context.dial.attempt + 1,
    leg,
    ...readClearedTrunk(event),
    dialedAt: callEventTime(scope),
    rangAt: 0,
    answeredAt: 0,
    endedAt: 0,
    lost: false,
    status: '',
    reason: '',
    cause: 0,
    sipStatus: 0,
  } satisfies Partial<DialState>;
  return { lastLeg: leg, dial: { ...withoutTrunks(context.dial), ...begun } };
};

/** The leg never was: the same attempt dials another, from now on. */
export const assignNewLegOfSameAttempt = (scope: CallActionArgs): Partial<CallContext> => {
  const leg = scope.context.lastLeg + 1;
  return {
    lastLeg: leg,
    ...updateDialContext(scope.context, { leg, dialedAt: callEventTime(scope), rangAt: 0 }),
  };
};

/** The attempt was not made: all is as after the one before, and the next is this one again. */
export const assignAttemptUndone = (scope: CallActionArgs): Partial<CallContext> => {
  const { context } = scope;
  const { attempt } = context.dial;
  const detail = `attempt ${attempt} could not be dialled in time, and is asked for anew`;
  return {
    explanations: addCallExplanation(context, { rule: 'late', detail, at: callEventTime(scope) }),
    dial: {
      ...withoutTrunks(context.dial),
      ...endOfAttempt(context, attempt - 1),
      ...{ attempt: attempt - 1, leg: 0, lost: false },
    },
  };
};

const endOfAttempt = (
  { attempts, dial: { cancelled } }: CallContext,
  attempt: number,
): Partial<DialState> => {
  const made = attempts.findLast((one) => one.attempt === attempt);
  if (!made) return { ...INITIAL_DIAL_STATE, cancelled };
  const { number: _number, tries: _tries, purchase: _purchase, ...end } = made;
  return end;
};

export const originateCalleeParams = ({ context }: CallActionArgs): TelephonyEffects['originate'] => {
  const { call } = context;
  return {
    leg: context.dial.leg,
    to: { kind: 'number', number: lastDialledNumber(context) },
    callerId: shownCallerId(context),
    ringSeconds: call.ringSeconds,
    limitSeconds: computeMaxLegSeconds(call),
    answerSeconds: call.answerSeconds,
    attempt: context.dial.attempt,
    priority: call.priority,
    trunk: context.dial.route,
  };
};

/** A second leg is opened, to a member of a line or straight to the target. */
export const assignNewSecondLeg = ({ context, event }: CallActionArgs): Partial<CallContext> => {
  const leg = context.lastLeg + 1;
  const offered = event.type === 'memberOffered';
  const endpoint = 'endpoint' in event ? event.endpoint : secondLegInContext(context).endpoint;
  const second: SecondLeg = {
    ...{ leg, line: offered ? event.line : 0, member: offered ? event.member : '' },
    ...(endpoint?.kind === 'number' && { byTrunk: true }),
  };
  return {
    lastLeg: leg,
    ...updateSecondLegContext(context, { legs: [...secondLegInContext(context).legs, second], endpoint }),
  };
};

/** The second leg begun last. */
export const originateSecondLegParams = ({ context }: CallActionArgs): TelephonyEffects['originate'] => {
  const { call } = context;
  const { endpoint } = secondLegInContext(context);
  if (!endpoint) throw new Error('no endpoint for the second leg here');
  const toPerson = endpoint.kind === 'number' || endpoint.kind === 'chat';
  const isOffered = (findSecondLeg(context, context.lastLeg)?.line ?? 0) > 0;
  return {
    leg: context.lastLeg,
    to: endpoint.kind === 'websocket' ? { ...endpoint, hello: helloOf(context) } : endpoint,
    // The telephone network takes only numbers of the account; our own agents want to see who is there.
    callerId: toPerson ? shownCallerId(context) : lastDialledNumber(context),
    ringSeconds: isOffered ? Math.min(call.ringSeconds, MEMBER_RINGS_AT_MOST_S) : call.ringSeconds,
    limitSeconds: computeMaxLegSeconds(call),
    onBehalfOf: context.dial.leg,
    attempt: context.dial.attempt,
    priority: call.priority,
    // The two legs meet in one server.
    trunk: context.dial.route,
  };
};

/** First text frame for a realtime agent; the provider adds `cd_id`. */
const helloOf = (context: CallContext): Record<string, unknown> => ({
  ctid: context.call.correlation,
  destination: lastDialledNumber(context),
  placeholders: context.call.placeholders,
});

/** The second leg a fact or failed effect is about. */
export const findSecondLeg = (context: CallContext, leg: number): SecondLeg | undefined =>
  secondLegInContext(context).legs.find((second) => second.leg === leg);

export const removeSecondLeg = (context: CallContext, leg: number): Partial<CallContext> => {
  const { legs, partner } = secondLegInContext(context);
  return updateSecondLegContext(context, {
    legs: legs.filter((second) => second.leg !== leg),
    partner: partner === leg ? 0 : partner,
  });
};

/** A target as the interface writes it (spec 4.2 `dest2`). */
export const formatLegTarget = (target: SecondLegTarget | null): string => {
  switch (target?.kind) {
    case 'number':
      return target.number;
    case 'chat':
      return `WA${target.number}`;
    case 'agent':
      return `RT${target.agent}`;
    case 'queue':
      return `FI${target.queue}`;
    case undefined:
      return '';
  }
};

/** Queues always wait; other second legs only with `fifo`. */
export const transferUsesQueue = (call: CallInput, target: SecondLegTarget | null): boolean =>
  call.waitInLine || target?.kind === 'queue';
