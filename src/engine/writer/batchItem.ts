import type { BalanceBooking } from '../contract/effect.ts';
import type { CompiledChart } from '../step/compileChart.ts';
import type { UncommittedMachineStep } from '../step/stepTransaction.ts';
import type { Mail } from '../contract/machineMail.ts';
import type { CallerAwaitingCommit } from './pendingReplies.ts';
import type { CachedMachine } from './cachedMachine.ts';
import type { ExclusiveKeyClaimRequest, StartWithChargesResult } from '../contract/api.ts';
import { toMachineWrite } from '../step/stepToRows.ts';
import type { MachineWrite } from '../contract/rows.ts';

/** A start on its way. */
export interface PendingMachineStart {
  chart: CompiledChart;
  account: number;
  id: number;
  input: object;
  claims: ExclusiveKeyClaimRequest[];
  bookings: readonly BalanceBooking[];
  caller: CallerAwaitingCommit<StartWithChargesResult>;
  /** Some write of it was not answered, and may still land. */
  doubtful: boolean;
}

/** One machine of a batch: its transaction and what it was made of. */
export interface CommitBatchItem {
  tx: UncommittedMachineStep;
  mails: Mail[];
  cached: CachedMachine | null;
  start: PendingMachineStart | null;
}

/** How much of a batch it takes up: each piece of mail, and each machine it starts, is a step and a history entry. */
export const batchItemStepCount = ({ tx, mails }: CommitBatchItem): number =>
  Math.max(1, mails.length) + tx.children.length;

/** All that is written for a batch, in the order of its keys: two statements never wait for each other in a ring. */
export const sortedWritesOfBatch = (items: readonly CommitBatchItem[]): MachineWrite[] => {
  const writes: MachineWrite[] = [];
  for (const { tx } of items) {
    writes.push(toMachineWrite(tx));
    for (const start of tx.children) writes.push(toMachineWrite(start, tx.id));
  }
  return writes.toSorted(byKey);
};

const byKey = (one: MachineWrite, other: MachineWrite): number =>
  one.account - other.account || one.id - other.id;
