/**
 * What other rooms may ask of the engine.
 *
 * `start`, `send` and `waitFor` are the verbs; everything else reads. A promise of `start` or `send` settles when
 * the step is durable, never before.
 */
import type { EffectOutcome } from './timersAndPendingEffects.ts';
import type { BalanceBooking, MachineEvent } from './effect.ts';
import type { Kept, NonMachineRecordsToWrite } from './rows.ts';

/** Names one machine for ever. `shard` is the name of the data shard, e.g. `a`. */
export interface MachineRef {
  shard: string;
  account: number;
  id: number;
}

/** A key that only one owner may hold until a time (database time, epoch milliseconds). */
export interface ExclusiveKeyClaimRequest {
  key: string;
  /** How long from the commit on, milliseconds. */
  forMs: number;
  /** Kept with the claim and handed to the loser, e.g. the answer to repeat for an Idempotency-Key. */
  answer?: string;
}

export interface StartMachineRequest {
  kind: string;
  shard: string;
  account: number;
  /** Minted beforehand with `mintId`, or a counter's (below 2^31), or absent: the engine mints one. */
  id?: number;
  /** The chart's input; the engine adds `at` and `id`. */
  input: object;
  claims?: ExclusiveKeyClaimRequest[];
}

/** A start that is paid for. */
export interface StartWithChargesRequest extends StartMachineRequest {
  /** Written in the same commit. One that takes more than its balance holds refuses the start. */
  bookings: readonly BalanceBooking[];
}

export type StartMachineResult =
  | { outcome: 'started'; ref: MachineRef }
  /** Another owner holds one of the claims; nothing was written. */
  | { outcome: 'claimed'; key: string; owner: string; answer: string | null };

/** `insufficientBalance`: a balance holds less than is taken from it; nothing was written. */
export type StartWithChargesResult =
  | StartMachineResult
  | { outcome: 'insufficientBalance'; account: number; balance: string };

export type SendEventResult =
  /** The step that took the event is durable. */
  | {
      outcome: 'stepped';
      state: string;
      /** It changed nothing: the chart does not take it in this state. */
      ignored?: true;
    }
  /** Another living node holds the machine; the event is durable in its inbox. */
  | { outcome: 'left' }
  /** The machine has ended (or never was): nothing will hear the event. */
  | { outcome: 'gone' };

/** What became of an operator's order about an effect. */
export type EffectOrderResult =
  /** The step that carried it out is durable. */
  | 'done'
  /** Another living node holds the machine; the order is durable in its inbox. */
  | 'left'
  /** The effect is not owed any more, or is under way. */
  | 'refused';

export type WaitForMilestoneResult = 'reached' | 'ended' | 'timeout';

/** A machine as operators see it. */
export interface MachineView extends MachineRef {
  kind: string;
  version: number;
  revision: number;
  state: string;
  milestones: string[];
  context: unknown;
  /** It has not taken its first step; the context is what it is to be born with. */
  pending: boolean;
  /** What is still owed, earliest first. */
  agenda: {
    what: 'timer' | 'effect';
    id: string;
    name: string;
    dueAt: number;
    tries?: number;
    /** Of an effect: it is not under way, and `dueAt` is when it is tried again. */
    isWaiting?: boolean;
    params?: Record<string, unknown>;
  }[];
  wakeAt: number | null;
  /** The node's incarnation. */
  heldBy: number;
  attention: string | null;
  createdAt: number;
  endedAt: number | null;
}

export interface HistoryEntryView {
  revision: number;
  at: number;
  event: string;
  payload: unknown;
  /** Effects that ended with this event, or since the one before. */
  ended: readonly EffectOutcome[];
  state: string;
  /** Effects, and timers as `name+milliseconds`; of an event that failed one entry, `failed: ` and its error. */
  asked: string[];
  /** Short ids of the transitions taken, in order; empty where none were, or none were written down. */
  taken: number[];
}

/** Thrown by `start` when the queue of starts is long, the database is away, or the process is draining. HTTP 503. */
export class Unavailable extends Error {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds = 1, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'Unavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown for a shard that this process was not given: its accounts are served by others, or `SHARDS` lacks it. */
export class UnknownShard extends Unavailable {
  readonly shard: string;
  constructor(shard: string) {
    super(`shard ${shard}, which holds this account, is not served here`, 30);
    this.name = 'UnknownShard';
    this.shard = shard;
  }
}

export interface MachineEngine {
  /** Starts a machine. Throws `Unavailable`; bad text (NUL, lone surrogates) throws `TypeError`. */
  start(request: StartWithChargesRequest): Promise<StartWithChargesResult>;
  start(request: StartMachineRequest): Promise<StartMachineResult>;
  /** Gives an event to a machine. Throws `Unavailable` when it cannot be made durable in time. */
  send(ref: MachineRef, event: MachineEvent): Promise<SendEventResult>;
  /**
   * Writes what no machine writes (numbers on block lists, bookings by hand), so that a database that goes back loses none
   * of it. Settles when it is durable. Throws `Unavailable`; bad text throws `TypeError`.
   */
  keep(shard: string, records: Partial<NonMachineRecordsToWrite>): Promise<Kept>;
  /** "Has it reached": true for milestones passed at any time, unless the chart forgot them. */
  waitFor(ref: MachineRef, milestone: string, timeoutMs: number): Promise<WaitForMilestoneResult>;
  /** An id for a machine or a record of this shard; ascends with time, below 2^53. */
  mintId(shard: string): number;
  /** Database time of a shard as this node knows it, epoch milliseconds. */
  now(shard: string): number;
  /** False while its database may lack what was acknowledged: what is not found there may still be written again. */
  isOpen(shard: string): boolean;
  /** When it was open again after it had not been, monotonic milliseconds; -Infinity: never since this process began. */
  reopenedAt(shard: string): number;
  /** The same by a question that is asked now: nothing that was looked for before is missing because the database went back. */
  standsOpen(shard: string): Promise<boolean>;
  /** Whether it is not served until an operator decides what becomes of it; as this node last heard. */
  isClosed(shard: string): boolean;
  view(ref: MachineRef): Promise<MachineView | undefined>;
  /** A machine's history in order, paged by revision. */
  history(ref: MachineRef, afterRevision: number, limit: number): Promise<HistoryEntryView[]>;
  /**
   * Operator: performs an owed effect again now (`begin`), or gives up one that waits to be tried again, which its chart hears
   * as its failure with the reason `cancelled` (`cancel`). One that was begun and must not be twice is neither. Throws
   * `Unavailable`.
   */
  orderEffect(ref: MachineRef, effect: string, order: 'begin' | 'cancel'): Promise<EffectOrderResult>;
  /** Events an operator may send to this kind. */
  operatorEvents(kind: string): readonly string[];
  /** Stops admitting starts, finishes what is in flight, writes what is known, hands its rows over. */
  stop(): Promise<void>;
  /** True while starts are admitted. */
  readonly accepting: boolean;
}
