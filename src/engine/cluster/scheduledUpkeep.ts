/** Heavy upkeep of a shard: done when a schedule says so, by one of the nodes that hear it. */
import type { Clock, EngineLog } from '../contract/ports.ts';
import type { ShardMachineStore } from '../contract/store.ts';
import type { ClusterMembership } from './membership.ts';

/** Calls `due` whenever its time has come, until what it returns is called. */
export type StartRecurringTimer = (due: () => void) => () => void;

/** Work that takes long: it asks between its steps whether it may go on, and ends soon when it may not. */
export interface InterruptibleUpkeepWork {
  /** What it does, for the log. */
  name: string;
  /** `at`: the shard's time, epoch milliseconds. */
  run(at: number, mayGoOn: () => boolean): Promise<void>;
}

export interface ScheduledUpkeepOptions {
  shard: string;
  store: Pick<ShardMachineStore, 'lead'>;
  clock: Clock;
  membership: Pick<ClusterMembership, 'guard' | 'incarnation' | 'now'>;
  log: EngineLog;
  schedule: StartRecurringTimer;
  works: readonly InterruptibleUpkeepWork[];
}

/** So long the node that does it keeps others from it, from the last time it said so: more than hosts' clocks differ. */
const LEAD_MS = 10 * 60_000;
/** How often it says so while it works. */
const RENEW_MS = 60_000;

export class UpkeepScheduler {
  readonly #options: ScheduledUpkeepOptions;
  #cancel: () => void = () => {};
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(options: ScheduledUpkeepOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.schedule(() => void this.run());
  }

  /** Settles when the step under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  /** All of it, now, if no other node does it; while it is done here already, that. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error, shard: this.#options.shard }, 'heavy upkeep could not begin');
      })
      .finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log, membership, shard, works } = this.#options;
    if (this.#stopped || !membership.guard.isOpen || !(await this.#lead())) return;
    const began = clock.monotonic();
    const lease = this.#keepLeading();
    const failed: string[] = [];
    for (const work of works)
      if (lease.isOurs() && !(await this.#do(work, lease.isOurs))) failed.push(work.name);
    lease.end();
    const ms = Math.round(clock.monotonic() - began);
    log.info({ shard, ms, failed, isWhole: lease.isOurs() }, 'heavy upkeep ended');
  }

  /** One work that fails keeps the others from nothing; its next turn is the schedule's. */
  async #do({ name, run }: InterruptibleUpkeepWork, mayGoOn: () => boolean): Promise<boolean> {
    try {
      await run(this.#options.membership.now(), mayGoOn);
      return true;
    } catch (error) {
      const { log, shard } = this.#options;
      log.warn({ err: error, shard, work: name }, 'heavy upkeep failed: it is tried at its next turn');
      return false;
    }
  }

  #lead(): Promise<boolean> {
    const { membership, store } = this.#options;
    const at = membership.now();
    return store.lead('heavy upkeep', String(membership.incarnation), at, at + LEAD_MS);
  }

  /** Says again and again that it is done here. Not ours any more: another node took it, or this one stops. */
  #keepLeading(): { isOurs: () => boolean; end: () => void } {
    const { clock, membership } = this.#options;
    let isLed = true;
    let cancel = (): void => {};
    const plan = (): void => {
      cancel = clock.after(RENEW_MS, () => {
        // A renewal that fails is made again: the lease lasts for ten of them.
        void this.#lead().then(
          (led) => (isLed &&= led),
          () => {},
        );
        plan();
      });
    };
    plan();
    return { isOurs: () => isLed && !this.#stopped && membership.guard.isOpen, end: () => cancel() };
  }
}
