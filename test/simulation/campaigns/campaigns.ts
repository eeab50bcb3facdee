/** The campaigns of a run and all that surrounds them: lists, desk, operator, and who watches that the rules hold. */
import type { CampaignDestinationPerformers } from '../../../src/providers/contracts/campaignDestinations.ts';
import type { Book } from '../book.ts';
import type { Callers } from '../callers.ts';
import type { Database } from '../database.ts';
import type { Dice } from '../dice.ts';
import type { Life } from '../life.ts';
import type { Wire } from '../wire.ts';
import type { World } from '../world.ts';
import { DiallerDesk } from './desk.ts';
import { ENDS } from './judge.ts';
import { Operator } from './operator.ts';
import { campaignsOf, type SimulatedCampaign } from './program.ts';
import { Watch } from './watch.ts';

export interface CampaignsScope {
  world: World;
  book: Book;
  dice: Dice;
  wire: Wire;
  callers: Callers;
  database: Database;
  troubled: () => boolean;
  /** Calls of the run beside them. */
  calls: number;
}

export class Campaigns {
  readonly all: readonly SimulatedCampaign[];
  readonly #database: Database;
  readonly #desk: DiallerDesk;
  readonly #operator: Operator;

  constructor(scope: CampaignsScope) {
    const { world, dice, callers, database, calls } = scope;
    this.all = campaignsOf(dice, calls);
    this.#database = database;
    this.#desk = new DiallerDesk({ ...scope, dice: dice.of('desk'), campaigns: this.all });
    this.#operator = new Operator({
      world,
      dice: dice.of('operator'),
      campaigns: this.all,
      want: (name, request) => callers.want(name, request),
      send: (machine, event, taken) => callers.send(machine, event, taken),
    });
    const watch = new Watch(scope);
    database.watchers.push((kind, write, _before, isAgain) => watch.landed(kind, write, isAgain));
    database.memories.push(() => watch.remember());
  }

  /** They start, and are interfered with until then. */
  begin(until: number): void {
    this.#operator.begin(until);
  }

  /** Whether each of them came to its end. */
  get areOver(): boolean {
    return this.all.every(({ id }) => ENDS.includes(this.#database.tables.machines.get(id)?.state ?? ''));
  }

  /** The performers of one process. */
  performers(life: Life): CampaignDestinationPerformers {
    return this.#desk.performers(life);
  }
}
