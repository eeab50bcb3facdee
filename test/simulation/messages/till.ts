/** The money of a run: what balances begin with, who puts more into them, and whether the books are right at every moment. */
import type { Book } from '../book.ts';
import { type Database, OPENING } from '../database.ts';
import type { Dice } from '../dice.ts';
import type { Life } from '../life.ts';
import { EPOCH, SHARD } from '../plan.ts';
import type { World } from '../world.ts';
import { ALLOWANCE, ALLOWED, BALANCE, PAYERS } from './program.ts';
import type { MachineWrite } from '../../../src/engine/contract/rows.ts';

/** Between two payments into some balance. */
const PAID_IN_EVERY_MS = 4_000;
/** How long somebody waits for an answer before he asks again. */
const PATIENCE_MS = 9_000;
/** Of an opening, and of a payment, for each message of the run; a message costs some 900 on the average. */
const OPENING_EACH = [50, 500] as const;
const PAID_IN_EACH = [20, 200] as const;

export interface TillScope {
  world: World;
  book: Book;
  dice: Dice;
  database: Database;
  lives: () => Life[];
  /** Messages of the run. */
  messages: number;
}

/** What a balance held from then on. */
interface Standing {
  at: number;
  amount: number;
}

export class Till {
  readonly #scope: TillScope;
  /** What the balance that no ledger knows began with. */
  readonly allowance: number;
  readonly #standings = new Map<string, Standing[]>();
  /** Payments that were acknowledged, by account and entry of the ledger. */
  readonly booked = new Set<string>();
  #payments = OPENING;

  constructor(scope: TillScope) {
    this.#scope = scope;
    this.allowance = Math.ceil(scope.messages / 6);
  }

  /** Fills the balances, scantily, and pays into them until then. */
  begin(until: number): void {
    const { database, dice, messages } = this.#scope;
    for (const account of PAYERS)
      database.openBalance({
        account,
        balance: BALANCE,
        amount: Math.round(dice.between(...OPENING_EACH) * messages),
      });
    database.openBalance({ account: ALLOWED, balance: ALLOWANCE, amount: this.allowance });
    this.#look();
    this.#payInSoon(until);
  }

  #payInSoon(until: number): void {
    const { world, dice, messages } = this.#scope;
    world.after(dice.rarely(PAID_IN_EVERY_MS), () => {
      if (world.now > until) return;
      this.#payIn(++this.#payments, dice.pick(PAYERS), Math.round(dice.between(...PAID_IN_EACH) * messages));
      this.#payInSoon(until);
    });
  }

  /** Asks until somebody has booked it. */
  #payIn(id: number, account: number, amount: number): void {
    const { world, dice, lives, book } = this.#scope;
    const again = (): void =>
      void world.after(dice.between(500, 3_000), () => this.#payIn(id, account, amount));
    const life = dice.pick(lives());
    if (!life?.alive) return again();
    const at = Math.round(EPOCH + world.now);
    const booked = [{ id, account, amount, sets: false, entry: null, note: '', at }];
    let isHeard = false;
    const hear = (how: () => void): void => {
      if (!isHeard) how();
      isHeard = true;
    };
    world.after(PATIENCE_MS, () => hear(again));
    life.reach(world.now + dice.between(1, 10), () => {
      if (!life.engine?.accepting) return hear(again);
      life.engine.keep(SHARD, { booked }).then(
        () => {
          this.booked.add(`${account} ${id}`);
          this.#look();
          hear(() => book.count('payments'));
        },
        () => hear(again),
      );
    });
  }

  /** A batch has landed with this write in it. */
  landed({ id, insert: birth, bookings }: MachineWrite): void {
    if (bookings.length === 0) return;
    const { book } = this.#scope;
    for (const { amount, balance } of bookings)
      if (amount > 0 === (birth !== null)) book.violated('booked wrong', id, `${amount} into ${balance}`);
    this.#look(id);
  }

  /** The least a balance held from then until now; it may have changed between. */
  leastSince(from: number, account: number, balance: string): number {
    const standings = this.#standings.get(`${account} ${balance}`) ?? [];
    const first = standings.findLastIndex(({ at }) => at <= from);
    return Math.min(...standings.slice(Math.max(0, first)).map(({ amount }) => amount));
  }

  /** Notes what the balances hold now. */
  #look(machine = 0): void {
    const { world, book, database } = this.#scope;
    for (const [balance, amount] of database.tables.balances) {
      const standings = this.#standings.get(balance) ?? [];
      this.#standings.set(balance, standings);
      if (standings.at(-1)?.amount === amount) continue;
      standings.push({ at: world.now, amount });
      if (amount < 0) book.violated('overdrawn', machine, `balance ${balance} holds ${amount}`);
    }
  }
}
