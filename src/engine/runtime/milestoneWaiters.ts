/**
 * Callers that wait for a milestone. A machine in memory is read there, and its commits wake the waiters; its row is
 * read now and then as well, because another node may hold it by now. Without the machine in memory the row is polled,
 * every 100 ms growing to 1 s.
 */
import type { Clock } from '../contract/ports.ts';
import type { MachineRef, WaitForMilestoneResult } from '../contract/api.ts';
import type { ShardMachineStore } from '../contract/store.ts';
import type { CachedMachine } from '../writer/cachedMachine.ts';

/** How far a machine has come. What was reached once stays so, unless its chart forgets it. */
export interface MachineMilestones {
  milestones: readonly string[];
  ended: boolean;
}

export interface MilestoneReaders {
  /** At a machine in memory, as it was last committed. */
  here(ref: MachineRef): MachineMilestones | undefined;
  /** At its row. */
  row(ref: MachineRef): Promise<MachineMilestones | undefined>;
}

/** Looks first at machines in memory, which `known` answers, then at their rows. */
export const createMachineMilestoneLookup = (
  known: (id: number) => CachedMachine | undefined,
  store: Pick<ShardMachineStore, 'read'>,
): MilestoneReaders => ({
  here: ({ account, id }) => {
    const committed = known(id)?.committed;
    return committed?.account === account
      ? { milestones: committed.milestones, ended: committed.endedAt !== null }
      : undefined;
  },
  row: async (ref) => {
    const [row] = await store.read([ref]);
    return row && { milestones: JSON.parse(row.milestones) as string[], ended: row.endedAt !== null };
  },
});

const FIRST_MS = 100;
const LATER_MS = 1_000;

interface Waiter {
  ref: MachineRef;
  milestone: string;
  settle(result: WaitForMilestoneResult): void;
  look(): void;
}

const NO_WAITERS: readonly Waiter[] = [];

export class MilestoneWaiters {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #looks: MilestoneReaders;
  readonly #byMachine = new Map<number, Set<Waiter>>();

  constructor(clock: Pick<Clock, 'after'>, looks: MilestoneReaders) {
    this.#clock = clock;
    this.#looks = looks;
  }

  wait(ref: MachineRef, milestone: string, timeoutMs: number): Promise<WaitForMilestoneResult> {
    const here = this.#looks.here(ref);
    const known = here && resultOf(here, milestone);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      let delay = here ? LATER_MS : FIRST_MS;
      let cancel = (): void => {};
      const waiter: Waiter = {
        ref,
        milestone,
        settle: (result) => {
          cancel();
          cancelTimeout();
          this.#remove(waiter);
          resolve(result);
        },
        look: () => void this.#check(waiter),
      };
      const cancelTimeout = this.#clock.after(timeoutMs, () => waiter.settle('timeout'));
      const poll = (): void => {
        cancel = this.#clock.after(delay, () => {
          delay = Math.min(LATER_MS, delay * 1.5);
          void this.#check(waiter).then((settled) => settled || poll());
        });
      };
      this.#add(waiter);
      if (here) poll();
      else void this.#check(waiter).then((settled) => settled || poll());
    });
  }

  /** A local commit of a machine of this account passed a milestone. Those that name another account wait for nothing. */
  reached(machine: number, account: number, milestone: string): void {
    for (const waiter of this.#of(machine))
      if (waiter.milestone === milestone && waiter.ref.account === account) waiter.settle('reached');
  }

  /** A local commit ended the machine: what has not been reached never will be. */
  ended(machine: number): void {
    for (const waiter of this.#of(machine)) waiter.look();
  }

  /** Another node says that something was reached. */
  hint(machine: number): void {
    for (const waiter of this.#of(machine)) waiter.look();
  }

  stop(): void {
    for (const waiters of [...this.#byMachine.values()])
      for (const waiter of [...waiters]) waiter.settle('timeout');
  }

  async #check(waiter: Waiter): Promise<boolean> {
    const { ref, milestone } = waiter;
    const here = this.#looks.here(ref);
    const result = (here && resultOf(here, milestone)) ?? resultOf(await this.#row(ref), milestone);
    if (!this.#byMachine.get(ref.id)?.has(waiter)) return true;
    if (result) waiter.settle(result);
    return result !== undefined;
  }

  async #row(ref: MachineRef): Promise<MachineMilestones | undefined> {
    return this.#looks.row(ref).catch(() => undefined);
  }

  #of(machine: number): readonly Waiter[] {
    const waiters = this.#byMachine.get(machine);
    return waiters ? [...waiters] : NO_WAITERS;
  }

  #add(waiter: Waiter): void {
    const waiters = this.#byMachine.get(waiter.ref.id) ?? new Set();
    waiters.add(waiter);
    this.#byMachine.set(waiter.ref.id, waiters);
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#byMachine.get(waiter.ref.id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#byMachine.delete(waiter.ref.id);
  }
}

const resultOf = (
  passed: MachineMilestones | undefined,
  milestone: string,
): WaitForMilestoneResult | undefined => {
  if (passed?.milestones.includes(milestone)) return 'reached';
  return passed?.ended ? 'ended' : undefined;
};
