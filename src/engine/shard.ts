/**
 * The engine of one shard: who waits for what, and in which order it becomes durable.
 *
 *   mail comes in → the machine is read if it is not here → its lane steps and commits it →
 *   answers leave, effects begin, the alarm is set.
 *
 * Nothing that is owed lives here only: kill the process at any line and another takes up from the rows.
 */
import type { ChartEvent } from '../../machines/effect.ts';
import { owedEffect, type AgendaEntry } from './agenda.ts';
import { compileChart, type Chart } from './chart.ts';
import type { Draft } from './draft.ts';
import { timeOfId } from './ids.ts';
import { Inbox } from './inbox.ts';
import { Lane } from './lane.ts';
import { Loader } from './loader.ts';
import type { Mail } from './mail.ts';
import { Membership, type MembershipOptions } from './membership.ts';
import { Patience } from './patience.ts';
import { Performing } from './performing.ts';
import type { Clock, EngineLog, EngineMetrics, Hints, Performers, Random } from './ports.ts';
import { Resident, Residents } from './resident.ts';
import { Settling } from './settling.ts';
import type { MachineRow, ShardStore } from './store.ts';
import { TakeUp } from './takeUp.ts';
import { thawRow } from './thaw.ts';
import { Timekeeper } from './timekeeper.ts';
import {
  Unavailable,
  type MachineRef,
  type SendResult,
  type StartRequest,
  type StartResult,
} from './verbs.ts';
import { Waiters } from './waiters.ts';
import { committedOf } from './write.ts';
import type { Kind } from '../../machines/kind.ts';

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
  /** Machines kept in memory. */
  residents: number;
}

/** Writers of a shard. */
const LANES = 2;
/** How often the due times of the next minute are fetched. */
const LOOK_AHEAD_MS = 20_000;
/** How often the inbox is read without a hint. */
const INBOX_MS = 500;
/** How long a caller waits for its step to become durable. */
const CALLER_MS = 5_000;
/** Steps a machine may take on its own account within a second; more is a chart that spins. */
const OWN_STEPS_PER_SECOND = 200;
/** How long an orderly stop waits for effects that are being performed. */
const DRAIN_MS = 10_000;

export class Shard {
  readonly name: string;
  readonly store: ShardStore;
  readonly membership: Membership;
  accepting = false;
  readonly #options: ShardOptions;
  readonly #charts = new Map<string, Chart>();
  readonly #current = new Map<string, Chart>();
  readonly #residents: Residents;
  readonly #lanes: Lane[];
  readonly #time: Timekeeper;
  readonly #performing: Performing;
  readonly #loader: Loader;
  readonly #takeUp: TakeUp;
  readonly #settling: Settling;
  readonly #waiters: Waiters;
  readonly #patience: Patience;
  readonly #inbox: Inbox;
  #stopped = false;
  #cancels = new Set<() => void>();

