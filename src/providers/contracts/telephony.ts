/**
 * The telephony contract. `telephony/sandbox.ts` and `telephony/asterisk.ts` are equals; one suite runs against both.
 * The words themselves (requests and facts) stand in `machines/contracts/telephony.ts`, where charts use them.
 */
import type { TelephonyEffects } from '../../../machines/contracts/telephony.ts';
import type { EffectPerformer } from '../../engine/contract/performer.ts';
import type { SimulatedPhone } from '../telephony/phone.ts';

/** A carrier: one performer per request, and a life to manage. */
export interface Telephony {
  /** Only where calls go to a simulated network. */
  phone?: SimulatedPhone;
  profile: TelephonyCarrierCapacity;
  performers: { [Name in keyof TelephonyEffects]: EffectPerformer<TelephonyEffects[Name]> };
  /** Connects; resolves at once even when the carrier is away (it goes on trying). */
  start(): Promise<void>;
  /** Stops listening and lets legs go on: another process, or the next start, adopts them. */
  stop(): Promise<void>;
  /** Whether the carrier can be reached now, and a sentence when not. */
  health(): { ok: boolean; detail: string };
}

/** What a carrier can and cannot do; differences are this table, not branches. */
export interface TelephonyCarrierCapacity {
  name: 'sandbox' | 'asterisk';
  /** New legs a second and legs at a time that this carrier bears. */
  callsPerSecond: number;
  legs: number;
  /** Text for the record's `route`. */
  route: string;
}

/** The id of a leg's channel: shard, account, machine, leg, joined by dots. */
export const legId = (machine: { shard: string; account: number; id: number }, leg: number): string =>
  `${machine.shard}.${machine.account}.${machine.id}.${leg}`;

/** The machine and leg that a channel id names; undefined when the id is not one of ours. */
export const parseLegId = (
  text: string,
): { shard: string; account: number; id: number; leg: number } | undefined => {
  const match = /^([a-z][a-z0-9]*)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  if (!match) return undefined;
  return { shard: match[1]!, account: Number(match[2]), id: Number(match[3]), leg: Number(match[4]) };
};
