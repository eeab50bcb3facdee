/**
 * Another trunk within the same attempt: where one refused the leg before it rang, the next that may carry it is asked for.
 * The attempt has one outcome, that of its last leg.
 */
import { type Outcome, outcomeOfCause } from '../contracts/endings.ts';
import type { ClearanceEffects } from '../contracts/clearance.ts';
import { explained, inDial, legOf, timeOf, type CallContext, type Scope, type Try } from './context.ts';
import type { CallEvent } from './events.ts';
import { questionAbout, trunkOf, withoutTrunk } from './legRequests.ts';
import { attemptOver, endedBy } from './outcome.ts';

/** An attempt is tried on so many trunks. */
const MOST_TRIES = 8;

/** The trunk refused the callee's leg, no telephone rang, and another trunk may carry it. */
export const mayReroute = ({ context, event }: Scope): boolean => {
  const { leg, failover, rangAt, cancelled, tries = [] } = context.dial;
  if (!failover || leg === 0 || legOf(event) !== leg) return false;
  if (rangAt > 0 || cancelled || context.turn?.over || tries.length + 1 >= MOST_TRIES) return false;
  return isRefusal(event, failover);
};

/** `unreachable` without a hang-up: the request for the leg was surely never sent, or was refused by the server. */
const isRefusal = (event: CallEvent, failover: readonly number[]): boolean => {
  if (event.type === 'originateFailed') return event.reason === 'unreachable';
  if (event.type !== 'hungUp' || event.lost || event.by === 'us') return false;
  const { sipStatus, cause } = event;
  return sipStatus > 0 ? failover.includes(sipStatus) : outcomeOfCause(cause) === 'congestion';
};

/** The leg is over and the attempt goes on. */
export const tried = (scope: Scope): Partial<CallContext> => {
  const { route, leg, dialedAt, tries = [] } = scope.context.dial;
  const { reason, cause, sipStatus } = endedBy(scope.event);
  const made: Try = { route, leg, dialedAt, endedAt: timeOf(scope), reason, cause, sipStatus };
  return {
    ...inDial(scope.context, { leg: 0, tries: [...tries, made] }),
    explanations: explained(scope.context, { rule: 'reroute', detail: refusalOf(made), at: made.endedAt }),
  };
};

const refusalOf = ({ route, sipStatus, cause }: Try): string => {
  if (sipStatus > 0) return `${route} answered ${sipStatus} before it rang`;
  return cause > 0 ? `${route} refused it before it rang (cause ${cause})` : `${route} could not dial it`;
};

/** May the same attempt dial on another trunk now? */
export const anotherTrunk = ({ context }: Scope): ClearanceEffects['requestClearance'] => ({
  ...questionAbout(context, context.dial.attempt),
  ...(context.dial.callerId !== undefined && { callerId: context.dial.callerId }),
  tried: (context.dial.tries ?? []).map(({ route }) => route),
});

/** The same attempt dials a leg on another trunk. */
export const rerouted = (scope: Scope): Partial<CallContext> => {
  const { context, event } = scope;
  const leg = context.lastLeg + 1;
  return {
    lastLeg: leg,
    dial: { ...withoutTrunk(context.dial), leg, ...trunkOf(event), dialedAt: timeOf(scope) },
  };
};

/** No other trunk carries it now: the attempt ended as its last leg did. */
export const triedOut = (scope: Scope): Partial<CallContext> => {
  const tries = scope.context.dial.tries ?? [];
  const last = tries.at(-1);
  if (!last) return {};
  const { route, dialedAt, reason, cause, sipStatus } = last;
  const ending = { outcome: reason as Outcome, reason, cause, sipStatus, lost: false };
  const { context } = scope;
  const before = { ...context, dial: { ...context.dial, route, dialedAt, tries: tries.slice(0, -1) } };
  return attemptOver({ ...scope, context: before }, ending);
};
