/**
 * The clearance contract: may this attempt dial now? (spec 4.2 `free`, `numlim`, `audiolim`, `bkddd`, `priority`)
 * The words stand in `machines/contracts/clearance.ts`; `dialClearance/callAdmission.ts` answers, by the rules
 * of `dialClearance/checkDialRules.ts` and the trunks of `dialClearance/trunkChoice.ts`.
 */
import type { DialClearanceEffects, DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import type { EffectPerformer } from '../../engine/contract/performer.ts';
import type { ClosedPrefixes } from '../../rules/trunks/trunkTypes.ts';

/** Names a machine; its account's data is in the shard. */
export interface CallMachineRef {
  shard: string;
  account: number;
  id: number;
}

export interface DialClearance {
  performers: { [Name in keyof DialClearanceEffects]: EffectPerformer<DialClearanceEffects[Name]> };
  /**
   * What the rules would answer to this question now; nothing is granted or written. `objection`: the first "no".
   * Rejects with `Retryable` when its data cannot be read.
   */
  wouldClear(
    caller: CallMachineRef,
    question: DialClearanceEffects['requestClearance'],
  ): Promise<{ objection: DialObjection | undefined; answers: DialRuleAnswers }>;
  /** The granted leg has this number, and is over after `lastsSeconds` at the latest; before, only its end gives the slot back. */
  dialled(caller: CallMachineRef, leg: number, lastsSeconds: number): void;
  /** A place for a second leg on its callee's trunk, which is over after `lastsSeconds` at the latest; false: none is free. */
  secondLeg(caller: CallMachineRef, leg: number, trunk: string, lastsSeconds: number): boolean;
  /** The leg is over (or the call, when no leg is named): what it held or waited for goes to the next. */
  release(caller: CallMachineRef, leg?: number): void;
  /** Grants nothing more. Questions still waiting are asked again by their calls. */
  stop(): void;
  /** Questions waiting for capacity, and slots held. */
  load(): { waiting: number; held: number };
  /** Legs that this process has on a trunk, or is about to dial on it; those of the last second; whether calls wait for it. */
  usageOf(trunk: string): { legs: number; perSecond: number; waits: boolean };
  /** A leg of the call lives on a trunk and was taken over from another process. `isSecond`: it is not the callee's. */
  adopted(caller: CallMachineRef, leg: number, trunk: string, isSecond?: boolean): void;
}

/** Why not, or not now. */
export interface DialObjection {
  type: string;
  reason?: string;
  detail?: string;
  /** Epoch milliseconds; absent: for good. */
  until?: number;
}

/** What an account says of its calls. */
export interface AccountCallRules {
  active: boolean;
  /** Its own table, as stored. */
  callingWindows: unknown;
  /** Calls of its campaigns at a time on this node; null: what the carrier bears. */
  concurrentCalls: number | null;
  /** Numbers that it does not call. Default none. */
  closedPrefixes?: ClosedPrefixes;
  /** What its calls may cost in a day, ten-thousandths of the currency. Default: no matter. */
  spendPerDay?: number | null;
  /** Where its days begin. Default `America/Sao_Paulo`. */
  zone?: string;
}

/** What call admission looks up. Rejections mean the database is away: the question is asked again. */
export interface DialClearanceRepository {
  /**
   * Undefined: there is no such account.
   */
  account(caller: CallMachineRef): Promise<AccountCallRules | undefined>;
  /** Whether a campaign is switched off, as its record says. */
  campaignPaused(caller: CallMachineRef, campaign: number): Promise<boolean>;
  /** The entry that blocks this number, in the account's list or the global one. */
  blocked(
    caller: CallMachineRef,
    number: string,
  ): Promise<{ list: 'account' | 'global'; reason: string } | undefined>;
  /** Other calls that count against a limit; counting may stop at `enough`. */
  callsBefore(caller: CallMachineRef, query: CampaignCallsToNumberQuery): Promise<number>;
  /** Why this number rests for calls of this scope; undefined: it does not. */
  rested(caller: CallMachineRef, query: { number: string; scope: string }): Promise<string | undefined>;
  /** Lets a number rest for calls of this scope. */
  rest(caller: CallMachineRef, what: { number: string; scope: string; reason: string }): Promise<void>;
  /** Puts a number on the account's list; one that is there already stays as it is. */
  block(caller: CallMachineRef, number: string, reason: string): Promise<void>;
}

/** Calls of the campaign to the number, dialled since then or still in flight and older than the asking one. */
export interface CampaignCallsToNumberQuery {
  customerCampaign: string;
  number: string;
  /** Only calls with this audio. */
  audioKey?: string;
  /** Epoch milliseconds. */
  since: number;
  enough: number;
}

/** Time as call admission knows it, so that it can be tested without waiting. */
export interface ClockWithTimers {
  /** Milliseconds of any clock; a monotonic one is best. */
  now(): number;
  /** Calls `run` after some milliseconds; the answer calls it off. */
  after(ms: number, run: () => void): () => void;
}
