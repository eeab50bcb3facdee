/**
 * What moves, heard from this node's commits and from other nodes' hints, and passed on to who watches. The engine calls it
 * with every step, so it does next to nothing: a counter, and a look into a map that is empty while no page is open.
 */

/** How this node did lately. */
export interface NodeFigures {
  /** Durable steps in the last whole second. */
  stepsPerSecond: number;
  /** How late its timers fired at worst in the last ten seconds, milliseconds; null: none fired. */
  timerLagMs: number | null;
}

/** Of a kind of machine: out of a state (null: it is new) into another (null: it has ended). */
export type Move = (kind: string, from: string | null, to: string | null) => void;

const lagKeptMs = 10_000;

export class LiveHub {
  readonly #now: () => number;
  readonly #watchers = new Map<number, Set<() => void>>();
  readonly #watchersOfAll = new Set<() => void>();
  readonly #moves = new Set<Move>();
  readonly #closers = new Set<() => void>();
  readonly #telling = new Set<Promise<void>>();
  #second = 0;
  #steps = 0;
  #stepsBefore = 0;
  #lags: { at: number; ms: number }[] = [];

  /** `now`: milliseconds of any monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A machine of this kind has stepped here, out of a state (null: it is new) into another (null: it has ended). */
  stepped(kind: string, machine: number, from: string | null, to: string | null): void {
    this.#count();
    for (const move of this.#moves) move(kind, from, to);
    this.moved(machine);
  }

  /** A machine has moved, here or at another node. */
  moved(machine: number): void {
    const watchers = this.#watchers.get(machine);
    if (watchers) for (const heard of watchers) heard();
    for (const heard of this.#watchersOfAll) heard();
  }

  /** Hears of every step of this node as a move between states; for as long as the process lives. */
  hearMoves(move: Move): void {
    this.#moves.add(move);
  }

  /** Hears whenever any machine moves; answers how to stop. */
  watchAll(heard: () => void): () => void {
    this.#watchersOfAll.add(heard);
    return () => void this.#watchersOfAll.delete(heard);
  }

  /** A timer fired so late. */
  fired(lagMs: number): void {
    const at = this.#now();
    const last = this.#lags.at(-1);
    // One entry a second is enough, that of the worst.
    if (last && at - last.at < 1_000) last.ms = Math.max(last.ms, lagMs);
    else this.#lags.push({ at, ms: lagMs });
    if (this.#lags.length > lagKeptMs / 1_000 + 1) this.#lags.shift();
  }

  /** Hears whenever a machine moves; answers how to stop. */
  watch(machine: number, heard: () => void): () => void {
    const watchers = this.#watchers.get(machine) ?? new Set();
    this.#watchers.set(machine, watchers.add(heard));
    return () => {
      watchers.delete(heard);
      if (watchers.size === 0) this.#watchers.delete(machine);
    };
  }

  /** Streams that are open. */
  get open(): number {
    return this.#closers.size;
  }

  /** Remembers how a stream is closed; answers how to forget it. */
  opened(close: () => void): () => void {
    this.#closers.add(close);
    return () => void this.#closers.delete(close);
  }

  /** Remembers the work of a stream until it is over: it reads the database. It never rejects. */
  tells(work: Promise<void>): void {
    this.#telling.add(work);
    void work.then(() => this.#telling.delete(work));
  }

  /** Closes all streams, and waits until none of them reads any more: the service stops. */
  async close(): Promise<void> {
    for (const close of [...this.#closers]) close();
    await Promise.all(this.#telling);
  }

  figures(): NodeFigures {
    this.#turnSecond();
    const since = this.#now() - lagKeptMs;
    const lags = this.#lags.filter(({ at }) => at >= since).map(({ ms }) => ms);
    return { stepsPerSecond: this.#stepsBefore, timerLagMs: lags.length > 0 ? Math.max(...lags) : null };
  }

  #count(): void {
    this.#turnSecond();
    this.#steps += 1;
  }

  #turnSecond(): void {
    const second = Math.floor(this.#now() / 1_000);
    if (second === this.#second) return;
    this.#stepsBefore = second === this.#second + 1 ? this.#steps : 0;
    this.#steps = 0;
    this.#second = second;
  }
}
