/**
 * Takes over machines of dead nodes, and machines of living nodes that are long overdue. A takeover is a commit guarded
 * by the row's revision, so that one node wins. All rows are taken first; those that have to be stepped for it follow,
 * as fast as the writers allow.
 */
import { Backoff } from '../contract/backoff.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import type { ClusterMembership } from './membership.ts';
import type { Clock, EngineLog, Random } from '../contract/ports.ts';
import { WriterOutOfTurnError, type ShardMachineStore, type TakenOverMachine } from '../contract/store.ts';
import { TAKEOVER_WRITER_NUMBERS } from '../recovery/numberAndJournalWrites.ts';
import type { Key } from '../contract/rows.ts';
import { UnansweredTakeovers } from './unansweredTakeovers.ts';

/** Rows taken up in one transaction. */
const CHUNK = 2_000;
/**
 * More machines waiting to be stepped than this, and those taken up wait their turn. Those of low priority come after the others,
 * and count for their own kind only: a call is listened to again also while thousands of callbacks wait.
 */
const BACKLOG = 2_000;
const PACE_MS = 10;
/** Pauses after a failure, milliseconds: until they are over nothing is taken up, whatever asks for it. */
const PAUSES_MS = { firstMs: 250, longestMs: 5_000 };
/** While it fails it is looked so often whether that is over, milliseconds; the pauses hold. */
const HEALING_MS = 1_000;
/** Its name among the parts of the shard that may fail. */
const PART = 'taking up machines';

/** A machine taken up at a revision, to be stepped for it. */
export interface TakenOverMachineToStep extends Key {
  upTo: number;
}

export interface MachineTakeoverRunnerDeps {
  store: ShardMachineStore;
  clock: Clock;
  log: EngineLog;
  random: Random;
  health: DatabaseFailureTracker;
  membership: ClusterMembership;
  /** Chart versions this build has, as `kind:version`. */
  known: string[];
  /** Those of them whose machines wait for their turn, for how long at most, milliseconds, and how many do. */
  lowPriority: { known: string[]; waitMs: number; waiting(): number };
  /** Machines waiting to be read or stepped, but for those of low priority. */
  backlog(): number;
  /** Taking up begins, and has ended with all of it known; when it fails it begins again before it ends. */
  began(): void;
  ended(): void;
  /** The row is ours; true when the machine must be stepped for it. */
  taken(row: TakenOverMachine): boolean;
  step(orphan: TakenOverMachineToStep): void;
}

export class MachineTakeoverRunner {
  readonly #scope: MachineTakeoverRunnerDeps;
  readonly #orphans = new Map<number, TakenOverMachineToStep>();
  readonly #lowPriorityOrphans = new Map<number, TakenOverMachineToStep>();
  readonly #backoff: Backoff;
  readonly #unanswered: UnansweredTakeovers;
  /** When the last statement was sent, as rows' histories say: no two are of one moment. */
  #lastAt = -Infinity;
  /** Monotonic. */
  #notBefore = -Infinity;
  #busy = false;
  /** What failed is tried again now and then. */
  #healing = false;
  #pacing = false;
  #stopped = false;

  constructor(scope: MachineTakeoverRunnerDeps) {
    this.#scope = scope;
    this.#backoff = new Backoff(scope.clock, scope.random, PAUSES_MS);
    this.#unanswered = new UnansweredTakeovers(scope.clock);
  }

