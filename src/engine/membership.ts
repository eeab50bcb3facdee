/**
 * This node among others on one shard: its incarnation, its heartbeat, database time, and who is dead.
 *
 * A node may act on a row only while its own heartbeat is fresh; others may take its rows only once that heartbeat
 * is older than the grace time. The first limit is half the second, so the two never overlap.
 */
import { Mint } from './ids.ts';
import type { Clock, EngineLog } from './ports.ts';
import type { NodeRow, ShardStore } from './store.ts';

export interface MembershipOptions {
  name: string;
  /** Names host, process and start time; `isProcessDead` understands it. */
  process: string;
  /** True when that process surely ended (same host, looked up); false when unknown. */
  isProcessDead: (process: string) => boolean;
  graceMs: number;
}

/** Beats in a grace time. */
const BEATS = 5;

export class Membership {
  incarnation = 0;
  readonly #store: ShardStore;
  readonly #clock: Clock;
  readonly #options: MembershipOptions;
  readonly #log: EngineLog;
  #mint: Mint = new Mint(0, () => 0);
  /** Database time minus monotonic time. */
  #offset = 0;
  #last = 0;
  #beatSent = -Infinity;
  /** When this incarnation began, monotonic. */
  #joinedAt = Infinity;
  #judgeFrom = Infinity;
  #nodes: NodeRow[] = [];
  #dead = new Set<number>();
  #cancel: () => void = () => {};
  #waiting: (() => void)[] = [];
  #stopped = false;
  /** Told of incarnations found dead, after each beat. */
  onDead: (incarnations: number[]) => void = () => {};
  /** Told when the database was heard again after a silence. */
  onReturn: () => void = () => {};
  /** Told when this incarnation was declared dead while it slept, and a new one has begun. */
  onRejoin: () => void = () => {};

  constructor(store: ShardStore, clock: Clock, options: MembershipOptions, log: EngineLog) {
    this.#store = store;
    this.#clock = clock;
    this.#options = options;
    this.#log = log;
  }

  get graceMs(): number {
    return this.#options.graceMs;
  }

  /** Database time, epoch milliseconds; never goes back. */
  now(): number {
    const now = Math.round(this.#clock.monotonic() + this.#offset);
    if (now > this.#last) this.#last = now;
    return this.#last;
  }

  /** Whether this node may begin effects: its heartbeat is young enough that nobody can have taken its rows. */
  get fresh(): boolean {
    return this.#clock.monotonic() - this.#beatSent < this.#options.graceMs / 2;
  }

  /**
   * Whether what a commit sent at that time (monotonic) says may be acted on, its effects begin and its words be handed
   * on: it was not long ago, and under this incarnation. One sent under the last, before we knew that it was declared
   * dead, left a row that anybody may have taken.
   */
  mayAct(sentAt: number): boolean {
    const age = this.#clock.monotonic() - sentAt;
    return this.fresh && sentAt >= this.#joinedAt && age < this.#options.graceMs / 2;
  }

  mint(): number {
    return this.#mint.next();
  }

  /** Whether an incarnation was declared dead (one that still holds rows is never forgotten; an unknown one is new). */
  isDead(incarnation: number): boolean {
    return this.#dead.has(incarnation);
  }

  /** Other nodes that live. */
  get others(): number {
    return this.#nodes.filter(
      (node) => node.incarnation !== this.incarnation && !this.#dead.has(node.incarnation),
    ).length;
  }

  /** Joins the shard. Fails while the database does not answer. */
  async start(): Promise<void> {
    await this.#adjust();
    await this.#register();
    await this.#beat();
    this.#plan();
  }

  async #register(): Promise<void> {
    const { incarnation, slot, mintedMs } = await this.#store.register({
      name: this.#options.name,
      process: this.#options.process,
      at: this.now(),
      graceMs: this.#options.graceMs,
    });
    this.incarnation = incarnation;
    this.#joinedAt = this.#clock.monotonic();
    this.#mint = new Mint(slot, () => this.now(), mintedMs);
    // Others' beats may be old because the database was away; whoever lives has beaten within this time.
    this.#judgeFrom = this.#clock.monotonic() + (1.5 * this.#options.graceMs) / BEATS;
  }

  /** Settles after the next heartbeat that the database heard. */
  nextBeat(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Beats now rather than at the next turn; failures are quiet. */
  async refresh(): Promise<void> {
    try {
      await this.#beat();
    } catch (error) {
      this.#log.warn({ err: error }, 'heartbeat not written');
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#store.leaveNode(this.incarnation, this.now());
  }

  /** Ends without a word, as a crash would. */
  abandon(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #plan(): void {
    if (this.#stopped) return;
    this.#cancel = this.#clock.after(this.#options.graceMs / BEATS, () => {
      void this.refresh().then(() => this.#plan());
    });
  }

  async #adjust(): Promise<void> {
    const sent = this.#clock.monotonic();
    const now = await this.#store.now();
    const back = this.#clock.monotonic();
    // A slow reply says little about the database's clock; keep what is known.
    if (this.#beatSent === -Infinity || back - sent < 250) this.#offset = now - (sent + back) / 2;
  }

  async #beat(): Promise<void> {
    const sent = this.#clock.monotonic();
    await this.#adjust();
    const { alive, nodes } = await this.#store.beat(this.incarnation, this.now(), this.#mint.millisecond);
    if (this.#stopped) return;
    if (!alive) {
      this.#log.warn({ incarnation: this.incarnation }, 'declared dead while asleep: joining anew');
      await this.#register();
      this.#beatSent = -Infinity;
      this.onRejoin();
      await this.#beat();
      return;
    }
    const silence = sent - this.#beatSent;
    // After a silence the others could not beat either: give them a grace time before judging them.
    if (this.#beatSent !== -Infinity && silence > this.#options.graceMs / 2) {
      this.#judgeFrom = Math.max(this.#judgeFrom, sent + this.#options.graceMs);
      this.onReturn();
    }
    this.#beatSent = sent;
    this.#nodes = nodes;
    for (const resolve of this.#waiting.splice(0)) resolve();
    await this.#judge();
  }

  /** Declares dead who is, and tells of all the dead that are still listed. */
  async #judge(): Promise<void> {
    const now = this.now();
    const before = now - this.#options.graceMs;
    const mayJudge = this.#clock.monotonic() >= this.#judgeFrom;
    const others = this.#nodes.filter((node) => node.incarnation !== this.incarnation);
    for (const node of others) {
      if (node.stoppedAt !== null) continue;
      const ended = this.#options.isProcessDead(node.process);
      if (!ended && !(mayJudge && node.beatAt < before)) continue;
      if (await this.#store.declareDead(node.incarnation, now, ended ? null : before)) node.stoppedAt = now;
    }
    this.#dead = new Set(others.filter((node) => node.stoppedAt !== null).map((node) => node.incarnation));
    if (this.#dead.size > 0) this.onDead([...this.#dead]);
  }
}
