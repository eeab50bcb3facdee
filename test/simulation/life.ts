/**
 * One process: from its start to its crash. Whatever reaches it passes through `reach`, so it can be paused at every
 * await and is silent for good once it is dead. A pause is that of the process (as by SIGSTOP: its clock goes on, its
 * code does not) or that of its machine (suspended: its monotonic clock stands still as well, its wall clock does not).
 */
import type { Clock } from '../../src/engine/contract/ports.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { Book } from './book.ts';
import type { Dice } from './dice.ts';
import { EPOCH, GRACE_MS, SHARD, trouble } from './plan.ts';
import type { World } from './world.ts';

/** How long a process has no time to spare, and then has. */
const BUSY_MS = 1_500;

/** A process that was paused is felt for so long: it beats, joins anew, and looks at what it holds. */
const AFTER_PAUSE_MS = 8_000;
/** One that died: until it runs again or others have taken up what it held. */
const AFTER_DEATH_MS = trouble.restartMs[1] + GRACE_MS + 8_000;

export interface LifeScope {
  world: World;
  book: Book;
  dice: Dice;
  /** Whether things go wrong now. */
  troubled: () => boolean;
  /** Every clock stands still in every pause: breaks the begin limit. */
  clocksStop: boolean;
  /** Told of what will be felt until then (virtual). */
  disturbed: (until: number) => void;
  /** Every clock stands still while the machine is suspended: its wall clock does not tell. */
  isFrozen: boolean;
  /** It has no time to spare in calm days either. */
  isBusy: boolean;
}

export class Life {
  readonly name: string;
  readonly host: string;
  engine: RamalEngine | null = null;
  alive = true;
  /** When the last heartbeat was sent that the database answered, virtual. */
  beatenAt = -Infinity;
  /** How long its machine had slept by then. */
  #sleptAtBeat = 0;
  /** By how much its wall clock had been set when that was answered. */
  #wallSetAtBeat = 0;
  #lastNow = 0;
  /** Told when it dies, however it does. */
  onEnd: () => void = () => {};
  readonly #scope: LifeScope;
  #pausedUntil = 0;
  /** How long its monotonic clock stood still, and the others. */
  #sleptMs = 0;
  #frozenMs = 0;
  #wallSetMs = 0;
  readonly #countsBoot: boolean;
  /** Clocks start anywhere and do not run alike: up to 0.2 ms a second apart. */
  readonly #offset: number;
  readonly #rate: number;

  constructor(name: string, host: string, scope: LifeScope) {
    this.name = name;
    this.host = host;
    this.#scope = scope;
    this.#offset = scope.dice.between(0, 1e9);
    this.#rate = scope.dice.between(0.9999, 1.0001);
    this.#countsBoot = scope.dice.chance(0.5);
  }

  /**
   * The node's incarnation; 0 before it has joined. Where a shard is replaced in the process, that of the new one, which
   * acts before it takes the place of the old one.
   */
  incarnation = 0;

  get paused(): boolean {
    return this.#pausedUntil > this.#scope.world.now;
  }

