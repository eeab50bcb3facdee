/** Upkeep of a shard, done by whichever node leads it: rest for the finished, an end for what ran out. */
import type { Clock, EngineLog } from './ports.ts';
import type { Membership } from './membership.ts';
import type { ShardStore } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 60_000;
const REST_ROWS = 5_000;

export interface Upkeep {
  /** Work that other rooms owe the shard (partitions, caches); called by the leader each time. */
  (at: number): Promise<void>;
}

export class Housekeeping {
  readonly #store: ShardStore;
  readonly #clock: Clock;
  readonly #membership: Membership;
  readonly #log: EngineLog;
  readonly #upkeep: readonly Upkeep[];
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(
    store: ShardStore,
    clock: Clock,
    membership: Membership,
    log: EngineLog,
    upkeep: readonly Upkeep[],
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#membership = membership;
    this.#log = log;
    this.#upkeep = upkeep;
  }

  start(): void {
    const turn = (): void => {
      this.#cancel = this.#clock.after(EVERY_MS, () => {
        this.run()
          .catch((error: unknown) => this.#log.warn({ err: error }, 'housekeeping failed'))
          .finally(() => {
            if (!this.#stopped) turn();
          });
      });
    };
    turn();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  /** One round, if this node leads. */
  async run(): Promise<void> {
    const at = this.#membership.now();
    const owner = String(this.#membership.incarnation);
    if (!(await this.#store.lead('housekeeping', owner, at, at + 3 * EVERY_MS))) return;
    for (const work of this.#upkeep) await work(at);
    while (!this.#stopped && (await this.#store.rest(at - HOUR_MS, at, REST_ROWS)) === REST_ROWS);
    await this.#store.sweep(at, this.#membership.graceMs);
    await this.#store.forgetNodes(at - DAY_MS);
  }
}