  constructor(options: ShardOptions) {
    this.#options = options;
    this.name = options.name;
    this.store = options.store;
    for (const kind of options.kinds) this.#compile(kind);
    const { clock, log, metrics } = options;
    this.membership = new Membership(options.store, clock, options.membership, log);
    this.#residents = new Residents(options.residents);
    this.#time = new Timekeeper({
      clock,
      store: options.store,
      now: () => this.membership.now(),
      incarnation: () => this.membership.incarnation,
      resident: (id) => this.#known(id),
      fetch: ({ account, id }) =>
        this.#loader.readForTimers(account, id, (row) => this.#fetched(account, id, row)),
      mail: (resident, mail) => this.#own(resident, mail),
      flush: (resident) => this.#wakeUp(resident),
      fired: (lagMs) => metrics.fired(lagMs),
    });
    this.#inbox = new Inbox({
      shard: options.name,
      store: options.store,
      clock,
      log,
      hints: options.hints,
      membership: this.membership,
      post: (account, machine, mail) => this.#post(account, machine, mail),
    });
    this.#patience = new Patience(clock, CALLER_MS);
    this.#waiters = new Waiters(clock, (ref) => this.#milestones(ref));
    this.#settling = new Settling(clock, (resident) => {
      // One that was forgotten meanwhile would step beside its successor.
      if (this.#residents.get(resident.id) === resident) this.#wakeUp(resident);
    });
    this.#performing = new Performing({
      shard: options.name,
      clock,
      random: options.random,
      performers: options.performers,
      metrics,
      log,
      mayBegin: (sentAt) => this.membership.mayAct(sentAt),
      renew: (resident, effect) => void this.#renew(resident, effect),
      post: (resident, mail) => this.#own(resident, mail),
      settle: (resident, effect) => this.#settle(resident, effect),
    });
    this.#loader = new Loader(options.store, clock, log, (found) => this.#loaded(found));
    this.#takeUp = new TakeUp({
      store: options.store,
      clock,
      log,
      membership: this.membership,
      known: [...this.#charts.keys()],
      backlog: () => this.#lanes.reduce((sum, lane) => sum + lane.waiting, this.#loader.waiting),
      taken: (row) => this.#taken(row),
      step: ({ account, id, upTo }) => this.#post(account, id, { what: 'takenUp', upTo }),
    });
    this.#lanes = Array.from({ length: LANES }, (_, index) => this.#lane(index));
  }

  // ------------------------------------------------------------ life

  /** Joins the shard, takes up what the dead left, and begins to admit starts. */
  async start(): Promise<void> {
    const { membership } = this;
    membership.onDead = (dead) => this.#takeUp.run(dead);
    membership.onReturn = () => void this.#time.lookAhead().catch(() => {});
    membership.onRejoin = () => this.#forgetAll();
    await membership.start();
    this.#options.hints.subscribe((shard, topic, machine) => {
      if (shard !== this.name) return;
      if (topic === 'milestone') this.#waiters.hint(machine);
      else void this.#inbox.read().catch(() => {});
    });
    await this.#time.lookAhead();
    this.#every(LOOK_AHEAD_MS, () => this.#time.lookAhead());
    this.#every(INBOX_MS, () => this.#inbox.read());
    this.#every(membership.graceMs, async () => this.#takeUp.overdue());
    this.accepting = true;
  }

  /** Orderly: no more starts, what is in flight is finished and written, rows are free for others at once. */
  async stop(): Promise<void> {
    this.accepting = false;
    const until = this.#options.clock.monotonic() + DRAIN_MS;
    while (this.#hasWork() && this.#options.clock.monotonic() < until) {
      this.#settling.flush();
      await new Promise<void>((resolve) => void this.#options.clock.after(10, resolve));
    }
    this.abandon();
    await this.membership.stop();
  }

  /** Ends without a word, as a crash would; for simulations. */
  abandon(): void {
    this.accepting = false;
    this.#stopped = true;
    for (const cancel of this.#cancels) cancel();
    for (const lane of this.#lanes) lane.abandon();
    this.#takeUp.stop();
    this.#performing.abandon();
    this.#loader.stop();
    this.#time.stop();
    this.#inbox.stop();
    this.#waiters.stop();
    this.membership.abandon();
  }

  #hasWork(): boolean {
    if (this.#performing.size > 0 || this.#settling.size > 0) return true;
    return this.#lanes.some((lane) => lane.busy || lane.waiting > 0);
  }

  #every(ms: number, work: () => Promise<void>): void {
    let cancel: () => void = () => {};
    const plan = (): void => {
      this.#cancels.delete(cancel);
      if (this.#stopped) return;
      cancel = this.#options.clock.after(ms, () => {
        work().then(plan, (error: unknown) => {
          this.#options.log.warn({ err: error }, 'periodic work failed');
          plan();
        });
      });
      this.#cancels.add(cancel);
    };
    plan();
  }

  #compile(kind: Kind): void {
    for (const version of Object.keys(kind.versions).map(Number)) {
      const chart = compileChart(kind, version);
      this.#charts.set(`${kind.name}:${version}`, chart);
      if (version === kind.current) this.#current.set(kind.name, chart);
    }
  }

  /** Chart versions of unfinished rows that this build lacks. */
  async missingVersions(): Promise<string[]> {
    return (await this.store.versions()).filter((version) => !this.#charts.has(version));
  }

  // ------------------------------------------------------------ verbs

  async startMachine(request: StartRequest): Promise<StartResult> {
    if (!this.accepting) throw new Unavailable('the service is stopping', 5);
    const chart = this.#current.get(request.kind);
    if (!chart) throw new TypeError(`no machine of kind ${request.kind}`);
    const id = request.id ?? this.membership.mint();
    const { account, input, claims = [] } = request;
    return this.#inTime((resolve, reject) => {
      const birth = { chart, account, id, input, claims, resolve, reject, abandoned: false };
      this.#laneOf(id).start(birth);
      return () => void (birth.abandoned = true);
    });
  }

  async send(ref: MachineRef, event: ChartEvent): Promise<SendResult> {
    if (this.#stopped) throw new Unavailable('the service is stopping', 5);
    return this.#inTime((resolve, reject) => {
      this.#post(ref.account, ref.id, { what: 'event', event, done: { resolve, reject } });
      return () => {};
    });
  }

  /** A provider's fact: always admitted, nobody waits. */
  report(account: number, id: number, event: ChartEvent): void {
    if (!this.#stopped) this.#post(account, id, { what: 'event', event });
  }

  /** An operator's wish: perform an owed effect now. */
  async retryEffect(ref: MachineRef, effect: string): Promise<boolean> {
    return this.#inTime((resolve) => {
      this.#post(ref.account, ref.id, { what: 'begin', effect, done: resolve });
      return () => {};
    });
  }

  waitFor(ref: MachineRef, milestone: string, timeoutMs: number): Promise<'reached' | 'ended' | 'timeout'> {
    return this.#waiters.wait(ref, milestone, timeoutMs);
  }

  #inTime<T>(
    begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let giveUp: () => void = () => {};
      const ended = this.#patience.wait(() => {
        giveUp();
        reject(new Unavailable('the step could not be made durable in time', 2));
      });
      try {
        giveUp = begin(
          (value) => (ended(), resolve(value)),
          (error) => (ended(), reject(error)),
        );
      } catch (error) {
        ended();
        reject(error);
      }
    });
  }

  // ------------------------------------------------------------ mail

  #laneOf(id: number): Lane {
    // Ids of one millisecond differ in their low bits only, and each millisecond begins anew.
    return this.#lanes[(id + timeOfId(id)) % LANES]!;
  }

  #post(account: number, id: number, mail: Mail): void {
    let resident = this.#residents.get(id);
    if (!resident) {
      resident = new Resident(account, id);
      resident.mailbox.push(mail);
      this.#residents.add(resident);
      this.#loader.read(resident);
      return;
    }
    if (resident.account !== account) this.#refuse(mail);
    else {
      resident.mailbox.push(mail);
      this.#wakeUp(resident);
    }
  }

  /** Puts a resident in its lane's queue when it is free to be stepped. */
  #wakeUp(resident: Resident): void {
    if (resident.phase === 'idle' && resident.committed) this.#laneOf(resident.id).queue(resident);
  }

  /** Mail that a machine's own doings cause: timers, acceptances. A chart that spins is stopped, the rest goes on. */
  #own(resident: Resident, mail: Mail): void {
    if (this.#stopped) return;
    const spins = resident.spins(this.membership.now(), OWN_STEPS_PER_SECOND);
    if (!spins) this.#deliver(resident, mail);
    else if (spins === 'first') {
      this.#options.log.error({ machine: resident.id, mail: mail.what }, 'chart spins');
      const event = mail.what === 'timer' ? mail.id : mail.what;
      const message = 'too many steps of its own within a second';
      this.#deliver(resident, { what: 'broken', event, message, heard: [] });
    }
  }

  /** The resident may have been forgotten and read again meanwhile. */
  #deliver(resident: Resident, mail: Mail): void {
    if (!this.#stopped) this.#post(resident.account, resident.id, mail);
  }

  #settle(resident: Resident, effect: string): void {
    if (this.#stopped) return;
    const current = this.#residents.get(resident.id);
    if (!current?.committed) {
      this.#deliver(resident, { what: 'accepted', effect, facts: [] });
      return;
    }
    if (!current.settled.includes(effect)) current.settled = [...current.settled, effect];
    this.#settling.add(current, current.committed.snapshot.status !== 'active');
  }

  async #renew(resident: Resident, effect: string): Promise<void> {
    if (!this.membership.fresh) await this.membership.nextBeat();
    this.#deliver(resident, { what: 'begin', effect });
  }

  /** Nobody will take this mail. */
  #refuse(mail: Mail): void {
    if (mail.what === 'event') {
      this.#inbox.let(mail);
      mail.done?.resolve({ outcome: 'gone' });
    } else if (mail.what === 'begin') mail.done?.(false);
  }

  #forget(resident: Resident): void {
    this.#residents.remove(resident);
    this.#time.armAt(resident.account, resident.id, null);
  }

  /** This node is a new incarnation: what it held is anybody's. Mail finds its rows anew. */
  #forgetAll(): void {
    for (const resident of [...this.#residents]) if (resident.phase === 'idle') this.#forget(resident);
  }

  // ------------------------------------------------------------ rows read

  #loaded(found: { resident: Resident; row: MachineRow | undefined }[]): void {
    for (const { resident, row } of found) {
      resident.phase = 'idle';
      this.#place(resident, resident.mailbox.splice(0), row, row?.heldBy === this.membership.incarnation);
    }
  }

  /** What stands in the row decides who takes the mail. `steady`: ours now as when the mail came. */
  #place(resident: Resident, given: Mail[], row: MachineRow | undefined, steady: boolean): void {
    const mails = steady ? given : this.#withoutRows(given, row);
    const chart = row && this.#charts.get(`${row.kind}:${row.version}`);
    if (!row || row.account !== resident.account || isOver(row, mails)) {
      for (const mail of [...mails, ...resident.mailbox.splice(0)]) this.#refuse(mail);
      this.#forget(resident);
    } else if (chart && (row.heldBy === this.membership.incarnation || this.membership.isDead(row.heldBy))) {
      resident.committed = thawRow(chart, row);
      const inherited: Mail[] =
        row.heldBy === this.membership.incarnation ? [] : [{ what: 'takenUp', upTo: row.revision }];
      resident.mailbox.unshift(...inherited, ...mails);
      if (resident.mailbox.length > 0) this.#laneOf(resident.id).queue(resident);
      else this.#rested(resident);
    } else {
      void this.#inbox.forward(row, [...mails, ...resident.mailbox.splice(0)]);
      this.#forget(resident);
    }
  }

  /**
   * The machine changed hands since its inbox was read: another may have heard the rows. Those that still stand are
   * read again. (A living holder is only told that there is mail.)
   */
  #withoutRows(mails: Mail[], row: MachineRow | undefined): Mail[] {
    const { membership } = this;
    if (row && row.heldBy !== membership.incarnation && !membership.isDead(row.heldBy)) return mails;
    const kept = mails.filter((mail) => mail.what !== 'event' || mail.inbox === undefined);
    if (kept.length < mails.length) this.#inbox.doubt();
    for (const mail of mails) this.#inbox.let(mail);
    return kept;
  }

  /** The machine, if it is in memory and its row is read. */
  #known(id: number): Resident | undefined {
    const resident = this.#residents.get(id);
    return resident?.committed ? resident : undefined;
  }

  /** A row read because something on its agenda is due. */
  #fetched(account: number, id: number, row: MachineRow | undefined): void {
    const chart = row && this.#charts.get(`${row.kind}:${row.version}`);
    if (!row || !chart || row.endedAt !== null || row.heldBy !== this.membership.incarnation) return;
    if (!this.#residents.get(id)) {
      const resident = new Resident(account, id);
      resident.committed = thawRow(chart, row);
      this.#residents.add(resident);
    }
    const resident = this.#known(id);
    if (resident) this.#time.due(resident);
  }

  // ------------------------------------------------------------ lanes

  #lane(index: number): Lane {
    const { name: shard, store, clock, metrics, log } = this.#options;
    const { membership } = this;
    const chartOf = (kind: string): Chart => {
      const chart = this.#current.get(kind);
      if (!chart) throw new Error(`no machine of kind ${kind}`);
      return chart;
    };
    return new Lane({
      index,
      shard,
      store,
      clock,
      metrics,
      log,
      drafts: {
        shard,
        get heldBy() {
          return membership.incarnation;
        },
        graceMs: membership.graceMs,
        mint: () => membership.mint(),
        chartOf,
      },
      now: () => membership.now(),
      landed: (draft, resident, mails, sentAt) => this.#landed(draft, resident, mails, sentAt),
      overtaken: (draft, mails) => {
        for (const mail of mails) this.#answer(mail, draft.state, draft);
      },
      rested: (resident) => this.#rested(resident),
      misplaced: (resident, mails, row) => {
        resident.phase = 'idle';
        const steady = row?.revision === resident.committed?.revision;
        this.#place(resident, [...mails, ...resident.mailbox.splice(0)], row, steady);
      },
      poisoned: (resident, mails, error) => this.#poisoned(resident, mails, error),
    });
  }

  #landed(draft: Draft, known: Resident | null, mails: readonly Mail[], sentAt: number): void {
    const resident = known ?? this.#residents.get(draft.id) ?? this.#newcomer(draft);
    const committed = committedOf(draft);
    resident.committed = committed;
    this.#options.metrics.stepped(draft.chart.kind.name, committed.revision - (draft.base?.revision ?? 0));
    this.#time.arm(committed);
    for (const mail of mails) this.#answer(mail, committed.state, draft);
    for (const milestone of draft.reached) {
      this.#waiters.reached(draft.id, milestone);
      this.#options.hints.publish(this.name, 'milestone', draft.id);
    }
    if (committed.endedAt !== null) this.#waiters.ended(draft.id);
    for (const entry of draft.begins) this.#performing.begin(resident, committed, entry, sentAt);
    this.#inbox.left(draft.tells, sentAt);
    for (const birth of draft.births) this.#landed(birth, null, [], sentAt);
    if (resident.mailbox.length > 0) this.#laneOf(resident.id).queue(resident);
    else this.#rested(resident);
  }

  #newcomer(draft: Draft): Resident {
    const resident = new Resident(draft.account, draft.id);
    this.#residents.add(resident);
    return resident;
  }

  #answer(mail: Mail, state: string, draft: Draft): void {
    if (mail.what === 'event') {
      this.#inbox.let(mail);
      mail.done?.resolve({ outcome: 'stepped', state });
    } else if (mail.what === 'begin') mail.done?.(draft.begins.some((entry) => entry.id === mail.effect));
    else if (mail.what === 'takenUp') this.#inbox.doubt();
  }

  #rested(resident: Resident): void {
    resident.phase = 'idle';
    // What was struck off meanwhile, by its own step or by another node, needs no write of its own.
    if (resident.settled.length > 0)
      resident.settled = resident.settled.filter((id) => owedEffect(resident.committed!.agenda, id));
    if (resident.committed?.endedAt !== null && resident.restful) this.#residents.remove(resident);
    else if (resident.settled.length > 0)
      this.#settling.add(resident, resident.committed!.snapshot.status !== 'active');
  }

  /** The database refuses the very data of this step: the event is set aside and an operator told. */
  #poisoned(resident: Resident, mails: Mail[], error: unknown): void {
    this.#options.log.error(
      { err: error, machine: resident.id, mails: mails.map((mail) => mail.what) },
      'step refused',
    );
    const heard: number[] = [];
    for (const mail of mails) {
      if (mail.what === 'event') mail.done?.reject(error);
      else if (mail.what === 'begin') mail.done?.(false);
      if (mail.what === 'event' && mail.inbox !== undefined) heard.push(mail.inbox);
    }
    if (!mails.some((mail) => mail.what === 'broken'))
      resident.mailbox.unshift({
        what: 'broken',
        event: 'step',
        message: 'the database refuses its data',
        heard,
      });
    resident.phase = 'idle';
    if (resident.mailbox.length > 0) this.#wakeUp(resident);
  }

  // ------------------------------------------------------------ taking up

  /** A row of a dead incarnation is ours now. It is stepped only when that matters to it. */
  #taken(row: MachineRow): boolean {
    this.#inbox.doubt();
    this.#time.armAt(row.account, row.id, row.wakeAt);
    const chart = this.#charts.get(`${row.kind}:${row.version}`)!;
    const agenda = JSON.parse(row.agenda) as AgendaEntry[];
    const doubtful = agenda.some((entry) => entry.t === 'effect' && !entry.wait);
    return doubtful || chart.isAdoptable(row.state, row.snapshot);
  }

  async #milestones(ref: MachineRef): Promise<{ milestones: string[]; ended: boolean } | undefined> {
    const [row] = await this.store.read([ref]);
    return row && { milestones: JSON.parse(row.milestones) as string[], ended: row.endedAt !== null };
  }
}

/** An ended machine hears nothing more; only inbox rows must still be taken away by a step. */
const isOver = (row: MachineRow, mails: Mail[]): boolean =>
  row.endedAt !== null && !mails.some((mail) => mail.what === 'event' && mail.inbox !== undefined);
