/**
 * The engine of one shard: its parts, put together, and its life.
 *
 *   mail comes in (`post.ts`) → the machine is read if it is not here → its lane steps and commits it (`lane.ts`) →
 *   answers leave, effects begin, the alarm is set (`aftermath.ts`).
 *
 * Nothing that is owed lives here only: kill the process at any line and another takes up from the rows.
 */
import type { ShardClock } from './shardClock.ts';
import type { ChartEvent } from '../../machines/effect.ts';
import type { Kind } from '../../machines/kind.ts';
import { Absence } from './absence.ts';
import { Aftermath } from './aftermath.ts';
import type { AgendaEntry } from './agenda.ts';
import { Charts } from './charts.ts';
import { Doings } from './doings.ts';
import { unheardFacts, unwrittenOf } from './handOver.ts';
import { Health } from './health.ts';
import { timeOfId } from './ids.ts';
import { Inbox } from './inbox.ts';
import type { Item } from './item.ts';
import { Keeper } from './keeper.ts';
import { Lane } from './lane.ts';
import { type Journal, noJournal } from './journal.ts';
import { Loader } from './loader.ts';
import { Membership, type MembershipOptions } from './membership.ts';
import { Patience } from './patience.ts';
import { Performing } from './performing.ts';
import type { Clock, EngineLog, EngineMetrics, Hints, Performers, Random } from './ports.ts';
import { Post } from './post.ts';
import type { Quarantine } from './quarantine.ts';
import { Residents } from './resident.ts';
import { Rounds } from './rounds.ts';
import { Settling } from './settling.ts';
import type { Kept, Records, ShardStore, TakenUp } from './store.ts';
import { TakeUp } from './takeUp.ts';
import { Timekeeper } from './timekeeper.ts';
import { UNBORN } from './unborn.ts';
import {
  Unavailable,
  type MachineRef,
  type SendResult,
  type PaidResult,
  type PaidStart,
  type StartRequest,
  type WaitResult,
} from './verbs.ts';
import { type Passed, Waiters } from './waiters.ts';
import { LANES } from './writerNumbers.ts';

export interface ShardOptions {
  name: string;
  store: ShardStore;
  kinds: readonly Kind[];
  performers: Performers;
  clock: Clock;
  random: Random;
  hints: Hints;
  metrics: EngineMetrics;
  log: EngineLog;
  membership: MembershipOptions;
  /** Keeps what is acknowledged, for a database that goes back. Default: nothing does. */
  journal?: Journal;
  /** Of the one whose place it takes: the shard's time goes on from there, and never back. */
  time?: ShardClock;
  /** Machines kept in memory. */
  residents: number;
  /** Steps a machine may take on its own account within a second before it counts as spinning. Default 200. */
  ownStepsPerSecond?: number;
}

const OWN_STEPS_PER_SECOND = 200;
/** How often the due times of the next minute are fetched. */
const LOOK_AHEAD_MS = 20_000;
/** How often the inbox is read without a hint. */
const INBOX_MS = 500;
/** How long a caller waits for its step to become durable. */
const CALLER_MS = 5_000;
/** While the database fails for longer than this, requests are refused at once, milliseconds. */
const REFUSING_MS = 2_000;
/** Facts that are kept while the database fails; a machine that is held keeps a part of them. Others are found again by adoption. */
const FACTS_KEPT = 100_000;
const FACTS_KEPT_OF_ONE = 1_000;
/** How long an orderly stop waits for effects that are being performed. */
const DRAIN_MS = 10_000;

export class Shard {
  readonly name: string;
  readonly store: ShardStore;
  readonly membership: Membership;
  accepting = false;
  /** Told when nothing in memory is true any more (`guard.ts`): another is to take this one's place. */
  onOverruled: () => void = () => {};
  readonly #options: ShardOptions;
  readonly #charts: Charts;
  readonly #absence: Absence;
  readonly #residents: Residents;
  readonly #lanes: Lane[];
  readonly #time: Timekeeper;
  readonly #inbox: Inbox;
  readonly #keeper: Keeper;
  readonly #loader: Loader;
  readonly #post: Post;
  readonly #settling: Settling;
  readonly #doings: Doings;
  readonly #performing: Performing;
  readonly #waiters: Waiters;
  readonly #aftermath: Aftermath;
  readonly #takeUp: TakeUp;
  readonly #patience: Patience;
  readonly #rounds: Rounds;
  readonly #health: Health;
  #joined = false;
  #stopped = false;
  /** Facts admitted since the database began to fail, and those dropped since this node joined. */
  #factsKept = 0;
  #factsDropped = 0;

