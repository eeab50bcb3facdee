/**
 * Events that one machine leaves for another, and what this node hears for machines that another node holds.
 * An inbox row is in at most one mailbox at a time; it goes away with the step that takes it.
 */
import type { ChartEvent } from '../../machines/effect.ts';
import { type Mail, rowsOf } from './mail.ts';
import type { Membership } from './membership.ts';
import type { Clock, EngineLog, Hints } from './ports.ts';
import type { InboxRow, Key, ShardStore } from './store.ts';

const READ_ROWS = 1_000;
const LEAVE_AGAIN_MS = 250;

export interface InboxScope {
  shard: string;
  store: ShardStore;
  clock: Clock;
  log: EngineLog;
  hints: Hints;
  membership: Membership;
  post(account: number, machine: number, mail: Mail): void;
  /** Whether the machine is in memory with its row. */
  isHere(machine: number): boolean;
}

export class Inbox {
  readonly #scope: InboxScope;
  /** Rows that are in some mailbox. */
  readonly #taken = new Set<number>();
  /** Rows heard while a read is under way: it may have seen them before they went. */
  readonly #gone = new Set<number>();
  /** Machines whose rows were given back while a read is under way: later ones must not come before them. */
  readonly #returned = new Set<number>();
  #reading = false;
  #readAgain = false;
  /** When rows that were read last came in, monotonic. */
  #readAt = -Infinity;
  /** Times that rows became likely which only a read can bring, and how many of them the last read knew. */
  #doubts = 0;
  #cleared = 0;
  #unsure = false;
  #stopped = false;

  constructor(scope: InboxScope) {
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
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#readAgain && !this.#stopped) await this.#read();
    } finally {
      this.#reading = false;
    }
  }

  async #read(): Promise<void> {
    const { store, membership, clock } = this.#scope;
    const doubts = this.#doubts;
    this.#readAgain = false;
    this.#gone.clear();
    this.#returned.clear();
    const rows = await store.inbox(membership.incarnation, READ_ROWS);
    this.#readAt = clock.monotonic();
    if (rows.length < READ_ROWS) this.#cleared = doubts;
    for (const row of rows) if (!this.#gone.has(row.id) && !this.#returned.has(row.machine)) this.#admit(row);
  }

  /**
   * Hands on what a step of this node left, its write having been sent at `sentAt` (monotonic). A read that came in
   * since may have brought the rows, and they may have been heard already; and older rows may still wait to be read.
   * Then a read brings them, in the order they were told. So it does for a machine that is not in memory: whoever
   * holds it may have heard them by the time its row is read.
   */
  left(rows: readonly InboxRow[], sentAt: number): void {
    if (rows.length === 0) return;
    const sure = !this.#unsure && sentAt > this.#readAt && this.#doubts === this.#cleared;
    const here = rows.filter(({ machine }) => this.#scope.isHere(machine));
    if (sure) for (const row of here) this.#admit(row);
    for (const row of rows)
      if (!here.includes(row)) this.#scope.hints.publish(this.#scope.shard, 'inbox', row.machine);
    if (!sure || here.length < rows.length) this.doubt();
  }

  /** Rows are being taken up: machines may be ours before we hear of it, with inbox rows that no read has seen. */
  takingUp(): void {
    this.#unsure = true;
  }

  /** All that was taken up is known. */
  takenUp(): void {
    this.#unsure = false;
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
    this.#scope.post(account, machine, { what: 'event', event: JSON.parse(event) as ChartEvent, inbox: id });
  }

  /** Nobody here takes the mail: its row stands, and is read again should the machine be ours. */
  giveBack(mail: Mail, machine: number): void {
    for (const row of rowsOf(mail)) {
      this.#taken.delete(row);
      if (this.#reading) this.#returned.add(machine);
    }
  }

  /** The mail was heard: its row is gone. */
  let(mail: Mail): void {
    for (const row of rowsOf(mail)) {
      this.#taken.delete(row);
      if (this.#reading) this.#gone.add(row);
    }
  }

  /** Another node holds the machine: its events wait in the inbox, its own doings are the other's now. */
  async forward(to: Key, mails: readonly Mail[]): Promise<void> {
    const rows: InboxRow[] = [];
    for (const mail of mails) {
      if (mail.what === 'begin') mail.done?.(false);
      if (mail.what === 'event' && mail.inbox === undefined) rows.push(this.#row(to, mail.event));
      this.giveBack(mail, to.id);
    }
    await this.#leave(rows);
    const events = mails.filter((mail) => mail.what === 'event');
    for (const mail of events) mail.done?.resolve({ outcome: 'left' });
    if (events.length > 0) this.#scope.hints.publish(this.#scope.shard, 'inbox', to.id);
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

  /** Facts are always admitted: tried until the database takes them. */
  async #leave(rows: InboxRow[]): Promise<void> {
    while (rows.length > 0 && !this.#stopped) {
      try {
        await this.#scope.store.leave(rows);
        return;
      } catch (error) {
        this.#scope.log.warn({ err: error }, 'inbox cannot be written');
        await new Promise<void>((resolve) => void this.#scope.clock.after(LEAVE_AGAIN_MS, resolve));
      }
    }
  }
}
