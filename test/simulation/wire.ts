/** Between a process and the world: requests that do not leave, do not arrive, come late, or whose answer is lost. */
import { Retryable, type Fact, type EffectResult } from '../../src/engine/contract/performer.ts';
import type { Book } from './book.ts';
import type { Dice } from './dice.ts';
import type { Life } from './life.ts';
import { trouble } from './plan.ts';
import type { World } from './world.ts';

export interface WireScope {
  world: World;
  book: Book;
  dice: Dice;
  troubled: () => boolean;
  /** Some process that is running. */
  anyLife: () => Life | undefined;
  /** Told when a fact for this machine reaches a process that runs. */
  arrives: (mark: unknown, machine: number, life: Life) => void;
}

export interface MachineName {
  shard: string;
  account: number;
  id: number;
}

export class Wire {
  readonly #scope: WireScope;
  #facts = 0;

  constructor(scope: WireScope) {
    this.#scope = scope;
  }

  /**
   * Asks the world. `deed` happens there once the request arrives, and gives facts or throws what the world says;
   * `heldMs`, asked then: how long the answer is kept back.
   */
  request(
    life: Life,
    name: string,
    deed: () => Fact[] | void,
    heldMs: () => number = () => 0,
  ): Promise<EffectResult | void> {
    const { world, book, dice } = this.#scope;
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void, afterMs: number): void =>
        void life.reach(world.now + afterMs, settle);
      if (name === 'originate' && this.#happens(trouble.pauseBeforeDial)) life.pause('before a dial');
      life.next(() => {
        if (this.#happens(trouble.away)) {
          answer(() => reject(new Retryable(`${name}: nobody answers`)), 50);
          return;
        }
        if (this.#happens(trouble.lostRequest)) {
          book.count('lost requests');
          if (dice.chance(0.5))
            answer(() => reject(new Error(`${name}: no answer`)), dice.between(500, 8_000));
          return;
        }
        const slow = this.#happens(trouble.slowRequest);
        world.after(slow ? dice.between(...trouble.slowRequestMs) : dice.between(1, 25), () => {
          const said = attempt(deed);
          if (this.#happens(trouble.lostAcceptance)) {
            book.count('lost acceptances');
            if (dice.chance(0.5))
              answer(() => reject(new Error(`${name}: connection lost`)), dice.between(1, 4_000));
            return;
          }
          answer(
            () => {
              if ('error' in said) reject(said.error);
              else resolve(said.facts.length === 0 ? undefined : { events: said.facts });
            },
            heldMs() + dice.between(1, 25),
          );
        });
      });
    });
  }

  /** A far end that surely hears nothing of it. */
  refuse(life: Life, name: string): Promise<never> {
    const refusal = new Retryable(`${name}: nobody answers`);
    return new Promise((_resolve, reject) => life.reach(this.#scope.world.now + 50, () => reject(refusal)));
  }

  /** Tells a machine a fact, by the process that listens to it. `numbered` ones may be repeated: they have a `seq`. */
  tell(listener: Life, machine: MachineName, fact: Fact): void {
    const { world, book, dice } = this.#scope;
    if (this.#happens(trouble.lostFact)) {
      book.count('lost facts');
      return;
    }
    const times = fact.seq !== undefined && this.#happens(trouble.repeatedFact) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      const stray = this.#happens(trouble.strayFact) ? this.#scope.anyLife() : undefined;
      const late = this.#happens(trouble.lateFact)
        ? dice.between(...trouble.lateFactMs)
        : dice.between(1, 20);
      const life = stray ?? listener;
      life.reach(world.now + late, () => {
        this.#scope.arrives(fact['mark'], machine.id, life);
        life.engine?.report(machine, fact);
      });
    }
  }

  /** A fact with a mark of its own: a machine that hears the mark twice heard one fact twice. */
  marked(fact: Fact): Fact {
    return { ...fact, mark: ++this.#facts };
  }

  #happens(chance: number): boolean {
    return this.#scope.troubled() && this.#scope.dice.chance(chance);
  }
}

const attempt = (deed: () => Fact[] | void): { facts: Fact[] } | { error: unknown } => {
  try {
    return { facts: deed() ?? [] };
  } catch (error) {
    return { error };
  }
};
