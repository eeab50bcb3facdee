/** Hints pass between nodes, and are lost at times, in calm as well: they promise nothing. */
import type { WakeUpHints } from '../../src/engine/contract/ports.ts';
import type { Dice } from './dice.ts';
import type { Life } from './life.ts';
import { trouble } from './plan.ts';
import type { World } from './world.ts';

type Heard = (shard: string, topic: 'inbox' | 'milestone', machine: number) => void;

export interface GrapevineScope {
  world: World;
}

export class Grapevine {
  readonly #scope: GrapevineScope;
  readonly #listeners = new Map<Life, Heard>();

  constructor(scope: GrapevineScope) {
    this.#scope = scope;
  }

  /** The hints of one process. */
  hints(life: Life, dice: Dice): WakeUpHints {
    const { world } = this.#scope;
    return {
      publish: (...hint) => {
        for (const [other, heard] of this.#listeners)
          if (other !== life && !dice.chance(trouble.lostHint))
            other.reach(world.now + dice.between(0.2, 3), () => heard(...hint));
      },
      subscribe: (heard) => void this.#listeners.set(life, heard),
    };
  }

  /** It hears nothing any more. */
  forget(life: Life): void {
    this.#listeners.delete(life);
  }
}
