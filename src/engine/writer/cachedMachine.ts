/**
 * Machines in memory, and the bounded cache of them. An idle one can be evicted at any time: its row holds all of it.
 */
import type { AcceptedEffect } from '../contract/timersAndPendingEffects.ts';
import type { MachineState } from '../step/machineState.ts';
import type { UncommittedMachineStep } from '../step/stepTransaction.ts';
import { OpenAddressingMap } from './openAddressingMap.ts';
import { IntrusiveListNode, IntrusiveList } from '../contract/intrusiveList.ts';
import { isUrgentMail, type Mail } from '../contract/machineMail.ts';

/** A write whose outcome is unknown, and the mail it took. */
export interface StepWithUnknownOutcome {
  tx: UncommittedMachineStep;
  mails: readonly Mail[];
}

const NONE: readonly never[] = [];

/** Machines that are looked at to make room for one more: with more than one, a cache that had outgrown its limit shrinks. */
const LOOKS_PER_ADD = 32;

/** Most mail that one write folds together. */
export const MAX_MAIL_PER_WRITE = 64;

export class CachedMachine extends IntrusiveListNode {
  readonly account: number;
  readonly id: number;
  /** Null until the row is read. */
  committed: MachineState | null = null;
  mailbox: Mail[] = [];
  /**
   * `reading`: the row is on its way; `ready`: in a lane's queue; `lowPriority`: behind that queue, until the process
   * has time; `writing`: its tx is being committed; `held`: its write was refused, and is tried again later.
   */
  phase: 'idle' | 'reading' | 'ready' | 'lowPriority' | 'writing' | 'held' = 'idle';
  /** Most mail that one write of it folds together; less after a refusal, until the mail at fault stands alone. */
  eventsPerStep = MAX_MAIL_PER_WRITE;
  /** Effects accepted with nothing to tell; struck off the agenda by the next write. */
  settled: readonly AcceptedEffect[] = NONE;
  /** How long they have waited for that. */
  wait: DeferredEffectAckWait | null = null;
  /** Effects being performed now. */
  running: readonly string[] = NONE;
  /** Writes whose outcome is unknown: should one turn out to have landed, it counts. */
  uncertain: readonly StepWithUnknownOutcome[] = NONE;
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

  /** Whether it gives way to others: of a low-priority kind, and with no mail that a caller waits for or a provider reported. */
  get isLowPriority(): boolean {
    const { committed, settled, mailbox } = this;
    return committed!.chart.kind.lowPriority === true && settled.length === 0 && !mailbox.some(isUrgentMail);
  }

  /** May be forgotten without losing anything. */
  get isEvictable(): boolean {
    return (
      this.phase === 'idle' &&
      this.mailbox.length === 0 &&
      this.settled.length === 0 &&
      this.running.length === 0
    );
  }

  /** Counts steps a machine takes on its own account; beyond the limit of a second it spins, and says so once a second. */
  exceedsStepRate(at: number, limit: number): 'first' | 'still' | false {
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

export class MachineCache {
  readonly #limit: number;
  readonly #byId = new OpenAddressingMap<CachedMachine>();
  readonly #byAge = new IntrusiveList<CachedMachine>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: number): CachedMachine | undefined {
    return this.#byId.get(id);
  }

  /** One more; its id must not be here yet. It stays for now, also where the others are all busy: something was read for it. */
  add(cached: CachedMachine): void {
    if (this.#byId.size >= this.#limit) this.#evict();
    this.#byId.set(cached.id, cached);
    this.#byAge.add(cached);
  }

  remove(cached: CachedMachine): void {
    if (this.#byAge.remove(cached)) this.#byId.delete(cached.id);
  }

  [Symbol.iterator](): Iterator<CachedMachine> {
    return this.#byAge[Symbol.iterator]();
  }

  /**
   * Forgets idle machines, oldest first, until there is room; busy ones move to the young end. It looks at a few only: where
   * a hundred thousand are busy, each that comes would look at all of them, and the process would do nothing else for minutes.
   */
  #evict(): void {
    let looks = 0;
    for (const cached of this.#byAge) {
      if (this.size < this.#limit || looks++ === LOOKS_PER_ADD) return;
      if (cached.isEvictable) this.remove(cached);
      else if (this.#byAge.remove(cached)) this.#byAge.add(cached);
    }
  }
}

/** A machine's wait, and when it ends, monotonic. */
export class DeferredEffectAckWait extends IntrusiveListNode {
  readonly cached: CachedMachine;
  readonly until: number;

  constructor(cached: CachedMachine, until: number) {
    super();
    this.cached = cached;
    this.until = until;
  }
}
