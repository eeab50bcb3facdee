/**
 * What trunks and accounts spent today, of all processes. What this one adds is written every second; until then it counts
 * here, and what others added meanwhile does not: a limit may be passed by what a second costs, and by calls under way.
 */
import { toLocal } from '../../lib/localTime.ts';
import { PeriodicTask } from '../../lib/periodicTask.ts';
import type { DailyCallCost } from '../../rules/trunks/spent.ts';

export interface DailySpendingOptions {
  /** Adds what was spent, and answers what all have spent since that day. */
  exchange(added: readonly DailyCallCost[], since: string): Promise<DailyCallCost[]>;
  /** `wall`: epoch milliseconds. */
  clock: { wall(): number; after(ms: number, run: () => void): () => void };
  /** Counts what legs have cost by now, before it is written. */
  count(): void;
  log: { warn(fields: object, message: string): void; info(message: string): void };
}

const ROUND_MS = 1_000;
/** Zones differ by a day at the most. */
const KEPT_MS = 2 * 86_400_000;

export class DailySpendingTracker {
  readonly #options: DailySpendingOptions;
  /** Of all, as it was read last. */
  #known = new Map<string, number>();
  /** Of this process, not written yet. */
  #added = new Map<string, DailyCallCost>();
  readonly #task: PeriodicTask;

  constructor(options: DailySpendingOptions) {
    this.#options = options;
    this.#task = new PeriodicTask({
      run: () => this.#round(),
      everyMs: ROUND_MS,
      after: options.clock.after,
      says: {
        failing: 'what calls cost cannot be counted: each node counts its own',
        again: 'what calls cost is counted again',
      },
      log: options.log,
    });
  }

  /** What it spent today by the clock of its zone, ten-thousandths of the currency. */
  today(owner: DailyCallCost['owner'], id: number, zone: string): number {
    const key = keyOf({ owner, id, day: this.#day(zone) });
    return (this.#known.get(key) ?? 0) + (this.#added.get(key)?.units ?? 0);
  }

  add(owner: DailyCallCost['owner'], id: number, zone: string, units: number): void {
    if (units <= 0) return;
    const of = { owner, id, day: this.#day(zone) };
    const key = keyOf(of);
    this.#added.set(key, { ...of, units: units + (this.#added.get(key)?.units ?? 0) });
  }

  /** Writes and reads, and does so each second from now on. */
  renew(): Promise<void> {
    return this.#task.renew();
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    await this.#task.stop();
    await this.#task.attempt();
  }

  async #round(): Promise<void> {
    const { count, exchange } = this.#options;
    count();
    const added = this.#added;
    this.#added = new Map();
    try {
      const all = await exchange([...added.values()], this.#since());
      this.#known = new Map(all.map((one) => [keyOf(one), one.units]));
    } catch (error) {
      // Whether it was written is not known: counted twice it stops calls too early, never too late.
      for (const [key, one] of added)
        this.#added.set(key, { ...one, units: one.units + (this.#added.get(key)?.units ?? 0) });
      throw error;
    }
  }

  #since(): string {
    return toLocal(this.#options.clock.wall() - KEPT_MS, 'UTC').date;
  }

  #day(zone: string): string {
    return toLocal(this.#options.clock.wall(), zone).date;
  }
}

const keyOf = ({ owner, id, day }: Omit<DailyCallCost, 'units'>): string => `${owner} ${id} ${day}`;
