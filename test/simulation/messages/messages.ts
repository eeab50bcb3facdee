/** The messages of a run and all that surrounds them: senders, carriers, money, operators, and who watches the rules. */
import type { MessageEffects } from '../../../machines/contracts/message.ts';
import type { EffectPerformer } from '../../../src/engine/contract/performer.ts';
import type { Book } from '../book.ts';
import type { Callers, Short } from '../callers.ts';
import type { Database } from '../database.ts';
import type { Dice } from '../dice.ts';
import type { Life } from '../life.ts';
import { SHARD } from '../plan.ts';
import type { Wire } from '../wire.ts';
import type { World } from '../world.ts';
import { messageOf } from './program.ts';
import { Till } from './till.ts';
import { Upstream } from './upstream.ts';
import { LogWatch } from './watch.ts';

/** Messages beside a call. */
const MESSAGES_PER_CALL = 0.3;
const FEWEST = 20;
/** An operator looks what became of a message whose outcome is unknown; by then nothing of it is under way any more. */
const LOOKED_AFTER_MS = [200_000, 700_000] as const;
const LOOKED_AT = 0.5;

export interface MessagesScope {
  world: World;
  book: Book;
  dice: Dice;
  wire: Wire;
  callers: Callers;
  database: Database;
  lives: () => Life[];
  /** Calls of the run beside them. */
  calls: number;
}

export class Messages {
  readonly upstream: Upstream;
  readonly till: Till;
  readonly #scope: MessagesScope;
  readonly #count: number;
  /** Ids that were said not to be born, for want of money. */
  readonly #refused: number[] = [];

  constructor(scope: MessagesScope) {
    const { dice, database, book } = scope;
    this.#scope = scope;
    this.#count = Math.max(FEWEST, Math.round(scope.calls * MESSAGES_PER_CALL));
    this.upstream = new Upstream({ ...scope, dice: dice.of('upstream') });
    this.till = new Till({ ...scope, dice: dice.of('till'), messages: this.#count });
    const log = new LogWatch(book);
    database.watchers.push((kind, write) => {
      if (kind !== 'message') return;
      log.landed(write);
      this.till.landed(write);
    });
    database.memories.push(() => log.remember());
  }

  /** They are wanted between now and then. */
  begin(until: number): void {
    const { world, dice } = this.#scope;
    this.till.begin(until);
    const throws = dice.of('moments');
    for (let number = 0; number < this.#count; number++)
      world.at(throws.between(3_000, until), () => this.#want(`message ${number}`));
  }

  /** Whether nothing is under way to a carrier, nor a receipt from it. */
  get areQuiet(): boolean {
    if (this.upstream.untold > 0) return false;
    for (const { kind, state } of this.#scope.database.tables.machines.values())
      if (kind === 'message' && (state === 'accepted' || state === 'submitted')) return false;
    return true;
  }

  /** The performers of one process. */
  performers(life: Life): {
    [Name in 'submitSms' | 'submitChat']: EffectPerformer<MessageEffects[Name]>;
  } {
    return this.upstream.performers(life);
  }

  /** What was refused for want of money stays pending. */
  judgeRefused(): void {
    const { book, database } = this.#scope;
    for (const id of this.#refused)
      if (database.born.has(id))
        book.violated('refused and born', id, 'it was said that it was not paid for');
  }

  #want(name: string): void {
    const { callers, dice } = this.#scope;
    const own = dice.of(name);
    const { account, input, bookings } = messageOf(own, name);
    const claims = [{ key: name, forMs: 86_400_000, answer: name }];
    callers.want(
      name,
      { kind: 'message', shard: SHARD, account, input, claims, bookings },
      { started: (id) => this.#lookLater(own, account, id), short: (short) => this.#judgeShort(short) },
    );
  }

  /** At some moment since it was asked for, the balance did hold less than is taken from it. */
  #judgeShort({ id, account, balance, taken, from }: Short): void {
    this.#refused.push(id);
    const { book } = this.#scope;
    book.count('messages short');
    const least = this.till.leastSince(from, account, balance);
    if (least >= taken)
      book.violated(
        'refused wrongly',
        id,
        `balance ${balance} of ${account} held ${least}, and ${taken} was asked`,
      );
  }

  /** An operator resolves what nobody knows, by what the carrier's books say. */
  #lookLater(dice: Dice, account: number, id: number): void {
    const { world, database, callers } = this.#scope;
    if (!dice.chance(LOOKED_AT)) return;
    world.after(dice.between(...LOOKED_AFTER_MS), () => {
      if (database.tables.machines.get(id)?.state !== 'unknown') return;
      const sent = this.upstream.truthOf(id).taken > 0;
      callers.send({ shard: SHARD, account, id }, { type: 'resolveUnknown', sent });
    });
  }
}
