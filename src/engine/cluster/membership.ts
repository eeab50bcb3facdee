/**
 * This node among the others of a shard: its incarnation, its heartbeat, the shard's time, and which nodes are dead.
 *
 * A node may act on a row only while its own heartbeat is fresh; other nodes may take its rows only after its heartbeat
 * has not changed for the grace time. The first limit is half the second, so the two never overlap.
 */
import { backoffPauseMs } from '../contract/backoff.ts';
import { DatabaseRollbackGuard } from '../recovery/databaseRollbackGuard.ts';
import { WRITERS_PER_NODE } from '../recovery/numberAndJournalWrites.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import { IdGenerator, RESERVED_IDS_MS } from '../contract/idGenerator.ts';
import type { Journal } from '../contract/journal.ts';
import { FailureDetector } from './failureDetector.ts';
import type { Clock, EngineLog, Random } from '../contract/ports.ts';
import { ShardClock } from './monotonicShardTime.ts';
import type { NodeRow, ShardMachineStore } from '../contract/store.ts';
import { SuspendDetector } from './suspendDetector.ts';

export interface ClusterMembershipOptions {
  name: string;
  /** Names host, process and start time; `isProcessDead` understands it. */
  process: string;
  /** True when that process surely ended (same host, looked up); false when unknown. */
  isProcessDead: (process: string) => boolean;
  graceMs: number;
}

/** Who hears of it. */
export interface ClusterMembershipDeps {
  shard: string;
  journal: Journal;
  /** The shard's time, where this process had it already. */
  time?: ShardClock;
  log: EngineLog;
  health: DatabaseFailureTracker;
  random: Random;
  /** A clock jumped by so many milliseconds: the database's, or this machine's own. */
  jumped(of: 'database' | 'machine', ms: number): void;
  /** How far the shard's time is ahead of the database's clock, milliseconds. */
  ahead(ms: number): void;
}

/** Beats in a grace time. */
const BEATS = 5;
/** The first pause after a beat that failed, milliseconds; the longest is that between two beats. */
const AGAIN_MS = 400;
/** Its name among the parts of the shard that may fail. */
const PART = 'heartbeat';

export class ClusterMembership {
  incarnation = 0;
  readonly guard: DatabaseRollbackGuard;
  /** Of the dead, those whose journals were asked for. */
  #examined: ReadonlySet<number> = new Set();
  readonly #store: ShardMachineStore;
  readonly #clock: Clock;
  readonly #options: ClusterMembershipOptions;
  readonly #listener: ClusterMembershipDeps;
  readonly time: ShardClock;
  readonly #suspend: SuspendDetector;
  readonly #peers = new FailureDetector();
  #mint: IdGenerator = new IdGenerator(0, () => 0);
  #beatSent = -Infinity;
  /** When this incarnation began, monotonic. */
  #joinedAt = Infinity;
  #cancel: () => void = () => {};
  #waiting: (() => void)[] = [];
  #isBeating = false;
  /** The next heartbeat is not waited for. */
  #hurries = false;
  /** When it was last seen that nodes wait for each other's heartbeats, monotonic. */
  #awaitedAt = -Infinity;
  /** Beats that failed in a row. */
  #failures = 0;
  #stopped = false;
  /** Told of incarnations found dead, after each beat. */
  onDead: (incarnations: number[]) => void = () => {};
  /** Told when the database was heard again after a silence. */
  onReturn: () => void = () => {};
  /** Told when this incarnation was declared dead while it slept, and a new one has begun. */
  onRejoin: () => void = () => {};
  /** Told at each beat when the shard was opened though commits are lost: what this node knows is not true any more. */
  onOverruled: () => void = () => {};
  /** Told when the shard's time jumped forward here, and how far. */
  onClockStep: (ms: number) => void = () => {};

  constructor(
    store: ShardMachineStore,
    clock: Clock,
    options: ClusterMembershipOptions,
    listener: ClusterMembershipDeps,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#options = options;
    this.#listener = listener;
    this.time = listener.time ?? new ShardClock(clock);
    const { shard, log, journal } = listener;
    const { isProcessDead, graceMs } = options;
    this.guard = new DatabaseRollbackGuard({
      ...{ shard, store, journal, clock, log, isProcessDead, graceMs },
      // What this node minted itself may be ahead of the clock.
      placed: (slot, mintedMs) => this.#mintIn(slot, Math.max(mintedMs, this.#mint.millisecond)),
      now: () => this.now(),
    });
    // Less is a part of the half grace time that lies between what a node may and what others may.
    this.#suspend = new SuspendDetector(clock, options.graceMs / 10);
    this.#suspend.onResume = (sleptMs) => this.#resumed(sleptMs);
  }

