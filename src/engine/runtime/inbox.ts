/**
 * Events that one machine leaves for another, and what this node hears for machines that another node holds.
 * An inbox row is in at most one mailbox at a time; it goes away with the step that takes it.
 */
import type { ChartEvent } from '../contract/effect.ts';
import { Backoff } from '../contract/backoff.ts';
import type { DatabaseHealth } from '../contract/databaseHealth.ts';
import { type Mail, inboxIdsOf } from '../contract/mailbox.ts';
import type { Membership } from '../cluster/membership.ts';
import type { Clock, Hints, Random } from '../contract/ports.ts';
import { OutOfTurn, type ShardStore } from '../contract/store.ts';
import { Unavailable } from '../contract/api.ts';
import { OUTBOX_WRITER } from '../recovery/writerNumbers.ts';
import type { InboxRow, Key } from '../contract/rows.ts';

const READ_ROWS = 1_000;
/** With so many rows in mailboxes no more are brought for patient kinds; with twice as many, none at all. */
const ROWS_HELD = 10_000;
/** Pauses between tries to leave what is another node's, milliseconds. */
const PAUSES_MS = { firstMs: 100, longestMs: 5_000 };
/** Its name among the parts of the shard that may fail. */
const LEAVING = 'leaving events';

export interface InboxDeps {
  shard: string;
  store: ShardStore;
  clock: Clock;
  random: Random;
  health: DatabaseHealth;
  hints: Hints;
  membership: Membership;
  dispatcher(account: number, machine: number, mail: Mail): void;
  /** Whether the machine is in memory with its row. */
  isHere(machine: number): boolean;
  /** When the oldest commit that is under way was sent, monotonic; `Infinity`: none is. */
  sentSince(): number;
}

/** What a step of this node left, and when its commit was sent, monotonic. */
interface Left {
  row: InboxRow;
  sentAt: number;
}

export class Inbox {
  readonly #scope: InboxDeps;
  /** Rows that are in some mailbox. */
  readonly #taken = new Set<number>();
  /** Rows heard while a read is under way: it may have seen them before they went. */
  readonly #gone = new Set<number>();
  /** Machines whose rows were given back while a read is under way: later ones must not come before them. */
  readonly #returned = new Set<number>();
  /** Rows that a read brought, and when, monotonic: the commit that left them may not have landed here yet. */
  readonly #brought = new Map<number, number>();
  /** Rows left by steps of this node since the last read began, which others must come before that are to be read. */
  #later: Left[] = [];
  /** Facts for other nodes' machines that are not written yet. */
  readonly #unleft = new Set<InboxRow>();
  /** Settles when what was left last is written. */
  #leaving: Promise<unknown> = Promise.resolve();
  #reading = false;
  #readAgain = false;
  /** Times that the shard was open again after it had not been: what was asked before is not true any more. */
  #reopened = 0;
  /** Times that rows became likely which only a read can bring, and how many of them the last read knew. */
  #doubts = 0;
  #cleared = 0;
  #unsure = false;
  /** When all that was taken up last was known, monotonic. */
  #tookUpAt = -Infinity;
  /** The last read brought as much as one may. */
  #isCrowded = false;
  #stopped = false;

