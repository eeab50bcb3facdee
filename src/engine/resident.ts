/**
 * A machine in memory, and the bounded house of them. What is here can be forgotten at any time when it is idle:
 * everything it says stands in its row.
 */
import type { Committed } from './committed.ts';
import type { Draft } from './draft.ts';
import { IdTable } from './idTable.ts';
import { Linked, LinkedList } from './linked.ts';
import { isPressing, type Mail } from './mail.ts';
import type { Wait } from './settling.ts';

/** A write whose outcome is unknown, and the mail it took. */
export interface Doubt {
  draft: Draft;
  mails: readonly Mail[];
}

const NONE: readonly never[] = [];

/** Most mail that one write folds together. */
export const FOLD = 64;

export class Resident extends Linked {
  readonly account: number;
  readonly id: number;
  /** Null until the row is read. */
  committed: Committed | null = null;
  mailbox: Mail[] = [];
  /**
   * `reading`: the row is on its way; `ready`: in a lane's queue; `patient`: behind that queue, until the process has
   * time; `writing`: its draft is being committed; `held`: its write was refused, and is tried again later.
   */
  phase: 'idle' | 'reading' | 'ready' | 'patient' | 'writing' | 'held' = 'idle';
  /** Most mail that one write of it folds together; less after a refusal, until the mail at fault stands alone. */
  fold = FOLD;
  /** Effects accepted with nothing to tell; struck off the agenda by the next write. */
  settled: readonly string[] = NONE;
  /** How long they have waited for that. */
  wait: Wait | null = null;
  /** Effects being performed now. */
  running: readonly string[] = NONE;
  /** Writes whose outcome is unknown: should one turn out to have landed, it counts. */
  doubtful: readonly Doubt[] = NONE;
  #window = 0;
  #ownSteps = 0;

  constructor(account: number, id: number) {
    super();
    this.account = account;
    this.id = id;
  }

  /** Takes the oldest pieces of mail out of the mailbox, so many at most. */
  takeMail(most: number): Mail[] {
    const { mailbox } = this;
    if (mailbox.length > most) return mailbox.splice(0, most);
    this.mailbox = [];
    return mailbox;
  }

  /** Whether it gives way to others: of a patient kind, and with nothing that somebody waits for. */
  get givesWay(): boolean {
    const { committed, settled, mailbox } = this;
    return committed!.chart.kind.patient === true && settled.length === 0 && !mailbox.some(isPressing);
  }

  /** May be forgotten without losing anything. */
  get restful(): boolean {
    return (
      this.phase === 'idle' &&
      this.mailbox.length === 0 &&
      this.settled.length === 0 &&
      this.running.length === 0
    );
  }

  /** Counts steps a machine takes on its own account; beyond the limit of a second it spins, and says so once a second. */
  spins(at: number, limit: number): 'first' | 'still' | false {
    const window = Math.floor(at / 1000);
    if (window !== this.#window) {
      this.#window = window;
      this.#ownSteps = 0;
    }
    this.#ownSteps += 1;
    if (this.#ownSteps <= limit) return false;
    return this.#ownSteps === limit + 1 ? 'first' : 'still';
  }
}

export class Residents {
  readonly #limit: number;
  readonly #byId = new IdTable<Resident>();
  readonly #byAge = new LinkedList<Resident>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): Resident | undefined {
    return this.#byId.get(id);
  }

  /** One more; its id must not be here yet. */
  add(resident: Resident): void {
    this.#byId.set(resident.id, resident);
    this.#byAge.add(resident);
    if (this.#byId.size > this.#limit) this.#evict();
  }

  remove(resident: Resident): void {
    if (this.#byAge.remove(resident)) this.#byId.delete(resident.id);
  }

  [Symbol.iterator](): Iterator<Resident> {
    return this.#byAge[Symbol.iterator]();
  }

  /** Forgets restful machines, oldest first, down to nine tenths; busy ones move to the young end. */
  #evict(): void {
    let look = this.size;
    for (const resident of this.#byAge) {
      if (look-- === 0 || this.size <= this.#limit * 0.9) return;
      if (resident.restful) this.remove(resident);
      else if (this.#byAge.remove(resident)) this.#byAge.add(resident);
    }
  }
}