  /** The last heartbeat that the database answered was sent then, which was when its machine had slept for so long. */
  beaten(at: number, sleptMs: number): void {
    [this.beatenAt, this.#sleptAtBeat, this.#wallSetAtBeat] = [at, sleptMs, this.#wallSetMs];
  }

  /** For how long its monotonic clock stood still, all in all. */
  get sleptMs(): number {
    return this.#sleptMs;
  }

  /** For how long its machine has slept since its last heartbeat. */
  get sleptSinceBeat(): number {
    return this.#sleptMs - this.#sleptAtBeat;
  }

  /**
   * How much of that nothing shows it. Without a clock that counts from boot only its wall clock tells of a sleep; where that was
   * set back by as much meanwhile, all of it is hidden.
   */
  unnoticed(leastMs: number): number {
    const shownMs = this.sleptSinceBeat + this.#wallSetMs - this.#wallSetAtBeat;
    const isHidden = !this.#countsBoot && Math.abs(shownMs) < leastMs;
    return isHidden ? this.sleptSinceBeat : Math.min(this.sleptSinceBeat, leastMs);
  }

  /** When its last pause began; where the machine slept, and its clocks with it, when that ended. */
  pausedFrom = 0;

  /** When its last pause ends, or ended. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** Its time of the shard never goes back. */
  judgeTime(): void {
    const now = this.engine?.now(SHARD) ?? 0;
    if (now < this.#lastNow)
      this.#scope.book.violated('time went back', this.incarnation, `from ${this.#lastNow} to ${now}`);
    this.#lastNow = now;
  }

  readonly clock: Clock = {
    monotonic: () => this.#offset + (this.#moment - this.#sleptMs) * this.#rate,
    wall: () => Math.floor(EPOCH + this.#moment - this.#frozenMs + this.#wallSetMs),
    sinceBoot: () =>
      this.#countsBoot ? this.#offset + (this.#moment - this.#frozenMs) * this.#rate : undefined,
    after: (ms, run) => this.#awakeAfter(ms / this.#rate + this.#scope.dice.between(0, 1.5), run),
    soon: (run) => void this.reach(this.#moment + 0.01, run),
    // At work without a pause for seconds: what is put off meanwhile may outlive the process. Or for good.
    load: () => (this.#isAtWork ? 1 : 0),
  };

  /** Lets something reach the process at that time: later when it is paused then, never when it is dead. */
  reach(at: number, run: () => void): () => void {
    const { world } = this.#scope;
    let prevent = (): void => {};
    const arrive = (): void => {
      if (!this.alive) return;
      if (!this.paused && this.#scope.troubled() && this.#scope.dice.chance(trouble.pauseAtAwait))
        this.pause('at an await');
      if (this.paused) prevent = world.at(this.#pausedUntil, arrive);
      else run();
    };
    prevent = world.at(at, arrive);
    return () => prevent();
  }

  /** A timer of the process: it does not run while the machine sleeps. */
  #awakeAfter(ms: number, run: () => void): () => void {
    let sleptMs = this.#sleptMs;
    let prevent = (): void => {};
    const arrive = (): void => {
      const leftMs = this.#sleptMs - sleptMs;
      sleptMs = this.#sleptMs;
      if (leftMs > 0) prevent = this.reach(this.#moment + leftMs, arrive);
      else run();
    };
    prevent = this.reach(this.#moment + ms, arrive);
    return () => prevent();
  }

  /** Sets its wall clock. */
  setWall(ms: number): void {
    if (!this.alive || this.paused) return;
    this.#wallSetMs += ms;
    this.#scope.book.count('wall clocks set');
    this.#scope.book.note(`${this.name} sets its wall clock by ${Math.round(ms)} ms`);
  }

  /** Something the process does next: now, or once it runs again. */
  next(run: () => void): void {
    this.reach(this.#moment, run);
  }

  /** Stops it for a while. */
  pause(why: string, [least, most] = this.#usualPause()): void {
    const { world, dice, book, clocksStop, isFrozen, disturbed } = this.#scope;
    if (!this.alive || this.paused) return;
    const ms = dice.between(least, most);
    const sleeps = dice.chance(trouble.suspended);
    this.#pausedUntil = world.now + ms;
    this.pausedFrom = sleeps || clocksStop ? this.#pausedUntil : world.now;
    disturbed(this.#pausedUntil + AFTER_PAUSE_MS);
    if (sleeps || clocksStop) this.#sleptMs += ms;
    if ((sleeps && isFrozen) || clocksStop) this.#frozenMs += ms;
    book.count(sleeps ? 'suspensions' : 'pauses');
    book.note(`${this.name} ${sleeps ? 'sleeps' : 'pauses'} ${why} for ${Math.round(ms)} ms`);
  }

  /** Ends it between two lines of its code. */
  crash(why: string): void {
    if (!this.alive) return;
    this.#scope.book.count('crashes');
    this.end(`crashes ${why}`);
  }

  /** It is gone. */
  end(how: string): void {
    if (!this.alive) return;
    this.alive = false;
    this.#scope.disturbed(this.#scope.world.now + AFTER_DEATH_MS);
    this.#scope.book.note(`${this.name} ${how}`);
    this.onEnd();
  }

  #usualPause(): readonly [number, number] {
    return this.#scope.dice.chance(trouble.longPause) ? trouble.longPauseMs : trouble.pauseMs;
  }

  get #isAtWork(): boolean {
    if (!this.#scope.troubled()) return this.#scope.isBusy;
    return Math.floor(this.#moment / BUSY_MS) % 2 === 0;
  }

  /** Where its own code is in time: a pause in mid-code lies behind what it does next. */
  get #moment(): number {
    return Math.max(this.#scope.world.now, this.#pausedUntil);
  }
}
