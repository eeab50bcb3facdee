/**
 * The engine of one shard: builds its parts, connects them, starts and stops them.
 *
 *   mail comes in (`machineMailDispatcher.ts`) → the machine is read if it is not in memory → its writer steps and commits it
 *   (`writer/writer.ts`) → callers are answered, effects begin, the timer is armed (`afterCommit.ts`).
 *
 * Nothing that is owed is kept in memory only: when the process is killed at any line, another goes on from the rows.
 */
import type { ShardClock } from './cluster/monotonicShardTime.ts';
import type { Kind } from './contract/kind.ts';
import { ProcessStallDetector } from './cluster/timerGraceAfterStall.ts';
import { EngineAdmission } from './runtime/admitUnlessDatabaseFails.ts';
import { PostCommitActions } from './runtime/afterCommit.ts';
import type { TimerOrPendingEffect } from './contract/timersAndPendingEffects.ts';
import { CompiledCharts } from './step/charts.ts';
import { TimerAndEffectMailer } from './runtime/timerAndEffectMail.ts';
import {
  collectUncommittedFactsInMemory,
  findSentButUnwrittenSteps,
} from './runtime/handOverUncommittedFacts.ts';
import { DatabaseFailureTracker } from './contract/databaseFailureTracker.ts';
import { timeOfId } from './contract/idGenerator.ts';
import { InboxTableReader } from './runtime/inboxTableReader.ts';
import type { CommitBatchItem } from './writer/batchItem.ts';
import { NonMachineRecordWriter } from './runtime/nonMachineRecordWriter.ts';
import { ShardWriter } from './writer/writer.ts';
import { type Journal, noopJournal } from './contract/journal.ts';
import { MachineLoader } from './runtime/machineLoader.ts';
import { ClusterMembership, type ClusterMembershipOptions } from './cluster/membership.ts';
import { CallersAwaitingCommit } from './writer/pendingReplies.ts';
import { EffectRunner } from './runtime/effects.ts';
import type {
  Clock,
  EngineLog,
  EngineMetrics,
  WakeUpHints,
  EffectPerformers,
  Random,
} from './contract/ports.ts';
import { MachineMailDispatcher } from './runtime/machineMailDispatcher.ts';
import { BalanceWriterTurns } from './writer/serializeBalanceWriters.ts';
import type { ShardWriterDeps } from './writer/writerDeps.ts';
import { MachineCache } from './writer/cachedMachine.ts';
import { PeriodicTasks } from './runtime/periodicTasks.ts';
import { DeferredEffectAckBuffer } from './writer/effectAcceptanceBuffer.ts';
import type { ShardMachineStore, TakenOverMachine } from './contract/store.ts';
import { MachineTakeoverRunner } from './cluster/takeover.ts';
import { LONGEST_LOW_PRIORITY_WAIT_MS } from './writer/lowPriorityQueue.ts';
import { MachineTimerScheduler } from './timers/fireDueTimers.ts';
import { PENDING_MACHINE_STATE } from './contract/deferredStart.ts';
import { createMachineMilestoneLookup, MilestoneWaiters } from './runtime/milestoneWaiters.ts';
import { STEP_WRITERS } from './recovery/numberAndJournalWrites.ts';

export interface ShardOptions {
  name: string;
  store: ShardMachineStore;
  kinds: readonly Kind[];
  performers: EffectPerformers;
  clock: Clock;
  random: Random;
  hints: WakeUpHints;
  metrics: EngineMetrics;
  log: EngineLog;
  membership: ClusterMembershipOptions;
  /** Keeps what is acknowledged, for a database that goes back. Default: nothing does. */
  journal?: Journal;
  /** Of the one whose place it takes: the shard's time goes on from there, and never back. */
  time?: ShardClock;
  /** Machines kept in memory. */
  cachedMachines: number;
  /** Steps a machine may take on its own account within a second before it counts as spinning. Default 200. */
  ownStepsPerSecond?: number;
  /** Most steps in one commit. Default 750. */
  stepsPerCommit?: number;
}