  get graceMs(): number {
    return this.#options.graceMs;
  }

  /** The shard's time, epoch milliseconds; never goes back. */
  now(): number {
    return this.time.now();
  }

  /** Whether this node may begin effects: its heartbeat is young enough that no other node can have taken its rows. */
  get fresh(): boolean {
    return this.mayAct(this.#beatSent);
  }

  /**
   * Whether what a commit sent at that time (monotonic) says may be acted on, its effects begin and its words be handed
   * on: it was not long ago, on the wall clock as well, and under this incarnation. One sent under the last, before we
   * knew that it was declared dead, left a row that another node may have taken.
   */
  mayAct(sentAt: number): boolean {
    const resumedAt = this.#suspend.resumedAt();
    const oldest = Math.min(sentAt, this.#beatSent);
    const age = this.#clock.monotonic() - oldest;
    return sentAt >= this.#joinedAt && oldest >= resumedAt && age < this.#options.graceMs / 2;
  }

  mint(): number {
    return this.#mint.next();
  }

  /** A row that was another's is ours now: our ids go on above this one. */
  advanceIds(id: number): void {
    this.#mint.advancePast(id);
  }

  /** Whether an incarnation was declared dead (one that still holds rows is never forgotten; an unknown one is new). */
  isDead(incarnation: number): boolean {
    return this.#peers.isDead(incarnation);
  }

  /** Other nodes that live. */
  get others(): number {
    return this.#peers.living;
  }

  /** A time that every living node has passed, on its own clock: what is long due by it is late for its holder as well. */
  get lowWatermark(): number {
    return this.#peers.earliestTime(this.now());
  }

  /** Joins the shard. Fails while the database does not answer. */
  async start(): Promise<void> {
    this.#isBeating = true;
    try {
      await this.#register();
      await this.#beat();
    } finally {
      this.#isBeating = false;
    }
    this.#plan();
  }

  async #register(): Promise<void> {
    const { isProcessDead, graceMs } = this.#options;
    await this.time.join(() => this.#store.clockReference(), {
      isProcessDead,
      beatMs: graceMs / BEATS,
    });
    const { incarnation, slot, mintedMs, tokens } = await this.#store.register({
      name: this.#options.name,
      process: this.#options.process,
      at: this.now(),
      aheadMs: this.time.aheadMs,
      graceMs: this.#options.graceMs,
      writers: WRITERS_PER_NODE,
    });
    const { name, process } = this.#options;
    try {
      await this.guard.begin({ incarnation, slot, name, process, tokens });
    } catch (error) {
      await this.#store.leaveNode(incarnation, this.now());
      throw error;
    }
    this.incarnation = incarnation;
    this.#joinedAt = this.#clock.monotonic();
    this.#mintIn(slot, mintedMs);
    this.#peers.reset();
  }

  #mintIn(slot: number, after: number): void {
    this.#mint = new IdGenerator(slot, () => this.now(), after);
  }

  /** Settles after the next heartbeat that the database heard. */
  nextBeat(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    this.abandon();
    await this.#store.leaveNode(this.incarnation, this.now());
  }

  /** Ends without a word, as a crash would. */
  abandon(): void {
    this.#stopped = true;
    this.#cancel();
    this.guard.stop();
  }

  #plan(): void {
    if (this.#stopped) return;
    const waitMs = this.#hurries ? 0 : this.#pauseMs();
    this.#hurries = false;
    this.#cancel();
    this.#cancel = this.#clock.after(waitMs, () => void this.#turn());
  }

  /** Until the next heartbeat: one that failed is tried again sooner, and less and less so; one that others wait for comes soon. */
  #pauseMs(): number {
    const longestMs = this.#options.graceMs / BEATS;
    const firstMs = Math.min(AGAIN_MS, longestMs);
    if (this.#failures === 0) return this.#hastens(longestMs) ? firstMs : longestMs;
    return backoffPauseMs(this.#failures, { firstMs, longestMs }, this.#listener.random());
  }

  /** This node waits for others to look at a new server, or did a moment ago: they wait for it as well. */
  #hastens(forMs: number): boolean {
    if (this.guard.awaitsPeers) this.#awaitedAt = this.#clock.monotonic();
    return this.#clock.monotonic() - this.#awaitedAt < forMs;
  }

  /** A heartbeat; failures are told to who watches the shard's health. */
  async #turn(): Promise<void> {
    const { health } = this.#listener;
    this.#isBeating = true;
    try {
      if (this.#failures > 0) this.guard.rereadJournals();
      await this.#beat();
      this.#failures = 0;
      health.recovered(PART);
    } catch (error) {
      this.#failures += 1;
      if (!this.#stopped) health.failed(PART, error);
    }
    this.#isBeating = false;
    this.#plan();
  }

  /** This machine slept: nothing that it knew is young, and it beats at once to learn how it stands. */
  #resumed(sleptMs: number): void {
    this.#listener.jumped('machine', sleptMs);
    this.#listener.log.warn(
      { sleptMs },
      'this machine was suspended, or its wall clock was set: beating anew',
    );
    this.#peers.reset();
    this.#hurries = true;
    if (!this.#isBeating && this.#joinedAt !== Infinity) this.#plan();
  }

  async #adjust(): Promise<void> {
    const sent = this.#clock.monotonic();
    const jump = await this.time.sync(() => this.#store.now());
    this.#listener.ahead(this.time.aheadMs);
    if (!jump) return;
    const { byMs, steppedMs } = jump;
    // What was committed before may be as old as that.
    if (byMs > 0) this.#suspend.suspect(sent);
    this.#listener.jumped('database', byMs);
    const fields = { ...jump, aheadMs: this.time.aheadMs };
    if (steppedMs > 0)
      this.#listener.log.warn(fields, 'the time of the shard went on while this machine did not');
    else
      this.#listener.log.warn(
        fields,
        'the clock of the database jumped: the time of the shard follows slowly',
      );
    if (steppedMs > 0) this.onClockStep(steppedMs);
  }

  async #beat(): Promise<void> {
    this.#suspend.beat();
    const sent = this.#clock.monotonic();
    await this.guard.look();
    if (this.guard.isOverruled) {
      this.onOverruled();
      return;
    }
    await this.#adjust();
    const asked = this.#clock.monotonic();
    const { alive, nodes } = await this.#store.beat({
      incarnation: this.incarnation,
      at: this.now(),
      mintedMs: Math.max(this.#mint.millisecond, this.now()) + RESERVED_IDS_MS,
      aheadMs: this.time.aheadMs,
    });
    if (this.#stopped) return;
    const others = nodes.filter(({ incarnation }) => incarnation !== this.incarnation);
    this.guard.observe(others);
    if (!alive) {
      // One that the database does not know was not declared dead: it waits for what becomes of the shard. The database may
      // have gone back since this heartbeat began, and a new incarnation would miss nothing of what it forgot.
      if (!(await this.guard.standsOpen())) return;
      this.#listener.log.warn({ incarnation: this.incarnation }, 'declared dead while asleep: joining anew');
      await this.#register();
      this.#beatSent = -Infinity;
      this.onRejoin();
      await this.#beat();
      return;
    }
    // After a silence the others could not beat either: they are watched anew.
    const isBack = this.#beatSent !== -Infinity && sent - this.#beatSent > this.#options.graceMs / 2;
    if (isBack) this.#peers.reset();
    this.#beatSent = asked;
    this.#peers.observe(others, this.#clock.monotonic());
    this.#listener.journal.saw(livingOf(nodes), this.now());
    if (isBack) this.onReturn();
    for (const resolve of this.#waiting.splice(0)) resolve();
    await this.#judge(asked);
  }

  /** Declares dead whose beats stood still for a grace time, or whose process ended, and tells of all the dead. */
  async #judge(asked: number): Promise<void> {
    for (const { node, silentMs } of this.#peers.silences(asked)) {
      const { incarnation, process, beats, beatAt } = node;
      const ended = this.#options.isProcessDead(process);
      if (!ended && silentMs <= this.#options.graceMs) continue;
      await this.guard.examineEnd(node);
      if (await this.#store.declareDead(incarnation, this.now(), ended ? null : { beats, beatAt }))
        this.#peers.markDead(incarnation);
    }
    const { dead } = this.#peers;
    // What the database has forgotten of them is brought back before anything of theirs is taken up.
    if (dead.some((one) => !this.#examined.has(one))) {
      this.guard.rereadJournals();
      await this.guard.look();
      this.#examined = new Set(dead);
    }
    if (dead.length > 0 && this.guard.isOpen) this.onDead(dead);
  }
}

/** One that has not beaten yet may have no journal, and has done nothing. */
const livingOf = (nodes: readonly NodeRow[]): number[] =>
  nodes
    .filter(({ stoppedAt, beats }) => stoppedAt === null && beats > 0)
    .map(({ incarnation }) => incarnation);