  /** Takes up everything unfinished that these incarnations held. */
  run(dead: number[]): void {
    void this.#once(async () => {
      for (const incarnation of dead) await this.#takeAll(incarnation);
    });
  }

  /**
   * Takes up rows that are overdue by twice the grace time, also those of living nodes; of low-priority kinds when they waited
   * for their turn as long besides as they may: else nodes without time to spare would take them from each other, and each
   * would let them wait anew.
   */
  overdue(): void {
    const { membership, known, lowPriority } = this.#scope;
    if (membership.others === 0) {
      this.#endFailed();
      this.#findUnanswered();
    }
    if (membership.others === 0 || !membership.fresh) return;
    const since = membership.lowWatermark - 2 * membership.graceMs;
    const prompt = known.filter((version) => !lowPriority.known.includes(version));
    void this.#once(async () => {
      await this.#takeOverdue(prompt, since);
      await this.#takeOverdue(lowPriority.known, since - lowPriority.waitMs);
    });
  }

  /** Steps this machine at once: other mail is about to be delivered, and the takeover has to come first. */
  prioritize(id: number): void {
    for (const orphans of [this.#orphans, this.#lowPriorityOrphans]) {
      const orphan = orphans.get(id);
      if (!orphan || this.#stopped) continue;
      orphans.delete(id);
      this.#scope.step(orphan);
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async #once(work: () => Promise<void>): Promise<void> {
    const { clock, health } = this.#scope;
    if (this.#busy || this.#stopped || clock.monotonic() < this.#notBefore) return;
    if (!this.#scope.membership.guard.isOpen) return;
    this.#busy = true;
    this.#scope.began();
    try {
      await this.#holdUnanswered();
      await work();
      this.#scope.ended();
      this.#backoff.succeeded();
      health.recovered(PART);
    } catch (error) {
      this.#backoff.failed();
      this.#notBefore = clock.monotonic() + this.#backoff.nextMs();
      if (error instanceof WriterOutOfTurnError) await this.#scope.membership.guard.look().catch(() => {});
      if (!this.#stopped) this.#failed(error);
    } finally {
      this.#busy = false;
      this.#pace();
    }
  }

  /** Looks for what was taken up without an answer, if there is any such thing. */
  #findUnanswered(): void {
    if (!this.#unanswered.isEmpty) void this.#once(async () => {});
  }

  async #holdUnanswered(): Promise<void> {
    const { store, membership, clock } = this.#scope;
    const { incarnation: heldBy } = membership;
    const statements = this.#unanswered.of(heldBy);
    if (statements.length === 0) return;
    const lookedAt = clock.monotonic();
    const rows = await store.findTakenOver({ heldBy, statements, limit: statements.length * CHUNK });
    this.#unanswered.looked(statements, lookedAt, new Set(rows.map(({ takenAt }) => takenAt)));
    this.#hold(rows);
  }

  /** No other lives: what failed has nothing more to take up from the living, and those who wait for its end wait no longer. */
  #endFailed(): void {
    if (this.#busy || this.#scope.health.failsFor(PART) === 0) return;
    this.#scope.ended();
    this.#scope.health.recovered(PART);
  }

  /** Tries again until nothing fails any more: a node that was to be taken up may live again, and then no heartbeat asks for it. */
  #failed(error: unknown): void {
    const { clock, health } = this.#scope;
    health.failed(PART, error);
    if (this.#healing) return;
    this.#healing = true;
    const again = (): void => {
      if (!this.#stopped && (health.failsFor(PART) > 0 || !this.#unanswered.isEmpty)) {
        this.overdue();
        clock.after(HEALING_MS, again);
      } else this.#healing = false;
    };
    clock.after(HEALING_MS, again);
  }

  async #takeOverdue(known: string[], overdue: number): Promise<void> {
    if (known.length === 0) return;
    this.#hold(await this.#chunk(TAKEOVER_WRITER_NUMBERS[0], { dead: null, after: null, overdue, known }));
  }

  async #takeAll(dead: number): Promise<void> {
    const counts = await Promise.all(TAKEOVER_WRITER_NUMBERS.map((writer) => this.#walk(writer, dead)));
    const machines = counts.reduce((sum, count) => sum + count, 0);
    if (machines > 0) this.#scope.log.info({ machines, from: dead }, 'machines taken up');
  }

  /** Takes up chunk by chunk, leaving to others what they have in hand; how many those were. */
  async #walk(writer: number, dead: number): Promise<number> {
    let after: Key | null = null;
    let count = 0;
    while (!this.#stopped) {
      const { known } = this.#scope;
      const rows: TakenOverMachine[] = await this.#chunk(writer, { dead, after, overdue: null, known });
      if (rows.length === 0) break;
      count += rows.length;
      after = rows.reduce<Key>((last, row) => (byKey(row, last) > 0 ? row : last), rows[0]!);
      this.#hold(rows);
    }
    return count;
  }

  async #chunk(
    writer: number,
    wanted: Pick<Parameters<ShardMachineStore['takeUp']>[0], 'dead' | 'after' | 'overdue' | 'known'>,
  ): Promise<TakenOverMachine[]> {
    const { store, membership } = this.#scope;
    const { incarnation: heldBy, guard } = membership;
    const stepId = membership.mint();
    const at = Math.max(membership.now(), this.#lastAt + 1);
    this.#lastAt = at;
    try {
      return await guard.numbers.writeFound(
        writer,
        (ticket) => store.takeUp({ ...wanted, heldBy, stepId, at, limit: CHUNK, ticket }),
        (rows) => (rows.length === 0 ? undefined : { what: 'takeUp', at, heldBy, rows }),
      );
    } catch (error) {
      if (!(error instanceof WriterOutOfTurnError)) this.#unanswered.add(heldBy, { at, stepId });
      throw error;
    }
  }

  #hold(rows: TakenOverMachine[]): void {
    for (const { stepId } of rows) this.#scope.membership.advanceIds(stepId);
    for (const row of rows) {
      const { account, id, revision } = row;
      if (this.#scope.taken(row)) this.#orphansLike(row).set(id, { account, id, upTo: revision });
    }
  }

  #orphansLike({ kind, version }: TakenOverMachine): Map<number, TakenOverMachineToStep> {
    const isLowPriority = this.#scope.lowPriority.known.includes(`${kind}:${version}`);
    return isLowPriority ? this.#lowPriorityOrphans : this.#orphans;
  }

  /** Steps who must be, no more at a time than the lanes bear. */
  #pace(): void {
    if (this.#pacing || this.#busy || this.#stopped) return;
    const { backlog, lowPriority } = this.#scope;
    const room = this.#step(this.#orphans, BACKLOG - backlog());
    this.#step(this.#lowPriorityOrphans, room - lowPriority.waiting());
    if (this.#orphans.size + this.#lowPriorityOrphans.size === 0) return;
    this.#pacing = true;
    this.#scope.clock.after(PACE_MS, () => {
      this.#pacing = false;
      this.#pace();
    });
  }

  /** Steps the first of them, `room` at most; how much room is left. */
  #step(orphans: Map<number, TakenOverMachineToStep>, room: number): number {
    let left = room;
    for (const [id, orphan] of orphans) {
      if (left <= 0) break;
      left -= 1;
      orphans.delete(id);
      this.#scope.step(orphan);
    }
    return left;
  }
}

const byKey = (one: Key, other: Key): number => one.account - other.account || one.id - other.id;
