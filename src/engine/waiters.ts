/** Who waits for a milestone: woken by the local commit or a hint, else the row is read, from 100 ms growing to 1 s. */
import type { Clock } from './ports.ts';
import type { MachineRef, WaitResult } from './verbs.ts';

type Look = (ref: MachineRef) => Promise<{ milestones: string[]; ended: boolean } | undefined>;

interface Waiter {
  ref: MachineRef;
  milestone: string;
  settle(result: WaitResult): void;
  look(): void;
}

const NOBODY: readonly Waiter[] = [];

export class Waiters {
  readonly #clock: Clock;
  readonly #look: Look;
  readonly #byMachine = new Map<number, Set<Waiter>>();

  constructor(clock: Clock, look: Look) {
    this.#clock = clock;
    this.#look = look;
  }

  wait(ref: MachineRef, milestone: string, timeoutMs: number): Promise<WaitResult> {
    return new Promise((resolve) => {
      let delay = 100;
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
          delay = Math.min(1_000, delay * 1.5);
          void this.#check(waiter).then((settled) => settled || poll());
        });
      };
      this.#add(waiter);
      void this.#check(waiter).then((settled) => settled || poll());
    });
  }

  /** A local commit passed a milestone. */
  reached(machine: number, milestone: string): void {
    for (const waiter of this.#of(machine)) if (waiter.milestone === milestone) waiter.settle('reached');
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
    const found = await this.#look(waiter.ref).catch(() => undefined);
    if (!this.#byMachine.get(waiter.ref.id)?.has(waiter)) return true;
    if (found?.milestones.includes(waiter.milestone)) waiter.settle('reached');
    else if (found?.ended) waiter.settle('ended');
    else return false;
    return true;
  }

  #of(machine: number): readonly Waiter[] {
    const waiters = this.#byMachine.get(machine);
    return waiters ? [...waiters] : NOBODY;
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
