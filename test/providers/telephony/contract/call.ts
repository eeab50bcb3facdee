/** A call as the engine would run it, for the sentences of the telephony contract. */
import type { LegDestination, TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import type { EffectCall, EffectResult } from '../../../../src/engine/contract/performer.ts';
import type { Heard, Listener, MachineName } from '../../../helpers/report.ts';
import type { Instance, TelephonyBed } from './bed.ts';

export const account = 7;
export const prompt = 'contract-prompt';
/** Ids never meet, also on a carrier that outlives the test run. */
let lastMachine = Date.now();

type Perform = <Name extends keyof TelephonyEffects>(
  name: Name,
  params: TelephonyEffects[Name],
) => Promise<void>;

type Dial = (leg: number, number: string, terms?: Partial<TelephonyEffects['originate']>) => Promise<void>;

export interface TestCall {
  heard: Heard;
  machine: MachineName;
  perform: Perform;
  /** Originates a leg to a number with the usual terms. */
  dial: Dial;
  /** Originates a leg and waits until it is answered. */
  answered: Dial;
  /** The same call in the hands of another instance. */
  on: (instance: Instance) => TestCall;
}

/** A call as the engine would run it on this instance: facts that come with an acceptance are heard as well. */
export const aCall = (instance: Instance, listener: Listener, machine?: MachineName): TestCall => {
  const named = machine ?? { shard: 'a', account, id: (lastMachine += 1) };
  const heard = listener.of(named);
  let effects = 0;
  const perform: Perform = async (name, params) => {
    const call: EffectCall<typeof params> = {
      id: `a.${account}.${named.id}.${(lastMachine += 1)}.${(effects += 1)}`,
      name,
      params,
      machine: { ...named, kind: 'call' },
      attempt: 1,
      seen: { ...heard.seen },
      signal: AbortSignal.timeout(10_000),
    };
    const performed: EffectResult | void = await instance.telephony.performers[name](call);
    for (const fact of performed?.events ?? []) heard.take(fact);
  };
  const dial: TestCall['dial'] = (leg, number, terms = {}) =>
    perform('originate', {
      leg,
      to: { kind: 'number', number } satisfies LegDestination,
      callerId: '1130000000',
      ringSeconds: 20,
      limitSeconds: 600,
      ...terms,
    });
  return {
    heard,
    machine: named,
    perform,
    dial,
    answered: async (leg, number, terms) => {
      await dial(leg, number, terms);
      await heard.until({ type: 'answered', leg });
    },
    on: (other) => aCall(other, listener, named),
  };
};

/** A second of sound. */
export const aPrompt = [{ media: prompt }];

/** What every part of the contract has: the bed, and calls on an instance of ours. */
export interface Scene {
  bed: TelephonyBed;
  /** A call on the usual instance. Its legs are hung up when the test ends. */
  call(): TestCall;
  /** Another instance against the same carrier. */
  another(): Promise<Instance>;
  /** A new call in the hands of this instance; nobody hangs its legs up. */
  callOn(instance: Instance): TestCall;
  /** The legs of this call are hung up as well when the test ends. */
  ends(call: TestCall): void;
}