const OWN_STEPS_PER_SECOND = 200;
const STEPS_PER_COMMIT = 750;
/** How often the due times of the next minute are fetched. */
const LOOK_AHEAD_MS = 20_000;
/** How often the inbox is read without a hint. */
const INBOX_MS = 500;
/** How long a caller waits for its step to become durable. */
const CALLER_MS = 5_000;
/** How long an orderly stop waits for effects that are being performed, and for what has still to be written. */
const DRAIN_MS = 10_000;

export class ShardEngine {
  readonly name: string;
  readonly store: ShardMachineStore;
  readonly membership: ClusterMembership;
  readonly admission: EngineAdmission;
  readonly waiters: MilestoneWaiters;
  /** Told when nothing in memory is true any more (`folderLock.ts`): another is to take this one's place. */
  onOverruled: () => void = () => {};
  readonly #options: ShardOptions;
  readonly #charts: CompiledCharts;
  readonly #stalls: ProcessStallDetector;
  readonly #cache: MachineCache;
  readonly #writers: ShardWriter[];
  readonly #time: MachineTimerScheduler;
  readonly #inbox: InboxTableReader;
  readonly #keeper: NonMachineRecordWriter;
  readonly #loader: MachineLoader;
  readonly #dispatcher: MachineMailDispatcher;
  readonly #acks: DeferredEffectAckBuffer;
  readonly #internalEvents: TimerAndEffectMailer;
  readonly #effectRunner: EffectRunner;
  readonly #afterCommit: PostCommitActions;
  readonly #takeover: MachineTakeoverRunner;
  readonly #rounds: PeriodicTasks;
  readonly #health: DatabaseFailureTracker;

