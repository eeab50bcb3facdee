/**
 * Calls that are paid out of the balance of their account and of every reseller above it. The first step is reserved before
 * the dial, each further one before it begins; a call whose next step no balance bears is hung up. When the call is over, what
 * was reserved beyond its price goes back. All of it stands in the database, so any node goes on where another ended.
 */
import type { DialClearanceEvent, DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import type { MachineEngine } from '../../engine/contract/api.ts';
import { firstIdAt } from '../../engine/contract/idGenerator.ts';
import type { ReportFactToMachine } from '../../engine/contract/performer.ts';
import type { ManualBalanceChangeRow } from '../../engine/contract/rows.ts';
import { PeriodicTask } from '../../lib/periodicTask.ts';
import type {
  CallChargeState,
  CallChargeUpdate,
  AccountAndCallId,
  ChargeTerms,
  UnsettledCallCharge,
  LedgerOnlyCharge,
} from '../../rules/accounts/callCharge.ts';
import {
  FIRST_BILLED_SECONDS,
  isPrepaidTimeUsedUp,
  nextPrepaidIncrement,
  affordableSeconds,
} from '../../rules/accounts/callSteps.ts';
import { billedSeconds, priceForSeconds } from '../../rules/accounts/pricing.ts';
import type { CallMachineRef } from '../contracts/dialClearance.ts';

/** What is written of charges while no other process works on them. */
export interface ChargeWriter {
  /** By payer, ten-thousandths. */
  reserved(call: AccountAndCallId): Promise<ReadonlyMap<number, bigint>>;
  change(call: AccountAndCallId, change: CallChargeUpdate): Promise<void>;
  drop(call: AccountAndCallId): Promise<void>;
}

/** Rejections mean that the database is away. */
export interface ChargeRepository {
  /** Undefined: the account's calls are not paid out of its balance. */
  terms(caller: CallMachineRef): Promise<ChargeTerms | undefined>;
  balances(caller: CallMachineRef, payers: readonly number[]): Promise<ReadonlyMap<number, bigint>>;
  /** Opens a charge at that moment, epoch milliseconds; one that an earlier attempt opened is opened anew. */
  open(caller: CallMachineRef, charge: CallChargeState, at: number): Promise<void>;
  reserved(caller: CallMachineRef, call: AccountAndCallId): Promise<ReadonlyMap<number, bigint>>;
  drop(caller: CallMachineRef, call: AccountAndCallId): Promise<void>;
  /** Calls above this id of which the ledger alone tells, some thousand at a time; none: there are no more. */
  forgotten(shard: string, afterId: number): Promise<readonly LedgerOnlyCharge[]>;
  /** Opens a charge as it was at that moment, epoch milliseconds, unless it is known by now. */
  openAgain(caller: CallMachineRef, charge: CallChargeState, openedAt: number): Promise<void>;
  shards: readonly string[];
  /** Charges of calls that talk or are over. */
  due(
    shard: string,
    work: (due: readonly UnsettledCallCharge[], writer: ChargeWriter) => Promise<void>,
  ): Promise<void>;
}

export interface PrepaidCallChargingOptions {
  repository: ChargeRepository;
  keep: MachineEngine['keep'];
  isOpen(shard: string): boolean;
  /** Of a shard that was not open, monotonic milliseconds. */
  reopenedAt(shard: string): number;
  mintId(shard: string): number;
  /** Time of a shard, epoch milliseconds. */
  now(shard: string): number;
  report: ReportFactToMachine;
  after(ms: number, run: () => void): () => void;
  log: { warn(fields: object, message: string): void; info(message: string): void };
}

export interface CallCharger {
  /** Reserves the first step; false: a balance does not cover it. True where calls are not charged. Rejects where that cannot be known. */
  open(caller: CallMachineRef): Promise<boolean>;
  /** Whether the first step would be covered now. */
  wouldCover(caller: CallMachineRef): Promise<boolean>;
  /** Begins to reserve further steps and to settle, each second from now on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const ROUND_MS = 1_000;
const DAY_MS = 86_400_000;

/** What a call is told whose first step a balance does not cover: it ends CANCEL. */
export const insufficientBalanceDialRefusal = (
  { account }: Pick<CallMachineRef, 'account'>,
  answers: DialRuleAnswers,
): Extract<DialClearanceEvent, { type: 'refused' }> => ({
  answers: { ...answers, account: 'unfunded' },
  type: 'refused',
  reason: 'insufficientBalance',
  detail: `the balance of account ${account}, or of a reseller above it, does not cover ${FIRST_BILLED_SECONDS} seconds`,
});

export const openCallCharges = (options: PrepaidCallChargingOptions): CallCharger => {
  const { repository, keep, isOpen, reopenedAt, mintId, now, report, after, log } = options;

  /** Moves an amount on each of these balances; false: one holds too little, and none was moved. */
  const book = async (
    { shard, account, id: machine }: CallMachineRef,
    { id, entry, amounts }: { id: number; entry: string; amounts: ReadonlyMap<number, bigint> },
  ): Promise<boolean> => {
    const booked = [...amounts].map(([payer, amount]): ManualBalanceChangeRow => {
      const of = { payer: account, machine };
      return { id, account: payer, amount: Number(amount), sets: false, entry, note: '', at: now(shard), of };
    });
    return booked.length === 0 || (await keep(shard, { booked })).outcome === 'kept';
  };

  const take = (caller: CallMachineRef, payers: readonly number[], units: bigint): Promise<boolean> => {
    const amounts = new Map(units > 0n ? payers.map((payer) => [payer, -units]) : []);
    return book(caller, { id: mintId(caller.shard), entry: 'callCharge', amounts });
  };

  const open: CallCharger['open'] = async (caller) => {
    const terms = await repository.terms(caller);
    if (!terms) return true;
    const call = { account: caller.account, call: caller.id };
    await repository.open(caller, { ...call, ...terms, covered: FIRST_BILLED_SECONDS }, now(caller.shard));
    const first = priceForSeconds(terms.rate, FIRST_BILLED_SECONDS);
    // An earlier answer was not heard, or an earlier attempt has not been settled.
    const reserved = (await repository.reserved(caller, call)).get(caller.account) ?? 0n;
    if (reserved >= first || (await take(caller, terms.payers, first))) return true;
    if (reserved === 0n) await repository.drop(caller, call);
    return false;
  };

  const wouldCover: CallCharger['wouldCover'] = async (caller) => {
    const terms = await repository.terms(caller);
    if (!terms) return true;
    const balances = await repository.balances(caller, terms.payers);
    const first = priceForSeconds(terms.rate, FIRST_BILLED_SECONDS);
    return terms.payers.every((payer) => (balances.get(payer) ?? 0n) >= first);
  };

  /** A call that is talked: its next step is paid for, or it is hung up where that is over. */
  const goOn = async (
    caller: CallMachineRef,
    charge: UnsettledCallCharge,
    writer: ChargeWriter,
  ): Promise<void> => {
    const talked = (now(caller.shard) - charge.answeredAt!) / 1_000;
    const next = nextPrepaidIncrement(charge, talked);
    if (!next) return;
    if (await take(caller, charge.payers, next.price)) await writer.change(charge, { covered: next.covered });
    else if (isPrepaidTimeUsedUp(charge, talked))
      report(caller, { type: 'cancel', reason: 'insufficientBalance' });
  };

  /**
   * A call that is over: what was reserved beyond its price goes back. What is missing is taken where it is there. The name of that
   * is committed before, so that it is written once, whatever becomes of this process.
   */
  const settle = async (
    caller: CallMachineRef,
    charge: UnsettledCallCharge,
    writer: ChargeWriter,
  ): Promise<void> => {
    const { answeredAt, endedAt, rate, settleId } = charge;
    if (settleId === null) return writer.change(charge, { settleId: mintId(caller.shard) });
    const price = answeredAt === null ? 0n : priceForSeconds(rate, billedSeconds(answeredAt, endedAt!));
    const rest = new Map(
      [...(await writer.reserved(charge))].map(([payer, units]) => [payer, units - price]),
    );
    const back = new Map([...rest].filter(([, units]) => units > 0n));
    await book(caller, { id: settleId, entry: 'callRefund', amounts: back });
    for (const [payer, units] of rest)
      if (
        units < 0n &&
        !(await book(caller, { id: settleId, entry: 'callCharge', amounts: new Map([[payer, units]]) }))
      )
        log.warn(
          { call: caller.id, payer, units: String(-units) },
          'a balance does not cover the end of a call',
        );
    await writer.drop(charge);
  };

  /**
   * The database went back, and is open again: the journals have brought the ledger, and not what is known of charges. Those of a
   * day that may not be settled are opened again, with the rate of today.
   */
  const recover = async (shard: string): Promise<void> => {
    let after = firstIdAt(now(shard) - DAY_MS);
    for (;;) {
      const forgotten = await repository.forgotten(shard, after);
      for (const one of forgotten) await recoverOne(shard, one);
      const last = forgotten.at(-1);
      if (!last) return;
      after = last.call;
    }
  };

  const recoverOne = async (shard: string, one: LedgerOnlyCharge): Promise<void> => {
    const caller = { shard, account: one.account, id: one.call };
    const terms = await repository.terms(caller);
    if (!terms || one.reserved <= 0n) return;
    const covered = affordableSeconds(terms.rate, one.reserved);
    await repository.openAgain(caller, { ...one, rate: terms.rate, covered }, one.openedAt);
  };

  /** True: some that are over have a name now, and are settled by the next look. */
  const ofShard = async (shard: string): Promise<boolean> => {
    let isNamed = false;
    await repository.due(shard, async (due, writer) => {
      let failure: unknown;
      isNamed = due.some(({ endedAt, settleId }) => endedAt !== null && settleId === null);
      for (const charge of due) {
        const caller = { shard, account: charge.account, id: charge.call };
        const work = charge.endedAt === null ? goOn : settle;
        // What is wrong with one call does not keep others from being paid for.
        await work(caller, charge, writer).catch((error: unknown) => (failure ??= error));
      }
      if (failure !== undefined) throw failure;
    });
    return isNamed;
  };

  /** Up to which opening of each shard. */
  const recovered = new Map<string, number>();
  const tasks = repository.shards.map(
    (shard) =>
      new PeriodicTask({
        run: async () => {
          if (!isOpen(shard)) return;
          const reopened = reopenedAt(shard);
          if (reopened > (recovered.get(shard) ?? -Infinity)) await recover(shard);
          recovered.set(shard, reopened);
          if (await ofShard(shard)) await ofShard(shard);
        },
        everyMs: ROUND_MS,
        after,
        says: {
          failing: 'calls under way cannot be paid for: they go on, and are paid for when that is over',
          again: 'calls under way are paid for again',
        },
        log,
      }),
  );
  return {
    open,
    wouldCover,
    start: async () => {
      await Promise.all(tasks.map((one) => one.renew()));
    },
    stop: async () => {
      await Promise.all(tasks.map((one) => one.stop()));
    },
  };
};
