/**
 * Fires due times. The holder keeps those of the next minute in memory and fires them within milliseconds; later ones
 * stay in the rows and are read by a look-ahead.
 */
import { TimerHeap } from './timerHeap.ts';
import type { TimerOrPendingEffect } from '../contract/timersAndPendingEffects.ts';
import type { MachineState } from '../step/machineState.ts';
import type { Mail } from '../contract/machineMail.ts';
import type { Clock } from '../contract/ports.ts';
import type { CachedMachine } from '../writer/cachedMachine.ts';
import type { ShardMachineStore } from '../contract/store.ts';
import type { Key } from '../contract/rows.ts';

const HORIZON_MS = 60_000;
const LOOK_AHEAD_ROWS = 500_000;
/** A machine that was told of what is due and has not stepped is told again after this time. */
const SNOOZE_MS = 5_000;

export interface MachineTimersDeps {
  clock: Clock;
  store: ShardMachineStore;
  now(): number;
  incarnation(): number;
  /** The machine, if it is in memory and its row is read. */
  cached(id: number): CachedMachine | undefined;
  /** Brings a machine into memory for its timers, if this node still holds it; then `due` is called with it. */
  fetch(key: Key): void;
  /** Mail of a machine's own doing. */
  mail(cached: CachedMachine, mail: Mail): void;
  /** Confirmations wait to be written. */
  flush(cached: CachedMachine): void;
  fired(lagMs: number): void;
  /** Milliseconds for which what was missed is still heard, before timers judge. */
  catchUpMs(): number;
}

export class MachineTimerScheduler {
  readonly #scope: MachineTimersDeps;
  readonly #alarm: TimerHeap;

  constructor(scope: MachineTimersDeps) {
    this.#scope = scope;
    this.#alarm = new TimerHeap(scope.clock, scope.now, (account, id) => this.#ring({ account, id }));
  }

  stop(): void {
    this.#alarm.stop();
  }

  /** Arms a machine for the earliest entry of its agenda, when that is near. */
  arm({ account, id, agenda }: MachineState): void {
    let due = Infinity;
    for (const entry of agenda) if (entry.due < due) due = entry.due;
    this.armAt(account, id, due === Infinity ? null : due);
  }

  armAt(account: number, id: number, due: number | null): void {
    const near = due !== null && due <= this.#scope.now() + HORIZON_MS;
    this.#alarm.set(account, id, near ? due : null);
  }

  /** Fetches the due times of the next minute. */
  async lookAhead(): Promise<void> {
    const { store, now, incarnation, cached } = this.#scope;
    for (const { account, id, wakeAt } of await store.lookAhead(
      incarnation(),
      now() + HORIZON_MS,
      LOOK_AHEAD_ROWS,
    )) {
      const known = cached(id);
      // What is in memory is newer than what was read.
      if (!known) this.#alarm.set(account, id, wakeAt);
      else if (known.phase === 'idle') this.arm(known.committed!);
    }
  }

  /** Mails a machine whatever on its agenda is due. */
  due(cached: CachedMachine): void {
    const now = this.#scope.now();
    const { account, id, agenda } = cached.committed!;
    const heardAt = now + (isAdoptable(cached) ? this.#scope.catchUpMs() : 0);
    let next = now + SNOOZE_MS;
    for (const entry of agenda) {
      const due = entry.t === 'timer' && entry.due <= now ? heardAt : entry.due;
      if (due <= now) this.#tell(cached, entry, now);
      else if (due < next) next = due;
    }
    this.#alarm.set(account, id, next);
  }

  #ring(key: Key): void {
    const cached = this.#scope.cached(key.id);
    if (cached) this.due(cached);
    else this.#scope.fetch(key);
  }

  #tell(cached: CachedMachine, entry: TimerOrPendingEffect, now: number): void {
    if (entry.t === 'timer') {
      if (isTold(cached, entry)) return;
      this.#scope.fired(now - entry.due);
      this.#scope.mail(cached, { what: 'timer', id: entry.id, rev: entry.rev });
    } else if (entry.wait) {
      if (!isTold(cached, entry))
        this.#scope.mail(cached, { what: 'begin', effect: entry.id, tries: entry.tries });
    } else if (cached.settled.some(({ id }) => id === entry.id)) this.#scope.flush(cached);
    else if (!cached.running.includes(entry.id) && !isTold(cached, entry))
      this.#scope.mail(cached, { what: 'lost', effect: entry.id, tries: entry.tries });
  }
}

/** Whether it waits for facts of a provider in this process, so that it may have missed some. */
const isAdoptable = ({ committed }: CachedMachine): boolean =>
  committed!.deferred === null && committed!.snapshot.hasTag('adoptable');

/** Whether what is told of an entry that is due, or what became of it, still lies in the mailbox. */
const isTold = ({ mailbox }: CachedMachine, { t, id, rev }: TimerOrPendingEffect): boolean =>
  mailbox.some((mail) =>
    t === 'timer'
      ? mail.what === 'timer' && mail.id === id && mail.rev === rev
      : 'effect' in mail && mail.effect === id,
  );
