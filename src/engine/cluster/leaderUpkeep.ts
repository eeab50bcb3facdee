/**
 * Upkeep of a shard, done by its leading node: archives machines that have ended, and deletes claims and inbox rows
 * that have expired.
 */
import { backoffPauseMs } from '../contract/backoff.ts';
import type { Clock, EngineLog } from '../contract/ports.ts';
import type { ClusterMembership } from './membership.ts';
import type { ShardMachineStore } from '../contract/store.ts';

const DAY_MS = 86_400_000;
const EVERY_MS = 60_000;
/** After failures the pauses grow up to this, milliseconds. */
const LONGEST_MS = 15 * 60_000;
const REST_ROWS = 5_000;

export interface UpkeepTask {
  /** Work that other rooms owe the shard (partitions, caches); called by the leader each time. */
  (at: number): Promise<void>;
}

export interface MachineArchiverOptions {
  store: ShardMachineStore;
  clock: Clock;
  membership: ClusterMembership;
  log: EngineLog;
  /** How long a finished machine keeps its row. */
  restMs: number;
  upkeep: readonly UpkeepTask[];
}

export class MachineArchiver {
  readonly #options: MachineArchiverOptions;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(options: MachineArchiverOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    const turn = (failures: number): void => {
      const longer =
        failures > 0 ? backoffPauseMs(failures, { firstMs: EVERY_MS, longestMs: LONGEST_MS }, 1) : EVERY_MS;
      this.#cancel = clock.after(longer, () => {
        void this.run()
          .then(
            () => 0,
            (error: unknown) => {
              log.warn({ err: error, failures: failures + 1 }, 'housekeeping failed');
              return failures + 1;
            },
          )
          .then((failed) => {
            if (!this.#stopped) turn(failed);
          });
      });
    };
    turn(0);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** One round, if this node leads. */
  async run(): Promise<void> {
    const { store, membership, restMs, upkeep } = this.#options;
    if (!membership.guard.isOpen) return;
    const at = membership.now();
    const owner = String(membership.incarnation);
    if (!(await store.lead('housekeeping', owner, at, at + 3 * EVERY_MS))) return;
    for (const work of upkeep) await work(at);
    while (!this.#stopped && (await store.rest(at - restMs, at, REST_ROWS)) === REST_ROWS);
    await store.sweep(membership.lowWatermark, membership.graceMs);
    await store.forgetNodes(at - DAY_MS);
  }
}
