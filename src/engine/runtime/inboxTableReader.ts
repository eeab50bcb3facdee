/**
 * Events that one machine leaves for another, and what this node hears for machines that another node holds.
 * An inbox row is in at most one mailbox at a time; it goes away with the step that takes it.
 */
import type { MachineEvent } from '../contract/effect.ts';
import { Backoff } from '../contract/backoff.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import {
  eventOfEffectOrder,
  type Mail,
  inboxRowIdsOfMail,
  isEffectOrder,
  isStillWanted,
} from '../contract/machineMail.ts';
import type { ClusterMembership } from '../cluster/membership.ts';
import type { Clock, WakeUpHints, Random } from '../contract/ports.ts';
import { BatchTookTooLong, WriterOutOfTurnError, type ShardMachineStore } from '../contract/store.ts';
import { Unavailable } from '../contract/api.ts';
import { isCounterId } from '../contract/idGenerator.ts';
import { OUTBOX_WRITER } from '../recovery/numberAndJournalWrites.ts';
import type { MachineInboxRow, Key, MachineRow } from '../contract/rows.ts';

const READ_ROWS = 1_000;
/** With so many rows in mailboxes no more are brought for low-priority kinds; with twice as many, none at all. */
const ROWS_HELD = 10_000;
/** Pauses between tries to leave what is another node's, milliseconds. */
const PAUSES_MS = { firstMs: 100, longestMs: 5_000 };
/** What a machine was told before its birth has been read when it is older than that, milliseconds. */
const YOUNG_MS = 60_000;
/** Its name among the parts of the shard that may fail. */
const LEAVING = 'leaving events';

export interface MachineInboxDeps {
  shard: string;
  store: ShardMachineStore;
  clock: Clock;
  random: Random;
  health: DatabaseFailureTracker;
  hints: WakeUpHints;
  membership: ClusterMembership;
  dispatcher(account: number, machine: number, mail: Mail): void;
  /** Whether the machine is in memory with its row. */
  isHere(machine: number): boolean;
  /** When the oldest commit that is under way was sent, monotonic; `Infinity`: none is. */
  sentSince(): number;
}

/** What a step of this node left, and when its commit was sent, monotonic. */
interface Dispatched {
  row: MachineInboxRow;
  sentAt: number;
}

/** Whether a row that could not be written yet is still to be left. */
type IsRowWanted = (row: MachineInboxRow) => boolean;

export class InboxTableReader {
  readonly #scope: MachineInboxDeps;
  /** Rows that are in some mailbox. */
  readonly #inMailboxes = new Set<number>();
  /** Rows acknowledged while a read is under way: it may have seen them before they were deleted. */
  readonly #acknowledged = new Set<number>();
  /** Machines whose rows were released while a read is under way: later rows must not overtake those. */
  readonly #released = new Set<number>();
  /**
   * Rows that a read brought, and when, monotonic: the answer of the commit that left them may still be awaited here.
   */
  readonly #readAt = new Map<number, number>();
  /** Rows left by steps of this node since the last read began; older rows have to be read and delivered first. */
  #buffered: Dispatched[] = [];
  /** Facts for other nodes' machines that are not written yet. */
  readonly #unwritten = new Set<MachineInboxRow>();
  /** Settles when what was left last is written. */
  #leaving: Promise<unknown> = Promise.resolve();
  #reading = false;
  #readAgain = false;
  /** How often the shard was reopened: answers to reads of before are not true any more. */
  #reopened = 0;
  /** How many rereads were requested, and how many of them the last read covers. */
  #rereadsAsked = 0;
  #rereadsDone = 0;
  #isTakingOver = false;
  /** When the last takeover had ended, monotonic. */
  #takeoverEndedAt = -Infinity;
  /** The last read brought as much as one may. */
  #isCrowded = false;
  #stopped = false;

