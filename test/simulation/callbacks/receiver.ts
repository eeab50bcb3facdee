/**
 * Whoever hears of calls and messages. It outlives the nodes and remembers what it heard; it is busy, down or closed at
 * times, and what it took may be unknown to the sender. An operator sends again what it did not want.
 */
import type { CallCallback } from '../../../machines/delivery/input.ts';
import type { DeliveryEffects } from '../../../machines/contracts/delivery.ts';
import {
  NotRetryable,
  type EffectCall,
  type Fact,
  type EffectPerformer,
} from '../../../src/engine/contract/performer.ts';
import type { Book } from '../book.ts';
import type { Callers } from '../callers.ts';
import type { Database } from '../database.ts';
import type { Dice } from '../dice.ts';
import type { Life } from '../life.ts';
import type { MachineName, Wire } from '../wire.ts';
import type { World } from '../world.ts';

/** What becomes of an event that arrives while things go wrong. */
const FATES = { taken: 80, busy: 9, down: 9, closed: 2 };
/** Each event is turned away so often, so that the schedule comes to its end within the run. */
const TURNED_AWAY = 2;
const BUSY_MS = [500, 20_000] as const;
/** And once more so often, when there is nothing to do. */
const LOOKS_IN_CALM = 8;
const LOOKED_AFTER_MS = [5_000, 60_000] as const;

type Call = EffectCall<DeliveryEffects['deliver']>;

export interface ReceiverScope {
  world: World;
  book: Book;
  dice: Dice;
  wire: Wire;
  callers: Callers;
  database: Database;
  troubled: () => boolean;
}

/** An event that was heard for the first time. */
export interface HeardEvent {
  seq: number;
  final: boolean;
}

export class Receiver {
  readonly #scope: ReceiverScope;
  readonly #heard = new Map<number, HeardEvent[]>();
  readonly #turnedAway = new Map<string, number>();

  constructor(scope: ReceiverScope) {
    this.#scope = scope;
  }

  /** What was heard of a call or message, in order. */
  heardOf(machine: number): readonly HeardEvent[] {
    return this.#heard.get(machine) ?? [];
  }

  /** Whether every delivery has brought what it has. */
  get isQuiet(): boolean {
    for (const { kind, state, endedAt } of this.#scope.database.tables.machines.values())
      if (kind === 'delivery' && endedAt === null && state !== 'idle') return false;
    return true;
  }

  /** The performer of one process. */
  performers(life: Life): { deliver: EffectPerformer<DeliveryEffects['deliver']> } {
    return { deliver: (call) => this.#scope.wire.request(life, 'deliver', () => this.#asked(call)) };
  }

  #asked(call: Call): Fact[] {
    const { dice, wire, book } = this.#scope;
    const { attempt, subject } = call.params;
    const event = subject as CallCallback;
    const fate = this.#mayTurnAway(event) ? dice.weighed(FATES) : 'taken';
    book.count(`events ${fate}`);
    switch (fate) {
      case 'taken':
        this.#hear(event);
        return [wire.marked({ type: 'delivered', attempt })];
      case 'busy': {
        const afterMs = Math.round(dice.between(...BUSY_MS));
        const leftAlone = attempt % 2 === 0;
        return [wire.marked({ type: 'deferred', attempt, message: 'not now', afterMs, leftAlone })];
      }
      case 'down':
        return [wire.marked({ type: 'notDelivered', attempt, message: 'nobody is there' })];
      case 'closed':
        this.#lookLater(call.machine);
        throw new NotRetryable('gone', 'nobody wants it');
    }
  }

  #mayTurnAway({ id, seq }: CallCallback): boolean {
    if (!this.#scope.troubled()) return false;
    const times = this.#turnedAway.get(`${id} ${seq}`) ?? 0;
    this.#turnedAway.set(`${id} ${seq}`, times + 1);
    return times < TURNED_AWAY;
  }

  /** In their order, none missing; what comes twice has come before. */
  #hear({ id, seq, final, what }: CallCallback): void {
    const { book } = this.#scope;
    const heard = this.#heard.get(id) ?? [];
    this.#heard.set(id, heard);
    if (seq <= heard.length) {
      book.count('events heard twice');
      return;
    }
    if (seq !== heard.length + 1)
      book.violated('out of order', id, `event ${seq} of a ${what} comes after ${heard.length}`);
    heard.push({ seq, final });
  }

  /** An operator sends a dead letter again, until it is none. */
  #lookLater(machine: MachineName, calmLooks = LOOKS_IN_CALM): void {
    const { world, dice, database, callers, troubled } = this.#scope;
    world.after(dice.between(...LOOKED_AFTER_MS), () => {
      const state = database.tables.machines.get(machine.id)?.state;
      if (state === 'deadLetter') callers.send(machine, { type: 'replay' });
      // A database that went back has it otherwise for a while, and until its shard is open again.
      const isOpen = database.tables.state.state === 'open';
      const isWaiting = !isOpen || state === 'deadLetter' || state === 'attempting';
      if (isWaiting) this.#lookLater(machine);
      else if (calmLooks > 0) this.#lookLater(machine, calmLooks - (troubled() ? 0 : 1));
    });
  }
}
