/** Reads rows in batches: what is asked for while one read is under way goes into the next. */
import { Backoff } from '../contract/backoff.ts';
import type { DatabaseRollbackGuard } from '../recovery/databaseRollbackGuard.ts';
import type { DatabaseFailureTracker } from '../contract/databaseFailureTracker.ts';
import { OpenAddressingMap } from '../writer/openAddressingMap.ts';
import type { Clock, Random } from '../contract/ports.ts';
import type { CachedMachine } from '../writer/cachedMachine.ts';
import type { ShardMachineStore } from '../contract/store.ts';
import type { Key, MachineRow } from '../contract/rows.ts';

const BATCH = 500;
/** Pauses between tries while rows cannot be read, milliseconds. */
const PAUSES_MS = { firstMs: 50, longestMs: 5_000 };
/**
 * While so many machines wait to be stepped, those whose timers are due are not read: a hundred thousand calls that are
 * scheduled for the same minute would all be in memory, and what a caller or a carrier tells other machines would stand behind
 * them.
 */
const CROWD = 2_000;
/** How soon it is looked again whether there is room, milliseconds. */
const CROWD_LOOK_MS = 5;
/** Its name among the parts of the shard that may fail. */
const PART = 'reading rows';

interface TimerRead extends Key {
  found: (row: MachineRow | undefined) => void;
}

export interface MachineLoaderDeps {
  clock: Clock;
  random: Random;
  health: DatabaseFailureTracker;
  guard: DatabaseRollbackGuard;
  /** Machines in memory that wait to be stepped. */
  readyMachines(): number;
}

export class MachineLoader {
  readonly #store: ShardMachineStore;
  readonly #clock: Clock;
  readonly #health: DatabaseFailureTracker;
  readonly #backoff: Backoff;
  readonly #guard: DatabaseRollbackGuard;
  readonly #readyMachines: () => number;
  readonly #loaded: (found: { cached: CachedMachine; row: MachineRow | undefined }[]) => void;
  #cache: CachedMachine[] = [];
  #timers: TimerRead[] = [];
  /** Those that wait and those being read. */
  readonly #due = new OpenAddressingMap<TimerRead>();
  #busy = false;
  #stopped = false;
  /** Ends the wait for room. */
  #wake: () => void = () => {};

  constructor(
    store: ShardMachineStore,
    { clock, random, health, guard, readyMachines }: MachineLoaderDeps,
    loaded: (found: { cached: CachedMachine; row: MachineRow | undefined }[]) => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#health = health;
    this.#guard = guard;
    this.#readyMachines = readyMachines;
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
    this.#wake();
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
    this.#wake();
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
      const timers = this.#isCrowded() ? [] : this.#timers.splice(0, BATCH);
      if (cache.length + timers.length === 0) {
        await this.#waitForRoom();
        continue;
      }
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

  #isCrowded(): boolean {
    return this.#timers.length > 0 && this.#readyMachines() >= CROWD;
  }

  /** Settles after a moment, and when a row is asked for that does not wait for room. */
  #waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#clock.after(CROWD_LOOK_MS, resolve);
    });
  }

  async #read(keys: Key[]): Promise<MachineRow[]> {
    while (!this.#stopped) {
      await this.#backoff.waitForOpening(this.#guard);
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