  constructor(scope: MachineInboxDeps) {
    this.#scope = scope;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Whether it reads, or has still to leave something: what a machine was told may still be on its way. */
  get busy(): boolean {
    return this.#reading || this.#unwritten.size > 0;
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
    const [rereads, reopened] = [this.#rereadsAsked, this.#reopened];
    this.#readAgain = false;
    this.#acknowledged.clear();
    this.#released.clear();
    // They stand in the store by now: this read brings those that are still to be heard here.
    this.#buffered = [];
    const lowPriority = this.#inMailboxes.size < ROWS_HELD;
    const options = { except: [...this.#inMailboxes], lowPriority };
    const rows = this.#isFull ? [] : await store.inbox(membership.incarnation, READ_ROWS, options);
    if (reopened !== this.#reopened) return;
    const isWhole = rows.length < READ_ROWS && lowPriority;
    this.#isCrowded = !isWhole;
    if (isWhole) this.#rereadsDone = rereads;
    this.#noteRead(rows);
    for (const row of rows)
      if (!this.#acknowledged.has(row.id) && !this.#released.has(row.machine)) this.#deliver(row);
    // There is more, and room for it: what was just brought is passed by the next read.
    if (rows.length === READ_ROWS && !this.#isFull) this.#readAgain = true;
    if (this.#isCaughtUp)
      for (const { row, sentAt } of this.#buffered.splice(0)) this.dispatch([row], sentAt);
  }

  get #isFull(): boolean {
    return this.#inMailboxes.size >= 2 * ROWS_HELD;
  }

  /** What a commit under way has left may be read before that commit lands, and heard: it is not to be heard twice. */
  #noteRead(rows: readonly MachineInboxRow[]): void {
    const { clock, sentSince } = this.#scope;
    const since = sentSince();
    for (const [id, at] of this.#readAt) if (at < since) this.#readAt.delete(id);
    if (rows.length === 0) return;
    const now = clock.monotonic();
    for (const { id } of rows) this.#readAt.set(id, now);
    if (this.#buffered.length > 0)
      this.#buffered = this.#buffered.filter(({ row }) => !this.#readAt.has(row.id));
  }

  /** Whether the store holds no rows that must be read first. */
  get #isCaughtUp(): boolean {
    return !this.#isTakingOver && this.#rereadsAsked === this.#rereadsDone;
  }

  /**
   * Hands on what a step of this node left, with a commit sent at `sentAt` (monotonic). Where older rows may still wait
   * to be read it waits for that, so that all are heard in the order they were told. A read brings what is for a machine
   * that is not in memory, and what another node may have heard (`#isOurs`).
   */
  dispatch(rows: readonly MachineInboxRow[], sentAt: number): void {
    if (rows.length === 0) return;
    const { hints, shard, isHere } = this.#scope;
    const fresh = rows.filter(({ id }) => !this.#readAt.has(id));
    const here = this.#isOurs(sentAt) ? fresh.filter(({ machine }) => isHere(machine)) : [];
    if (this.#isCaughtUp) for (const row of here) this.#deliver(row);
    else this.#buffer(here, sentAt);
    for (const row of fresh) if (!here.includes(row)) hints.publish(shard, 'inbox', row.machine);
    if (here.length < fresh.length) this.requestReread();
  }

  /**
   * Whether no other node can have owned the machines in memory since such a commit was sent. False where it was sent
   * long ago, and where machines were taken up since: their former holder may have applied what the commit left.
   */
  #isOurs(sentAt: number): boolean {
    return sentAt > this.#takeoverEndedAt && this.#scope.membership.mayAct(sentAt);
  }

  /**
   * Keeps rows until the read under way has ended. They stand in the store: where too many wait, a read brings them.
   */
  #buffer(rows: readonly MachineInboxRow[], sentAt: number): void {
    for (const row of rows) this.#buffered.push({ row, sentAt });
    if (this.#buffered.length <= READ_ROWS) return;
    this.#buffered = [];
    this.requestReread();
  }

  /** Rows are being taken up: machines may be ours before we hear of it, with inbox rows that no read has seen. */
  takeoverBegan(): void {
    this.#isTakingOver = true;
  }

  /** All that was taken up is known. */
  takeoverEnded(): void {
    this.#isTakingOver = false;
    this.#takeoverEndedAt = this.#scope.clock.monotonic();
    this.requestReread();
  }

  /**
   * A machine of this node came into memory. Where others could tell it something before it was born, older rows may have
   * to be read first: a read finds rows of machines that stand only.
   */
  cameIntoMemory({ id, createdAt }: Pick<MachineRow, 'id' | 'createdAt'>): void {
    if (isCounterId(id) && this.#scope.membership.now() - createdAt < YOUNG_MS) this.requestReread();
  }

  /** The database had gone back: rows that were read of it, and given back since, are read anew. */
  reopened(): void {
    this.#reopened += 1;
    this.#buffered = [];
    this.requestReread();
  }

  /**
   * To be called when a machine changed hands: rows may stand that no step of this node left, and are to be read first.
   */
  requestReread(): void {
    this.#rereadsAsked += 1;
    void this.read().catch(() => {});
  }

  /** Hands a row to its machine, unless it already has it. */
  #deliver({ account, machine, id, event }: MachineInboxRow): void {
    if (this.#inMailboxes.has(id)) return;
    this.#inMailboxes.add(id);
    this.#scope.dispatcher(account, machine, {
      what: 'event',
      event: JSON.parse(event) as MachineEvent,
      inbox: id,
    });
  }

  /** This node does not take the mail: its row stands, and is read again should the machine be ours. */
  release(mail: Mail, machine: number): void {
    for (const row of inboxRowIdsOfMail(mail)) {
      this.#inMailboxes.delete(row);
      if (this.#reading) this.#released.add(machine);
    }
  }

  /**
   * The mail was applied, and its row deleted. Where a read found more than it could bring, it reads on once there is
   * room.
   */
  acknowledge(mail: Mail): void {
    const rows = inboxRowIdsOfMail(mail);
    for (const row of rows) {
      this.#inMailboxes.delete(row);
      if (this.#reading) this.#acknowledged.add(row);
    }
    const hasRoom = this.#inMailboxes.size < ROWS_HELD / 2;
    if (rows.length > 0 && this.#isCrowded && hasRoom && !this.#reading) void this.read().catch(() => {});
  }

  /** Another node holds the machine: its events wait in the inbox, its timers and effects are the other's now. */
  async forward(to: Key, mails: readonly Mail[]): Promise<void> {
    const rows = new Map<MachineInboxRow, Mail>();
    for (const mail of mails) {
      const event = eventToLeave(mail);
      if (event) rows.set(this.#row(to, event), mail);
      this.release(mail, to.id);
    }
    const isLeft = await this.#leave([...rows.keys()], (row) => isStillWanted(rows.get(row)!));
    for (const mail of mails) tellWhatWasLeft(mail, isLeft);
    if (isLeft && mails.some((mail) => mail.what === 'event' || isEffectOrder(mail)))
      this.#scope.hints.publish(this.#scope.shard, 'inbox', to.id);
  }

  #row({ account, id }: Key, event: MachineEvent): MachineInboxRow {
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
  async #leave(rows: MachineInboxRow[], isWanted: IsRowWanted = () => true): Promise<boolean> {
    if (rows.length === 0) return true;
    // One at a time: each has the next number of its writer.
    for (const row of rows) this.#unwritten.add(row);
    const turn = this.#leaving.then(() => this.#writeUntilDone(rows, isWanted));
    this.#leaving = turn;
    return turn;
  }

  /** Facts for machines of other nodes that could not be left yet. */
  get unwritten(): readonly MachineInboxRow[] {
    return [...this.#unwritten];
  }

  /** Leaves what another inbox of this process could not, under the same ids. */
  leaveFor(rows: readonly MachineInboxRow[]): void {
    void this.#leave([...rows]);
  }

  async #writeHalves(rows: MachineInboxRow[], isWanted: IsRowWanted): Promise<boolean> {
    const middle = Math.ceil(rows.length / 2);
    return (
      (await this.#writeUntilDone(rows.slice(0, middle), isWanted)) &&
      (await this.#writeUntilDone(rows.slice(middle), isWanted))
    );
  }

  /** Without those whose callers have given up meanwhile. */
  #wantedOf(rows: MachineInboxRow[], isWanted: IsRowWanted): MachineInboxRow[] {
    const wanted = rows.filter(isWanted);
    for (const row of rows) if (!wanted.includes(row)) this.#unwritten.delete(row);
    return wanted;
  }

  async #writeUntilDone(given: MachineInboxRow[], isWanted: IsRowWanted): Promise<boolean> {
    const { store, clock, random, health, membership } = this.#scope;
    const { guard } = membership;
    const backoff = new Backoff(clock, random, PAUSES_MS);
    while (!this.#stopped) {
      try {
        await backoff.waitForOpening(guard);
        if (this.#stopped) return false;
        const rows = this.#wantedOf(given, isWanted);
        if (rows.length === 0) {
          health.recovered(LEAVING);
          return true;
        }
        const entry = { what: 'leave', rows } as const;
        const { incarnation } = guard.numbers;
        await guard.numbers.write(OUTBOX_WRITER, entry, (ticket) => store.leave(rows, ticket));
        // The journal of a former incarnation has ended without them: they are left once more, in the one that is.
        if (incarnation !== guard.numbers.incarnation) continue;
        for (const row of rows) this.#unwritten.delete(row);
        health.recovered(LEAVING);
        return true;
      } catch (error) {
        if (error instanceof BatchTookTooLong && given.length > 1) return this.#writeHalves(given, isWanted);
        backoff.failed();
        health.failed(LEAVING, error);
        if (error instanceof WriterOutOfTurnError) await guard.look().catch(() => {});
        await backoff.wait();
      }
    }
    return false;
  }
}

/** What mail for a machine of another node leaves in its inbox; undefined: nothing. */
const eventToLeave = (mail: Mail): MachineEvent | undefined => {
  if (mail.what === 'event') return mail.inbox === undefined ? mail.event : undefined;
  return isEffectOrder(mail) && mail.done ? eventOfEffectOrder(mail) : undefined;
};

/** Tells the caller of mail that is another node's whether it stands in the inbox. */
const tellWhatWasLeft = (mail: Mail, isLeft: boolean): void => {
  if (mail.what !== 'event' && !isEffectOrder(mail)) return;
  if (!isLeft) mail.done?.reject(new Unavailable('the service is stopping', 5));
  else if (mail.what === 'event') mail.done?.resolve({ outcome: 'left' });
  else mail.done?.resolve('left');
};
