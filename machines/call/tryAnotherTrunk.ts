/**
 * Another trunk within the same attempt: where one refused the leg before it rang, the next that may carry it is asked for.
 * The attempt has one outcome, that of its last leg.
 */
import { type LegOutcome, outcomeOfCause } from '../contracts/legOutcomeBySipAndCause.ts';
import type { DialClearanceEffects } from '../contracts/clearance.ts';
import {
  addCallExplanation,
  updateDialContext,
  eventLegNumber,
  callEventTime,
  type CallContext,
  type CallActionArgs,
  type LegRefusedByTrunk,
} from './context.ts';
import type { CallMachineEvent } from './events.ts';
import { attemptClearanceParams, readClearedTrunk, dialBeforeTrunkGrant } from './startAttemptsAndLegs.ts';
import { endDialAttempt, legEndingFromEvent } from './attemptEndAndRetry.ts';

/** An attempt is tried on so many trunks. */
const MOST_TRIES = 8;

/** The trunk refused the callee's leg, no telephone rang, and another trunk may carry it. */
export const mayTryAnotherTrunk = ({ context, event }: CallActionArgs): boolean => {
  const { leg, failover, rangAt, cancelled, tries = [] } = context.dial;
  if (!failover || leg === 0 || eventLegNumber(event) !== leg) return false;
  if (rangAt > 0 || cancelled || context.turn?.over || tries.length + 1 >= MOST_TRIES) return false;
  return isRefusal(event, failover);
};

/** `unreachable` without a hang-up: the request for the leg was surely never sent, or was refused by the server. */
const isRefusal = (event: CallMachineEvent, failover: readonly number[]): boolean => {
  if (event.type === 'originateFailed') return event.reason === 'unreachable';
  if (event.type !== 'hungUp' || event.lost || event.by === 'us') return false;
  const { sipStatus, cause } = event;
  return sipStatus > 0 ? failover.includes(sipStatus) : outcomeOfCause(cause) === 'congestion';
};

/** The leg is over and the attempt goes on. */
export const assignTrunkRefused = (scope: CallActionArgs): Partial<CallContext> => {
  const { route, leg, dialedAt, tries = [] } = scope.context.dial;
  const { reason, cause, sipStatus } = legEndingFromEvent(scope.event);
  const made: LegRefusedByTrunk = {
    route,
    leg,
    dialedAt,
    endedAt: callEventTime(scope),
    reason,
    cause,
    sipStatus,
  };
  return {
    ...updateDialContext(scope.context, { leg: 0, tries: [...tries, made] }),
    explanations: addCallExplanation(scope.context, {
      rule: 'reroute',
      detail: refusalOf(made),
      at: made.endedAt,
    }),
  };
};

const refusalOf = ({ route, sipStatus, cause }: LegRefusedByTrunk): string => {
  if (sipStatus > 0) return `${route} answered ${sipStatus} before it rang`;
  return cause > 0 ? `${route} refused it before it rang (cause ${cause})` : `${route} could not dial it`;
};

/** May the same attempt dial on another trunk now? */
export const anotherTrunkClearanceParams = ({
  context,
}: CallActionArgs): DialClearanceEffects['requestClearance'] => ({
  ...attemptClearanceParams(context, context.dial.attempt),
  ...(context.dial.callerId !== undefined && { callerId: context.dial.callerId }),
  tried: (context.dial.tries ?? []).map(({ route }) => route),
});

/** The same attempt dials a leg on another trunk. */
export const assignReroutedLeg = (scope: CallActionArgs): Partial<CallContext> => {
  const { context, event } = scope;
  const leg = context.lastLeg + 1;
  return {
    lastLeg: leg,
    dial: {
      ...dialBeforeTrunkGrant(context.dial),
      leg,
      ...readClearedTrunk(event),
      dialedAt: callEventTime(scope),
    },
  };
};

/** No other trunk carries it now: the attempt ended as its last leg did. */
export const assignTrunksExhausted = (scope: CallActionArgs): Partial<CallContext> => {
  const tries = scope.context.dial.tries ?? [];
  const last = tries.at(-1);
  if (!last) return {};
  const { route, dialedAt, reason, cause, sipStatus } = last;
  const ending = { outcome: reason as LegOutcome, reason, cause, sipStatus, lost: false };
  const { context } = scope;
  const before = { ...context, dial: { ...context.dial, route, dialedAt, tries: tries.slice(0, -1) } };
  return endDialAttempt({ ...scope, context: before }, ending);
};