  constructor(options: ShardOptions) {
    const { name: shard, store, clock, log, metrics, hints, random, performers } = options;
    this.#options = options;
    this.name = shard;
    this.store = store;
    this.#charts = new Charts(options.kinds);
    this.#health = new Health(shard, clock, log);
    const health = this.#health;
    this.membership = new Membership(store, clock, options.membership, {
      ...{ shard, journal: options.journal ?? noJournal, log, health, random },
      jumped: (of, ms) => metrics.jumped(of, ms),
      ahead: (ms) => metrics.ahead(shard, ms),
      ...(options.time && { time: options.time }),
    });
    this.#absence = new Absence(clock, this.membership);
    this.#residents = new Residents(options.residents);
    this.#patience = new Patience(clock, CALLER_MS);
    this.#rounds = new Rounds(clock, random, health);
    this.#waiters = new Waiters(clock, { here: (ref) => this.#here(ref), row: (ref) => this.#row(ref) });
    const { membership } = this;
    const residents = this.#residents;
    const laneOf = (id: number): Lane => this.#laneOf(id);

    this.#time = new Timekeeper({
      clock,
      store,
      now: () => membership.now(),
      incarnation: () => membership.incarnation,
      resident: (id) => this.#post.known(id),
      fetch: ({ account, id }) =>
        this.#loader.readForTimers(account, id, (row) => this.#post.fetchedForTimers(account, id, row)),
      mail: (resident, mail) => {
        this.#takeUp.hurry(resident.id);
        this.#doings.mail(resident, mail);
      },
      flush: (resident) => this.#post.wakeUp(resident),
      fired: (lagMs) => metrics.fired(lagMs),
      hearsFor: () => this.#absence.hearsFor,
    });
    this.#inbox = new Inbox({
      ...{ shard, store, clock, random, health, hints, membership },
      post: (account, machine, mail) => this.#post.bring(account, machine, mail),
      isHere: (machine) => this.#post.known(machine) !== undefined,
      sentSince: () => this.#lanes.reduce((least, lane) => Math.min(least, lane.sentAt), Infinity),
    });
    this.#keeper = new Keeper({ shard, store, clock, random, health, membership });
    this.#loader = new Loader(store, { clock, random, health, guard: membership.guard }, (found) =>
      this.#post.loaded(found),
    );
    this.#post = new Post({
      ...{ residents, membership, laneOf },
      charts: this.#charts,
      inbox: this.#inbox,
      time: this.#time,
      loader: this.#loader,
      rested: (resident) => this.#aftermath.rested(resident),
    });
    this.#settling = new Settling(clock, (resident) => {
      // One that was forgotten meanwhile would step beside its successor.
      if (residents.get(resident.id) === resident) this.#post.wakeUp(resident);
    });
    this.#doings = new Doings({
      ...{ membership, log, post: this.#post, settling: this.#settling },
      ownStepsPerSecond: options.ownStepsPerSecond ?? OWN_STEPS_PER_SECOND,
    });
    this.#performing = new Performing({
      ...{ shard, clock, random, performers, metrics, log },
      mayBegin: (sentAt) => membership.mayAct(sentAt),
      renew: (resident, entry) => void this.#doings.renew(resident, entry),
      post: (resident, mail) => this.#doings.mail(resident, mail),
      settle: (resident, effect) => this.#doings.settle(resident, effect),
    });
    this.#aftermath = new Aftermath({
      ...{ shard, residents, hints, metrics, log, laneOf },
      post: this.#post,
      inbox: this.#inbox,
      time: this.#time,
      performing: this.#performing,
      settling: this.#settling,
      waiters: this.#waiters,
    });
    this.#takeUp = new TakeUp({
      ...{ store, clock, log, random, health, membership },
      known: this.#charts.known,
      backlog: () => this.#lanes.reduce((sum, lane) => sum + lane.waiting, this.#loader.waiting),
      began: () => this.#inbox.takingUp(),
      ended: () => this.#inbox.takenUp(),
      taken: (row) => this.#taken(row),
      step: ({ account, id, upTo }) => this.#post.bring(account, id, { what: 'takenUp', upTo }),
    });
    const quarantines: Quarantine[] = [];
    this.#lanes = Array.from({ length: LANES }, (_, index) => this.#lane(index, quarantines));
  }

  #lane(index: number, quarantines: Quarantine[]): Lane {
    const { name: shard, store, clock, random, metrics, log } = this.#options;
    const { membership } = this;
    const health = this.#health;
    const charts = this.#charts;
    return new Lane({
      ...{ index, shard, store, clock, random, health, metrics, log, quarantines },
      drafts: {
        shard,
        get heldBy() {
          return membership.incarnation;
        },
        graceMs: membership.graceMs,
        mint: () => membership.mint(),
        hearsFor: () => this.#absence.hearsFor,
        chartOf: (kind) => charts.current(kind),
      },
      now: () => membership.now(),
      lowWatermark: () => membership.lowWatermark,
      guard: membership.guard,
      told: this.#aftermath,
    });
  }

  #laneOf(id: number): Lane {
    // Ids of one millisecond differ in their low bits only, and each millisecond begins anew.
    return this.#lanes[(id + timeOfId(id)) % LANES]!;
  }

  // ------------------------------------------------------------ life

  /** Joins the shard, takes up what the dead left, and begins to admit starts. */
  async start(): Promise<void> {
    const { membership } = this;
    membership.onDead = (dead) => this.#takeUp.run(dead);
    membership.onReturn = () => void this.#time.lookAhead().catch(() => {});
    membership.onClockStep = (ms) => {
      this.#absence.missed(ms);
      void this.#time.lookAhead().catch(() => {});
    };
    membership.guard.onReopened = () => {
      this.#post.reopened();
      // Due times that were known are those of before.
      void this.#time.lookAhead().catch(() => {});
    };
    membership.onRejoin = () => this.#post.forgetAll();
    membership.onOverruled = () => this.onOverruled();
    await membership.start();
    this.#absence.start();
    this.#options.hints.subscribe((shard, topic, machine) => {
      if (shard !== this.name) return;
      if (topic === 'milestone') this.#waiters.hint(machine);
      else void this.#inbox.read().catch(() => {});
    });
    await this.#time.lookAhead();
    this.#rounds.every(LOOK_AHEAD_MS, 'looking ahead', () => this.#time.lookAhead());
    this.#rounds.every(INBOX_MS, 'reading events', () => this.#inbox.read());
    this.#rounds.every(membership.graceMs, 'looking for overdue machines', async () =>
      this.#takeUp.overdue(),
    );
    this.#joined = true;
    this.accepting = true;
  }

  /** Why this node takes no new work for the shard, as the end of "the shard …"; undefined: it takes it. */
  get problem(): string | undefined {
    if (!this.#joined) return 'has not answered since this node started';
    if (!this.accepting) return 'is being left: the service is stopping';
    const closed = this.membership.guard.problem;
    if (closed !== undefined) return closed;
    const failing = this.#health.problem;
    if (failing !== undefined) return failing;
    if (!this.membership.fresh)
      return 'has confirmed no heartbeat lately: its database is away, or refuses writes';
    return this.#lanes.map((lane) => lane.problem).find((problem) => problem !== undefined);
  }

  /** Orderly: no more starts, what is in flight is finished and written, rows are free for others at once. */
  async stop(): Promise<void> {
    this.accepting = false;
    for (const lane of this.#lanes) lane.close();
    const until = this.#options.clock.monotonic() + DRAIN_MS;
    while (this.#hasWork() && this.#options.clock.monotonic() < until) {
      this.#settling.flush();
      await new Promise<void>((resolve) => void this.#options.clock.after(10, resolve));
    }
    this.abandon();
    // One that was never joined has nothing to leave, and nowhere to say so.
    if (this.#joined) await this.membership.stop();
  }

  /** Ends without a word, as a crash would; for simulations. */
  abandon(): void {
    this.accepting = false;
    this.#stopped = true;
    this.#rounds.stop();
    this.#health.stop();
    this.#absence.stop();
    for (const lane of this.#lanes) lane.abandon();
    this.#takeUp.stop();
    this.#performing.abandon();
    this.#doings.stop();
    this.#loader.stop();
    this.#time.stop();
    this.#inbox.stop();
    this.#keeper.stop();
    this.#waiters.stop();
    this.membership.abandon();
  }

  /** Steps of this shard, which writes no more, that were not written. */
  unwritten(): Promise<Item[]> {
    return unwrittenOf(this.#lanes, this.store);
  }

  /** Hands what this shard was told, and no machine has heard, to the one that takes its place. */
  handOver(fresh: Shard, unwritten: readonly Item[]): void {
    for (const { account, id, event } of unheardFacts(unwritten, this.#residents))
      fresh.report(account, id, event);
    fresh.#inbox.leaveFor(this.#inbox.unleft);
  }

  #hasWork(): boolean {
    if (this.#performing.size > 0 || this.#settling.size > 0) return true;
    if (this.#inbox.busy || this.#keeper.busy || this.#loader.busy) return true;
    return this.#lanes.some((lane) => lane.busy || lane.waiting > 0);
  }

  // ------------------------------------------------------------ verbs

  /** Throws `Unavailable`, and `TypeError` for a kind that does not exist. */
  startMachine({
    account,
    kind,
    input,
    claims = [],
    bookings = [],
    id = this.membership.mint(),
  }: StartRequest & Partial<PaidStart>): Promise<PaidResult> {
    if (!this.accepting) throw this.#unavailable();
    this.#refuseWhileFailing(id);
    const chart = this.#charts.current(kind);
    return this.#patience.ask((caller) =>
      this.#laneOf(id).start({ chart, account, id, input, claims, bookings, caller, doubtful: false }),
    );
  }

  /** Throws `Unavailable`. */
  send(ref: MachineRef, event: ChartEvent): Promise<SendResult> {
    if (this.#stopped || !this.#joined) throw this.#unavailable();
    this.#refuseWhileFailing(ref.id);
    return this.#patience.ask((done) =>
      this.#post.bring(ref.account, ref.id, { what: 'event', event, done }),
    );
  }

  /** Throws `Unavailable`. */
  keep(records: Records): Promise<Kept> {
    if (this.#stopped || !this.#joined) throw this.#unavailable();
    this.#refuseWhileClosed();
    return this.#patience.ask((caller) => this.#keeper.keep(records, caller));
  }

  /** A provider's fact: nobody waits. Admitted, unless too many are kept already for a database that fails. */
  report(account: number, id: number, event: ChartEvent): void {
    if (!this.#stopped && this.#keepsFact(id)) this.#post.bring(account, id, { what: 'event', event });
  }

  /** An operator's wish: perform an owed effect now. */
  retryEffect(ref: MachineRef, effect: string): Promise<boolean> {
    return this.#patience.ask((caller) => {
      const done = (owed: boolean): void => caller.resolve(owed);
      this.#post.bring(ref.account, ref.id, { what: 'begin', effect, done });
    });
  }

  waitFor(ref: MachineRef, milestone: string, timeoutMs: number): Promise<WaitResult> {
    return this.#waiters.wait(ref, milestone, timeoutMs);
  }

  /** An id for a machine or a record of this shard. Throws `Unavailable` before the shard was joined: ids tell the time. */
  mintId(): number {
    if (!this.#joined) throw this.#unavailable();
    return this.membership.mint();
  }

  /**
   * What would only wait for the database to come back is refused at once. A heartbeat that fails tells so of a lane that
   * is idle; one that has just written knows better. Throws `Unavailable`.
   */
  #refuseWhileFailing(id: number): void {
    this.#refuseWhileClosed();
    const lane = this.#laneOf(id);
    const isFailing =
      lane.isRefusing ||
      (this.#health.failsFor('heartbeat') > REFUSING_MS && lane.writtenAgo > REFUSING_MS) ||
      this.#residents.get(id)?.phase === 'held';
    if (isFailing) throw new Unavailable(`the database of shard ${this.name} takes no writes now`, 5);
  }

  #refuseWhileClosed(): void {
    const { refusal } = this.membership.guard;
    if (refusal !== undefined) throw new Unavailable(`shard ${this.name} ${refusal}`, 5);
  }

  #keepsFact(id: number): boolean {
    if (!this.#health.isFailing && this.membership.guard.isOpen) this.#factsKept = 0;
    else if (++this.#factsKept > FACTS_KEPT) return this.#dropFact();
    const resident = this.#residents.get(id);
    return resident?.phase !== 'held' || resident.mailbox.length < FACTS_KEPT_OF_ONE || this.#dropFact();
  }

  #dropFact(): false {
    this.#factsDropped += 1;
    if (Number.isInteger(Math.log2(this.#factsDropped)))
      this.#options.log.error(
        { shard: this.name, facts: this.#factsDropped },
        'facts are dropped: too many wait',
      );
    return false;
  }

  #unavailable(): Unavailable {
    return this.#joined
      ? new Unavailable('the service is stopping', 5)
      : new Unavailable(`shard ${this.name}, which holds this account, does not answer`, 5);
  }

  // ------------------------------------------------------------ looks

  /** A row of a dead incarnation is ours now. It is stepped only when that matters to it. */
  #taken(row: TakenUp): boolean {
    this.#inbox.doubt();
    this.#time.armAt(row.account, row.id, row.wakeAt);
    if (row.state === UNBORN) return false;
    const agenda = JSON.parse(row.agenda) as AgendaEntry[];
    const doubtful = agenda.some((entry) => entry.t === 'effect' && !entry.wait);
    return doubtful || this.#charts.of(row)!.isAdoptable(row.state);
  }

  #here({ account, id }: MachineRef): Passed | undefined {
    const committed = this.#post.known(id)?.committed;
    return committed?.account === account
      ? { milestones: committed.milestones, ended: committed.endedAt !== null }
      : undefined;
  }

  async #row(ref: MachineRef): Promise<Passed | undefined> {
    const [row] = await this.store.read([ref]);
    return row && { milestones: JSON.parse(row.milestones) as string[], ended: row.endedAt !== null };
  }
}