  constructor(options: ShardOptions) {
    const { name: shard, store, clock, log, metrics, hints, random, performers } = options;
    this.#options = options;
    this.name = shard;
    this.store = store;
    this.#charts = new CompiledCharts(options.kinds);
    this.#health = new DatabaseFailureTracker(shard, clock, log);
    const health = this.#health;
    this.membership = new ClusterMembership(store, clock, options.membership, {
      ...{ shard, journal: options.journal ?? noopJournal, log, health, random },
      jumped: (of, ms) => metrics.jumped(of, ms),
      ahead: (ms) => metrics.ahead(shard, ms),
      ...(options.time && { time: options.time }),
    });
    this.#stalls = new ProcessStallDetector(clock, this.membership);
    this.#cache = new MachineCache(options.cachedMachines);
    this.#rounds = new PeriodicTasks(clock, random, health);
    this.waiters = new MilestoneWaiters(
      clock,
      createMachineMilestoneLookup((id) => this.#dispatcher.known(id), store),
    );
    const { membership } = this;
    const cache = this.#cache;
    const writerOf = (id: number): ShardWriter => this.#writerOf(id);

    this.#time = new MachineTimerScheduler({
      clock,
      store,
      now: () => membership.now(),
      incarnation: () => membership.incarnation,
      cached: (id) => this.#dispatcher.known(id),
      fetch: ({ account, id }) =>
        this.#loader.readForTimers(account, id, (row) => this.#dispatcher.fetchedForTimers(account, id, row)),
      mail: (cached, mail) => {
        this.#takeover.prioritize(cached.id);
        this.#internalEvents.mail(cached, mail);
      },
      flush: (cached) => this.#dispatcher.scheduleTimers(cached),
      fired: (lagMs) => metrics.fired(lagMs),
      catchUpMs: () => this.#stalls.catchUpMs,
    });
    this.#inbox = new InboxTableReader({
      ...{ shard, store, clock, random, health, hints, membership },
      dispatcher: (account, machine, mail) => this.#dispatcher.deliver(account, machine, mail),
      isHere: (machine) => this.#dispatcher.known(machine) !== undefined,
      sentSince: () => this.#writers.reduce((least, lane) => Math.min(least, lane.sentAt), Infinity),
    });
    this.#keeper = new NonMachineRecordWriter({ shard, store, clock, random, health, membership });
    this.#loader = new MachineLoader(
      store,
      {
        ...{ clock, random, health, guard: membership.guard },
        readyMachines: () => this.#writers.reduce((sum, lane) => sum + lane.ready, 0),
      },
      (found) => this.#dispatcher.loaded(found),
    );
    this.#dispatcher = new MachineMailDispatcher({
      ...{ cache, membership, writerOf },
      charts: this.#charts,
      inbox: this.#inbox,
      time: this.#time,
      loader: this.#loader,
      rested: (cached) => this.#afterCommit.idle(cached),
    });
    this.#acks = new DeferredEffectAckBuffer(clock, (cached) => {
      // One that was forgotten meanwhile would step beside its successor.
      if (cache.get(cached.id) === cached) this.#dispatcher.scheduleTimers(cached);
    });
    this.#internalEvents = new TimerAndEffectMailer({
      ...{ membership, log, dispatcher: this.#dispatcher, acks: this.#acks },
      ownStepsPerSecond: options.ownStepsPerSecond ?? OWN_STEPS_PER_SECOND,
    });
    this.#effectRunner = new EffectRunner({
      ...{ shard, clock, random, performers, metrics, log },
      mayBegin: (sentAt) => membership.mayAct(sentAt),
      renew: (cached, entry) => void this.#internalEvents.renew(cached, entry),
      dispatcher: (cached, mail) => this.#internalEvents.mail(cached, mail),
      settle: (cached, effect) => this.#internalEvents.settle(cached, effect),
    });
    this.#afterCommit = new PostCommitActions({
      ...{ shard, cache, hints, metrics, log, writerOf },
      dispatcher: this.#dispatcher,
      inbox: this.#inbox,
      time: this.#time,
      effectRunner: this.#effectRunner,
      acks: this.#acks,
      waiters: this.waiters,
    });
    this.#takeover = new MachineTakeoverRunner({
      ...{ store, clock, log, random, health, membership },
      known: this.#charts.known,
      lowPriority: {
        ...{ known: this.#charts.lowPriority, waitMs: LONGEST_LOW_PRIORITY_WAIT_MS },
        waiting: () => this.#writers.reduce((sum, lane) => sum + lane.lowPriority, 0),
      },
      backlog: () => this.#writers.reduce((sum, lane) => sum + lane.ready, this.#loader.waiting),
      began: () => this.#inbox.takeoverBegan(),
      ended: () => this.#inbox.takeoverEnded(),
      taken: (row) => this.#taken(row),
      step: ({ account, id, upTo }) => this.#dispatcher.deliver(account, id, { what: 'takenOver', upTo }),
    });
    const together = { quarantines: [], turns: new BalanceWriterTurns(this.#options.clock) };
    this.#writers = Array.from({ length: STEP_WRITERS }, (_, index) => this.#lane(index, together));
    this.admission = new EngineAdmission({
      ...{ shard, cache, health, log, membership, writerOf },
      charts: this.#charts,
      dispatcher: this.#dispatcher,
      records: this.#keeper,
      replies: new CallersAwaitingCommit(clock, CALLER_MS),
    });
  }

  #lane(index: number, together: Pick<ShardWriterDeps, 'quarantines' | 'turns'>): ShardWriter {
    const { name: shard, store, clock, random, metrics, log } = this.#options;
    const { membership } = this;
    const health = this.#health;
    const charts = this.#charts;
    return new ShardWriter({
      ...{ index, shard, store, clock, random, health, metrics, log, ...together },
      stepsPerCommit: this.#options.stepsPerCommit ?? STEPS_PER_COMMIT,
      drafts: {
        shard,
        get heldBy() {
          return membership.incarnation;
        },
        graceMs: membership.graceMs,
        mint: () => membership.mint(),
        catchUpMs: () => this.#stalls.catchUpMs,
        chartOf: (kind) => charts.current(kind),
      },
      now: () => membership.now(),
      lowWatermark: () => membership.lowWatermark,
      guard: membership.guard,
      told: this.#afterCommit,
    });
  }

  #writerOf(id: number): ShardWriter {
    // Ids of one millisecond differ in their low bits only, and each millisecond begins anew.
    return this.#writers[(id + timeOfId(id)) % STEP_WRITERS]!;
  }

  // ------------------------------------------------------------ life

  /** Joins the shard, takes up what the dead left, and begins to admit starts. */
  async start(): Promise<void> {
    const { membership } = this;
    membership.onDead = (dead) => this.#takeover.run(dead);
    membership.onReturn = () => void this.#time.lookAhead().catch(() => {});
    membership.onClockStep = (ms) => {
      this.#stalls.missed(ms);
      void this.#time.lookAhead().catch(() => {});
    };
    membership.guard.onReopened = () => {
      this.#dispatcher.reopened();
      // Due times that were known are those of before.
      void this.#time.lookAhead().catch(() => {});
    };
    membership.onRejoin = () => this.#dispatcher.forgetAll();
    membership.onOverruled = () => this.onOverruled();
    await membership.start();
    this.#stalls.start();
    this.#options.hints.subscribe((shard, topic, machine) => {
      if (shard !== this.name) return;
      if (topic === 'milestone') this.waiters.hint(machine);
      else void this.#inbox.read().catch(() => {});
    });
    await this.#time.lookAhead();
    this.#rounds.every(LOOK_AHEAD_MS, 'looking ahead', () => this.#time.lookAhead());
    this.#rounds.every(INBOX_MS, 'reading events', () => this.#inbox.read());
    this.#rounds.every(membership.graceMs, 'looking for overdue machines', async () =>
      this.#takeover.overdue(),
    );
    this.admission.open();
  }

  /** Why this node takes no new work for the shard, as the end of "the shard …"; undefined: it takes it. */
  get problem(): string | undefined {
    if (!this.admission.isJoined) return 'has not answered since this node started';
    if (!this.admission.accepting) return 'is being left: the service is stopping';
    const closed = this.membership.guard.problem;
    if (closed !== undefined) return closed;
    const failing = this.#health.problem;
    if (failing !== undefined) return failing;
    if (!this.membership.fresh)
      return 'has confirmed no heartbeat lately: its database is away, or refuses writes';
    return this.#writers.map((lane) => lane.problem).find((problem) => problem !== undefined);
  }

  /**
   * Orderly: no more starts, what is in flight is finished and written, also facts for machines of other nodes and what the
   * database refused at first; rows are free for others at once.
   */
  async stop(): Promise<void> {
    this.admission.leave();
    for (const lane of this.#writers) lane.close();
    const until = this.#options.clock.monotonic() + DRAIN_MS;
    while (this.#hasWork() && this.#options.clock.monotonic() < until) {
      this.#acks.flush();
      await new Promise<void>((resolve) => void this.#options.clock.after(10, resolve));
    }
    this.abandon();
    // One that was never joined has nothing to leave, and nowhere to say so.
    if (this.admission.isJoined) await this.membership.stop();
  }

  /** Ends without a word, as a crash would; for simulations. */
  abandon(): void {
    this.admission.end();
    this.#rounds.stop();
    this.#health.stop();
    this.#stalls.stop();
    for (const lane of this.#writers) lane.abandon();
    this.#takeover.stop();
    this.#effectRunner.abandon();
    this.#internalEvents.stop();
    this.#loader.stop();
    this.#time.stop();
    this.#inbox.stop();
    this.#keeper.stop();
    this.waiters.stop();
    this.membership.abandon();
  }

  /** Steps of this shard, which writes no more, that were not written. */
  unwritten(): Promise<CommitBatchItem[]> {
    return findSentButUnwrittenSteps(this.#writers, this.store);
  }

  /** Hands what this shard was told, and no machine has heard, to the one that takes its place. */
  handOver(fresh: ShardEngine, unwritten: readonly CommitBatchItem[]): void {
    for (const { account, id, event } of collectUncommittedFactsInMemory(unwritten, this.#cache))
      fresh.admission.report(account, id, event);
    fresh.#inbox.leaveFor(this.#inbox.unwritten);
  }

  #hasWork(): boolean {
    if (this.#effectRunner.size > 0 || this.#acks.size > 0) return true;
    if (this.#inbox.busy || this.#keeper.busy || this.#loader.busy) return true;
    return this.#writers.some((lane) => lane.busy || lane.waiting > 0 || lane.holdsUrgentMail);
  }

  /** A row of a dead incarnation is ours now. It is stepped only when that matters to it. */
  #taken(row: TakenOverMachine): boolean {
    this.#inbox.requestReread();
    this.#time.armAt(row.account, row.id, row.wakeAt);
    if (row.state === PENDING_MACHINE_STATE) return false;
    const agenda = JSON.parse(row.agenda) as TimerOrPendingEffect[];
    const doubtful = agenda.some((entry) => entry.t === 'effect' && !entry.wait);
    return doubtful || this.#charts.of(row)!.isAdoptable(row.state);
  }
}