  constructor(scope: InboxDeps) {
    this.#scope = scope;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Whether it reads: what a machine was told may still be on its way. */
  get busy(): boolean {
    return this.#reading;
  }

  /** Reads what was left for machines of this node; asked for while it reads, it reads once more. */
  async read(): Promise<void> {
    this.#readAgain = true;
    if (this.#reading || !this.#scope.membership.guard.isOpen) return;
    this.#reading = true;
    try {
      while (this.#readAgain && !this.#stopped) await this.#read();
    } finally {
      this.#reading = false;
    }
  }

  async #read(): Promise<void> {
    const { store, membership } = this.#scope;
    const [doubts, reopened] = [this.#doubts, this.#reopened];
    this.#readAgain = false;
    this.#gone.clear();
    this.#returned.clear();
    // They stand in the store by now: this read brings those that are still to be heard here.
    this.#later = [];
    const patient = this.#taken.size < ROWS_HELD;
    const options = { except: [...this.#taken], patient };
    const rows = this.#isFull ? [] : await store.inbox(membership.incarnation, READ_ROWS, options);
    if (reopened !== this.#reopened) return;
    const isWhole = rows.length < READ_ROWS && patient;
    this.#isCrowded = !isWhole;
    if (isWhole) this.#cleared = doubts;
    this.#remember(rows);
    for (const row of rows) if (!this.#gone.has(row.id) && !this.#returned.has(row.machine)) this.#admit(row);
    // There is more, and room for it: what was just brought is passed by the next read.
    if (rows.length === READ_ROWS && !this.#isFull) this.#readAgain = true;
    if (this.#isSure) for (const { row, sentAt } of this.#later.splice(0)) this.left([row], sentAt);
  }

  get #isFull(): boolean {
    return this.#taken.size >= 2 * ROWS_HELD;
  }

  /** What a commit under way has left may be read before that commit lands, and heard: it is not to be heard twice. */
  #remember(rows: readonly InboxRow[]): void {
    const { clock, sentSince } = this.#scope;
    const since = sentSince();
    for (const [id, at] of this.#brought) if (at < since) this.#brought.delete(id);
    if (rows.length === 0) return;
    const now = clock.monotonic();
    for (const { id } of rows) this.#brought.set(id, now);
    if (this.#later.length > 0) this.#later = this.#later.filter(({ row }) => !this.#brought.has(row.id));
  }

  /** Nothing stands that must be read first. */
  get #isSure(): boolean {
    return !this.#unsure && this.#doubts === this.#cleared;
  }

  /**
   * Hands on what a step of this node left, with a commit sent at `sentAt` (monotonic). Where older rows may still wait
   * to be read it waits for that, so that all are heard in the order they were told. A read brings what is for a machine
   * that is not in memory, and what another node may have heard (`#isOurs`).
   */
  left(rows: readonly InboxRow[], sentAt: number): void {
    if (rows.length === 0) return;
    const { hints, shard, isHere } = this.#scope;
    const fresh = rows.filter(({ id }) => !this.#brought.has(id));
    const here = this.#isOurs(sentAt) ? fresh.filter(({ machine }) => isHere(machine)) : [];
    if (this.#isSure) for (const row of here) this.#admit(row);
    else this.#putBy(here, sentAt);
    for (const row of fresh) if (!here.includes(row)) hints.publish(shard, 'inbox', row.machine);
    if (here.length < fresh.length) this.doubt();
  }

  /**
   * Whether no other node can have owned the machines in memory since such a commit was sent. False where it was sent
   * long ago, and where machines were taken up since: their former holder may have applied what the commit left.
   */
  #isOurs(sentAt: number): boolean {
    return sentAt > this.#tookUpAt && this.#scope.membership.mayAct(sentAt);
  }

  /** They stand in the store: where too many wait, reads bring them. */
  #putBy(rows: readonly InboxRow[], sentAt: number): void {
    for (const row of rows) this.#later.push({ row, sentAt });
    if (this.#later.length <= READ_ROWS) return;
    this.#later = [];
    this.doubt();
  }

  /** Rows are being taken up: machines may be ours before we hear of it, with inbox rows that no read has seen. */
  takingUp(): void {
    this.#unsure = true;
  }

  /** All that was taken up is known. */
  takeoverEnded(): void {
    this.#unsure = false;
    this.#tookUpAt = this.#scope.clock.monotonic();
    this.doubt();
  }

  /** The database had gone back: rows that were read of it, and given back since, are read anew. */
  reopened(): void {
    this.#reopened += 1;
    this.#later = [];
    this.doubt();
  }

  /** Rows may stand that no step of ours tells of, because a machine changed hands: they are read before anything else. */
  doubt(): void {
    this.#doubts += 1;
    void this.read().catch(() => {});
  }

  /** Hands a row to its machine, unless it already has it. */
  #admit({ account, machine, id, event }: InboxRow): void {
    if (this.#taken.has(id)) return;
    this.#taken.add(id);
    this.#scope.dispatcher(account, machine, {
      what: 'event',
      event: JSON.parse(event) as ChartEvent,
      inbox: id,
    });
  }

  /** This node does not take the mail: its row stands, and is read again should the machine be ours. */
  giveBack(mail: Mail, machine: number): void {
    for (const row of inboxIdsOf(mail)) {
      this.#taken.delete(row);
      if (this.#reading) this.#returned.add(machine);
    }
  }

  /** The mail was heard: its row is gone. Where a read found more than it could bring, there is room for others. */
  let(mail: Mail): void {
    const rows = inboxIdsOf(mail);
    for (const row of rows) {
      this.#taken.delete(row);
      if (this.#reading) this.#gone.add(row);
    }
    const hasRoom = this.#taken.size < ROWS_HELD / 2;
    if (rows.length > 0 && this.#isCrowded && hasRoom && !this.#reading) void this.read().catch(() => {});
  }

  /** Another node holds the machine: its events wait in the inbox, its timers and effects are the other's now. */
  async forward(to: Key, mails: readonly Mail[]): Promise<void> {
    const rows: InboxRow[] = [];
    for (const mail of mails) {
      if (mail.what === 'begin') mail.done?.(false);
      if (mail.what === 'event' && mail.inbox === undefined) rows.push(this.#row(to, mail.event));
      this.giveBack(mail, to.id);
    }
    const isLeft = await this.#leave(rows);
    const events = mails.filter((mail) => mail.what === 'event');
    for (const { done } of events)
      if (isLeft) done?.resolve({ outcome: 'left' });
      else done?.reject(new Unavailable('the service is stopping', 5));
    if (isLeft && events.length > 0) this.#scope.hints.publish(this.#scope.shard, 'inbox', to.id);
  }

  #row({ account, id }: Key, event: ChartEvent): InboxRow {
    const { membership } = this.#scope;
    return {
      account,
      machine: id,
      id: membership.mint(),
      event: JSON.stringify(event),
      at: membership.now(),
    };
  }

  /** Facts are always admitted: tried until the database takes them. False: this node stopped before it did. */
  async #leave(rows: InboxRow[]): Promise<boolean> {
    if (rows.length === 0) return true;
    // One at a time: each has the next number of its writer.
    for (const row of rows) this.#unleft.add(row);
    const turn = this.#leaving.then(() => this.#insist(rows));
    this.#leaving = turn;
    return turn;
  }

  /** Facts for machines of other nodes that could not be left yet. */
  get unleft(): readonly InboxRow[] {
    return [...this.#unleft];
  }

  /** Leaves what another inbox of this process could not, under the same ids. */
  leaveFor(rows: readonly InboxRow[]): void {
    void this.#leave([...rows]);
  }

  async #insist(rows: InboxRow[]): Promise<boolean> {
    const { store, clock, random, health, membership } = this.#scope;
    const { guard } = membership;
    const backoff = new Backoff(clock, random, PAUSES_MS);
    while (!this.#stopped) {
      try {
        if (!guard.mayWrite) await guard.opened();
        if (this.#stopped) return false;
        const entry = { what: 'leave', rows } as const;
        const { incarnation } = guard.numbers;
        await guard.numbers.write(OUTBOX_WRITER, entry, (ticket) => store.leave(rows, ticket));
        // The journal of a former incarnation has ended without them: they are left once more, in the one that is.
        if (incarnation !== guard.numbers.incarnation) continue;
        for (const row of rows) this.#unleft.delete(row);
        if (backoff.failures > 0) health.recovered(LEAVING);
        return true;
      } catch (error) {
        backoff.failed();
        health.failed(LEAVING, error);
        if (error instanceof OutOfTurn) await guard.look().catch(() => {});
        await backoff.wait();
      }
    }
    return false;
  }
}
