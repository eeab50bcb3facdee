/**
 * What is asked of the machines of a shard, and what is reported to them: admitted, or refused at once where it would only
 * wait for a database that fails.
 */
import type { ClusterMembership } from '../cluster/membership.ts';
import {
  Unavailable,
  type MachineRef,
  type EffectOrderResult,
  type SendEventResult,
  type StartMachineRequest,
  type StartWithChargesRequest,
  type StartWithChargesResult,
} from '../contract/api.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import type { MachineEvent } from '../contract/effect.ts';
import type { EngineLog } from '../contract/ports.ts';
import type { Kept, NonMachineRecordsToWrite } from '../contract/rows.ts';
import type { CompiledCharts } from '../step/charts.ts';
import type { MachineCache } from '../writer/cachedMachine.ts';
import type { CallersAwaitingCommit } from '../writer/pendingReplies.ts';
import type { ShardWriter } from '../writer/writer.ts';
import type { MachineMailDispatcher } from './machineMailDispatcher.ts';
import type { NonMachineRecordWriter } from './nonMachineRecordWriter.ts';

/** While the database fails for longer than this, requests are refused at once, milliseconds. */
const REFUSING_MS = 2_000;
/** Facts that are kept while the database fails; a machine that is held keeps a part of them. Others are found again by adoption. */
const FACTS_KEPT = 100_000;
const FACTS_KEPT_OF_ONE = 1_000;

export interface EngineAdmissionDeps {
  shard: string;
  charts: CompiledCharts;
  cache: MachineCache;
  dispatcher: MachineMailDispatcher;
  records: NonMachineRecordWriter;
  replies: CallersAwaitingCommit;
  membership: ClusterMembership;
  health: DatabaseFailureTracker;
  log: EngineLog;
  writerOf(id: number): ShardWriter;
}

export class EngineAdmission {
  readonly #deps: EngineAdmissionDeps;
  #isJoined = false;
  #isLeaving = false;
  #isEnded = false;
  /** Facts admitted since the database began to fail, and those dropped since this node joined. */
  #factsKept = 0;
  #factsDropped = 0;

  constructor(deps: EngineAdmissionDeps) {
    this.#deps = deps;
  }

  /** Whether the shard was joined, which makes ids and the shard's time known. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** Whether machines may start. */
  get accepting(): boolean {
    return this.#isJoined && !this.#isLeaving;
  }

  /** The shard is joined: from now on it is asked. */
  open(): void {
    this.#isJoined = true;
  }

  /** No more starts; machines that are there are still told. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Nothing more is admitted. */
  end(): void {
    this.#isLeaving = true;
    this.#isEnded = true;
  }

  /** Throws `Unavailable`, and `TypeError` for a kind that does not exist. */
  start({
    account,
    kind,
    input,
    claims = [],
    bookings = [],
    id = this.#deps.membership.mint(),
  }: StartMachineRequest & Partial<StartWithChargesRequest>): Promise<StartWithChargesResult> {
    if (!this.accepting) throw this.#unavailable();
    this.#refuseWhileFailing(id);
    const { charts, replies, writerOf } = this.#deps;
    const chart = charts.current(kind);
    return replies.request((caller) =>
      writerOf(id).start({ chart, account, id, input, claims, bookings, caller, doubtful: false }),
    );
  }

  /** Throws `Unavailable`. */
  send(ref: MachineRef, event: MachineEvent): Promise<SendEventResult> {
    this.#refuseUnlessServed();
    this.#refuseWhileFailing(ref.id);
    const { dispatcher, replies } = this.#deps;
    return replies.request((done) => dispatcher.deliver(ref.account, ref.id, { what: 'event', event, done }));
  }

  /** Throws `Unavailable`. */
  keep(records: NonMachineRecordsToWrite): Promise<Kept> {
    this.#refuseUnlessServed();
    this.#refuseWhileClosed();
    return this.#deps.replies.request((caller) => this.#deps.records.keep(records, caller));
  }

  /** A provider's fact, for which no caller waits. Admitted, unless too many are kept already for a database that fails. */
  report(account: number, id: number, event: MachineEvent): void {
    if (!this.#isEnded && this.#keepsFact(id))
      this.#deps.dispatcher.deliver(account, id, { what: 'event', event });
  }

  /** An operator's order about an owed effect. Throws `Unavailable`. */
  orderEffect(ref: MachineRef, effect: string, what: 'begin' | 'cancel'): Promise<EffectOrderResult> {
    this.#refuseUnlessServed();
    this.#refuseWhileFailing(ref.id);
    const { dispatcher, replies } = this.#deps;
    return replies.request((done) => dispatcher.deliver(ref.account, ref.id, { what, effect, done }));
  }

  /** An id for a machine or a record of this shard. Throws `Unavailable` before the shard was joined: ids tell the time. */
  mintId(): number {
    if (!this.#isJoined) throw this.#unavailable();
    return this.#deps.membership.mint();
  }

  #refuseUnlessServed(): void {
    if (!this.#isJoined || this.#isEnded) throw this.#unavailable();
  }

  /**
   * What would only wait for the database to come back is refused at once. A heartbeat that fails tells so of a lane that
   * is idle; one that has just written knows better. Throws `Unavailable`.
   */
  #refuseWhileFailing(id: number): void {
    this.#refuseWhileClosed();
    const { shard, cache, health, writerOf } = this.#deps;
    const lane = writerOf(id);
    const isFailing =
      lane.isRefusing ||
      (health.failsFor('heartbeat') > REFUSING_MS && lane.writtenAgo > REFUSING_MS) ||
      cache.get(id)?.phase === 'held';
    if (isFailing) throw new Unavailable(`the database of shard ${shard} takes no writes now`, 5);
  }

  #refuseWhileClosed(): void {
    const { refusal } = this.#deps.membership.guard;
    if (refusal !== undefined) throw new Unavailable(`shard ${this.#deps.shard} ${refusal}`, 5);
  }

  #keepsFact(id: number): boolean {
    const { cache, health, membership } = this.#deps;
    if (!health.isFailing && membership.guard.isOpen) this.#factsKept = 0;
    else if (++this.#factsKept > FACTS_KEPT) return this.#dropFact();
    const cached = cache.get(id);
    return cached?.phase !== 'held' || cached.mailbox.length < FACTS_KEPT_OF_ONE || this.#dropFact();
  }

  #dropFact(): false {
    this.#factsDropped += 1;
    const { shard, log } = this.#deps;
    if (Number.isInteger(Math.log2(this.#factsDropped)))
      log.error({ shard, facts: this.#factsDropped }, 'facts are dropped: too many wait');
    return false;
  }

  #unavailable(): Unavailable {
    return this.#isJoined
      ? new Unavailable('the service is stopping', 5)
      : new Unavailable(`shard ${this.#deps.shard}, which holds this account, does not answer`, 5);
  }
}
