/** Reads rows in batches: what is asked for while one read is under way goes into the next. */
import { Backoff } from '../contract/backoff.ts';
import type { DatabaseRollbackGuard } from '../recovery/databaseRollbackGuard.ts';
import type { DatabaseFailureTracker } from '../contract/databaseHealth.ts';
import { OpenAddressingMap } from '../writer/openAddressingMap.ts';
import type { Clock, Random } from '../contract/ports.ts';
import type { CachedMachine } from '../writer/cachedMachine.ts';
import type { ShardStore } from '../contract/store.ts';
import type { Key, MachineRow } from '../contract/rows.ts';

const BATCH = 500;
/** Pauses between tries while rows cannot be read, milliseconds. */
const PAUSES_MS = { firstMs: 50, longestMs: 5_000 };
/** Its name among the parts of the shard that may fail. */
const PART = 'reading rows';

interface TimerRead extends Key {
  found: (row: MachineRow | undefined) => void;
}

export class MachineLoader {
  readonly #store: ShardStore;
  readonly #clock: Clock;
  readonly #health: DatabaseFailureTracker;
  readonly #backoff: Backoff;
  readonly #guard: DatabaseRollbackGuard;
  readonly #loaded: (found: { cached: CachedMachine; row: MachineRow | undefined }[]) => void;
  #cache: CachedMachine[] = [];
  #timers: TimerRead[] = [];
  /** Those that wait and those being read. */
  readonly #due = new OpenAddressingMap<TimerRead>();
  #busy = false;
  #stopped = false;

  constructor(
    store: ShardStore,
    {
      clock,
      random,
      health,
      guard,
    }: { clock: Clock; random: Random; health: DatabaseFailureTracker; guard: DatabaseRollbackGuard },
    loaded: (found: { cached: CachedMachine; row: MachineRow | undefined }[]) => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#health = health;
    this.#guard = guard;
    this.#backoff = new Backoff(clock, random, PAUSES_MS);
    this.#loaded = loaded;
  }

  get waiting(): number {
    return this.#cache.length;
  }

  /** Whether rows are asked for and not here yet. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Reads a cached machine's row; it is `reading` meanwhile. */
  read(cached: CachedMachine): void {
    cached.phase = 'reading';
    this.#cache.push(cached);
    this.#kick();
  }

  /**
   * Reads the row of a machine whose timer is due and which is not in memory. One that is being read already is not read
   * once more: that row could be there only when the machine has stepped and gone, and show it as it was before.
   */
  readForTimers(account: number, id: number, found: (row: MachineRow | undefined) => void): void {
    if (this.#due.get(id)) return;
    const timer = { account, id, found };
    this.#due.set(id, timer);
    this.#timers.push(timer);
    this.#kick();
  }

  stop(): void {
    this.#stopped = true;
    this.#backoff.end();
  }

  #kick(): void {
    if (this.#busy || this.#stopped) return;
    this.#busy = true;
    this.#clock.soon(() => void this.#run());
  }

  async #run(): Promise<void> {
    while ((this.#cache.length > 0 || this.#timers.length > 0) && !this.#stopped) {
      const cache = this.#cache.splice(0, BATCH);
      const timers = this.#timers.splice(0, BATCH);
      const rows = await this.#read([...cache, ...timers]);
      if (this.#stopped) return;
      const byId = new Map(rows.map((row) => [row.id, row]));
      this.#loaded(cache.map((cached) => ({ cached, row: byId.get(cached.id) })));
      for (const timer of timers) {
        this.#due.delete(timer.id);
        timer.found(byId.get(timer.id));
      }
    }
    this.#busy = false;
  }

  async #read(keys: Key[]): Promise<MachineRow[]> {
    while (!this.#stopped) {
      await this.#guard.opened();
      try {
        const rows = await this.#store.read(keys.map(({ account, id }) => ({ account, id })));
        this.#backoff.succeeded();
        this.#health.recovered(PART);
        // One that is not there may be one that the database has forgotten, before any heartbeat noticed.
        if (rows.length < new Set(keys.map(({ id }) => id)).size && !(await this.#guard.standsOpen()))
          continue;
        return rows;
      } catch (error) {
        this.#backoff.failed();
        this.#health.failed(PART, error);
        await this.#backoff.wait();
      }
    }
    return [];
  }
}
