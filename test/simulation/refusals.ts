/**
 * What the database refuses of a commit. Poison, whenever it is tried; and what is in order: now and then a batch of several,
 * for seconds everything, as with a trigger that somebody forgot, and for a while some machines, each of them once.
 */
import { BadBatch } from '../../src/engine/contract/store.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';
import type { Book } from './book.ts';
import type { Calm } from './calm.ts';
import type { Dice } from './dice.ts';
import { AFTER_REFUSALS_MS, trouble } from './plan.ts';
import type { World } from './world.ts';

/** Data that no database takes: a step whose history carries it is refused, whenever it is tried. */
export const POISON = '\u2620';

export interface RefusalsScope {
  world: World;
  book: Book;
  calm: Calm;
  dice: Dice;
  troubled: () => boolean;
}

export class Refusals {
  readonly #scope: RefusalsScope;
  /** Machines of which a poisoned step was refused. */
  readonly poisoned = new Set<number>();
  #refusesAllUntil = 0;
  #refusesOnceUntil = 0;
  /** Machines that were refused once while they stood alone. */
  readonly #refusedOnce = new Set<number>();

  constructor(scope: RefusalsScope) {
    this.#scope = scope;
  }

  /** Until the trouble is over. */
  begin(): void {
    this.#again(trouble.refusesAllEveryMs, trouble.refusesAllMs, (until) => (this.#refusesAllUntil = until));
    this.#again(
      trouble.refusesOnceEveryMs,
      trouble.refusesOnceMs,
      (until) => (this.#refusesOnceUntil = until),
    );
  }

  /** Throws what the database says of a batch that it does not take. */
  judge(batch: readonly MachineWrite[]): void {
    const { dice, book, troubled } = this.#scope;
    const isPoisoned = this.#poisonIn(batch);
    if (isPoisoned || (batch.length > 1 && troubled() && dice.chance(trouble.refusedBatch))) {
      book.count('refused batches');
      throw new BadBatch('data of this batch cannot be stored');
    }
    const { now } = this.#scope.world;
    if (this.#refusesAllUntil > now) this.#refuses('all');
    if (this.#refusesOnceUntil > now && this.#isRefusedOnce(batch)) this.#refuses('once');
  }

  #poisonIn(batch: readonly MachineWrite[]): boolean {
    const poisoned = batch.filter(({ history }) => history.some(({ payload }) => payload?.includes(POISON)));
    for (const { id } of poisoned) this.poisoned.add(id);
    return poisoned.length > 0;
  }

  #refuses(what: 'all' | 'once'): never {
    this.#scope.book.count(`refused ${what}`);
    throw new BadBatch(`a trigger refuses ${what}`, { code: 'P0001', where: `trigger ${what}` });
  }

  /** One machine in so many; once it was refused by itself it is taken. A machine that it starts stands in its batch. */
  #isRefusedOnce(batch: readonly MachineWrite[]): boolean {
    const { dice } = this.#scope;
    const machines = batch.filter(({ parent }) => parent === null).map(({ id }) => id);
    const refused = machines.filter(
      (id) => !this.#refusedOnce.has(id) && dice.of(id).chance(trouble.refusedOnce),
    );
    if (machines.length === 1) for (const id of refused) this.#refusedOnce.add(id);
    return refused.length > 0;
  }

  #again(everyMs: number, lastsMs: readonly [number, number], set: (until: number) => void): void {
    const { world, dice, calm, troubled } = this.#scope;
    world.after(dice.rarely(everyMs), () => {
      if (!troubled()) return;
      const until = world.now + dice.between(...lastsMs);
      set(until);
      calm.disturbed(until + AFTER_REFUSALS_MS);
      this.#scope.book.note(`the database refuses what is in order until ${Math.round(until)}`);
      this.#again(everyMs, lastsMs, set);
    });
  }
}
