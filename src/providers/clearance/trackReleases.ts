/**
 * Gives slots back when legs end: the desk listens where the carrier speaks.
 */
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import type { Caller, Clearance } from '../clearance.ts';
import type { EffectCall, Fact, Performer, Report } from '../../engine/contract/performer.ts';
import type { Telephony } from '../telephony.ts';

/** The same report, overheard: a leg that hung up gives its slot back. */
export const trackReleases =
  (clearance: Clearance, report: Report): Report =>
  (machine, fact) => {
    listen(clearance, machine, fact);
    report(machine, fact);
  };

/** The same performers; an attempt's first leg uses the call's slot, and one that never came to be gives it back. */
export const usingSlots = (
  clearance: Clearance,
  performers: Telephony['performers'],
): Telephony['performers'] => {
  const originate: Performer<TelephonyEffects['originate']> = async (call) => {
    if (call.params.onBehalfOf !== undefined) return performers.originate(call);
    clearance.dialled(call.machine, call.params.leg);
    try {
      return heard(call, await performers.originate(call));
    } catch (error) {
      clearance.release(call.machine, call.params.leg);
      throw error;
    }
  };
  const heard = <Answer extends { events?: Fact[] } | void>(
    call: EffectCall<object>,
    answer: Answer,
  ): Answer => {
    for (const fact of answer?.events ?? []) listen(clearance, call.machine, fact);
    return answer;
  };
  return {
    ...performers,
    originate,
    adopt: async (call) => {
      const answer = heard(call, await performers.adopt(call));
      const { trunk, legs } = call.params;
      if (trunk !== undefined && lives(legs[0], answer?.events ?? []))
        clearance.adopted(call.machine, legs[0]!, trunk);
      return answer;
    },
    lookUp: async (call) => heard(call, await performers.lookUp(call)),
  };
};

const lives = (leg: number | undefined, facts: readonly Fact[]): boolean =>
  facts.some((fact) => fact.type === 'legFound' && fact['leg'] === leg);

const listen = (clearance: Clearance, machine: Caller, fact: Fact): void => {
  if (fact.type === 'hungUp' && typeof fact['leg'] === 'number') clearance.release(machine, fact['leg']);
};
