/** Hears what carriers say of legs: those that end give their places back, and each trunk is known by how its legs fare. */
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import type { CallMachineRef, DialClearance } from '../contracts/dialClearance.ts';
import {
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
  type ReportFactToMachine,
} from '../../engine/contract/performer.ts';
import type { LegTargetResolverOptions } from '../target/secondLegDestinationResolver.ts';
import type { Telephony } from '../contracts/telephony.ts';
import type { TrunkDialPacer } from './trunkDialPacer.ts';
import type { TrunkHealthTracker } from './trunkHealthFromCalls.ts';

/** The same report, overheard: a leg that hung up gives its slot back. */
export const releaseSlotsOnHangup =
  (clearance: DialClearance, report: ReportFactToMachine, watch?: TrunkHealthTracker): ReportFactToMachine =>
  (machine, fact) => {
    watch?.hear(machine, fact);
    listen(clearance, machine, fact);
    report(machine, fact);
  };

type Originate = EffectCall<TelephonyEffects['originate']>;

export interface TrunkSlotOptionalDeps {
  watch?: TrunkHealthTracker;
  pace?: TrunkDialPacer;
  /** Why a number is not to be called as a second leg. Default: every number may be. */
  secondLegObjection?: LegTargetResolverOptions['secondLegObjection'];
}

/**
 * The same performers; an attempt's first leg uses the call's slot, a number that a callee is passed on to takes a place on the
 * callee's trunk, and a leg that certainly never came to be gives back what it had.
 */
export const wrapPerformersWithTrunkSlots = (
  clearance: DialClearance,
  performers: Telephony['performers'],
  { watch, pace, secondLegObjection }: TrunkSlotOptionalDeps = {},
): Telephony['performers'] => {
  /** Members of lines are asked about here only. */
  const takePlace = async ({
    machine,
    params: { leg, trunk, limitSeconds, to },
  }: Originate): Promise<void> => {
    if (trunk === undefined || to.kind !== 'number') return;
    const toll = await secondLegObjection?.(machine, to.number, trunk);
    if (toll) throw new NotRetryable('unreachable', toll.detail);
    if (!clearance.secondLeg(machine, leg, trunk, limitSeconds))
      throw new NotRetryable('unreachable', `${trunk} has no free leg for the second leg`);
  };
  const originate: EffectPerformer<TelephonyEffects['originate']> = async (call) => {
    const { leg, trunk, limitSeconds, onBehalfOf, to } = call.params;
    if (onBehalfOf === undefined) clearance.dialled(call.machine, leg, limitSeconds);
    // Agents and chat are reached without the trunk.
    else if (to.kind !== 'number' || trunk === undefined || trunk === '') return performers.originate(call);
    else await takePlace(call);
    try {
      if (trunk !== undefined) await pace?.turn(trunk, call.signal);
      if (trunk !== undefined) watch?.dialled(call.machine, leg, trunk, numberOf(call.params.to));
      return heard(call, await performers.originate(call));
    } catch (error) {
      watch?.failed(call.machine, leg, error instanceof NotRetryable && error.reason === 'unreachable');
      if (isSurelyNotDialled(error)) clearance.release(call.machine, leg);
      throw error;
    }
  };
  const heard = <Answer extends { events?: Fact[] } | void>(
    call: EffectCall<object>,
    answer: Answer,
  ): Answer => {
    for (const fact of answer?.events ?? []) {
      watch?.hear(call.machine, fact);
      listen(clearance, call.machine, fact);
    }
    return answer;
  };
  return {
    ...performers,
    originate,
    adopt: async (call) => {
      const answer = heard(call, await performers.adopt(call));
      const { trunk, legs, seconds = [] } = call.params;
      if (trunk === undefined) return answer;
      const facts = answer?.events ?? [];
      if (lives(legs[0], facts)) clearance.adopted(call.machine, legs[0]!, trunk);
      for (const leg of seconds) if (lives(leg, facts)) clearance.adopted(call.machine, leg, trunk, true);
      return answer;
    },
    lookUp: async (call) => heard(call, await performers.lookUp(call)),
  };
};

/**
 * Only a "no" of the carrier is certain. A leg of unknown outcome may ring, one that lives already does, and one that is
 * tried again needs its place: what is found out about them later gives it back.
 */
const isSurelyNotDialled = (error: unknown): boolean =>
  error instanceof NotRetryable && error.reason !== 'duplicate';

/** A SIP address is in no prefix. */
const numberOf = (to: TelephonyEffects['originate']['to']): string => ('number' in to ? to.number : '');

const lives = (leg: number | undefined, facts: readonly Fact[]): boolean =>
  facts.some((fact) => fact.type === 'legFound' && fact['leg'] === leg);

const listen = (clearance: DialClearance, machine: CallMachineRef, fact: Fact): void => {
  if (fact.type === 'hungUp' && typeof fact['leg'] === 'number') clearance.release(machine, fact['leg']);
};
