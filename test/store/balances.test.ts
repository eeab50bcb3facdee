/** How batches share balances: in one order, in memory as in PostgreSQL. */
import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { messageMachineKind } from '../../machines/index.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { withDatabase } from '../helpers/database.ts';
import { behind } from './behind.ts';
import { at, aWrite } from './writes.ts';
import type { BalanceBookingWrite, MachineWrite } from '../../src/engine/contract/rows.ts';

let ids = 1_000;

interface Movement {
  owner: number;
  amount: number;
  entry: string | null;
}

const booking = ({ owner, amount, entry }: Movement): BalanceBookingWrite => ({
  id: ++ids,
  account: owner,
  balance: 'balance',
  amount,
  entry,
  at,
});

/** The accounts whose balances nobody has locked. */
const free = async (pool: Pool): Promise<number[]> =>
  (
    await pool.query<{ id: number }>(
      `SELECT account_id AS id FROM balances ORDER BY account_id FOR UPDATE SKIP LOCKED`,
    )
  ).rows.map(({ id }) => id);

/** What is free while a commit waits for this balance, which somebody else holds for as long. */
const freeBehind = async (pool: Pool, held: number, commit: () => Promise<number>): Promise<number[]> => {
  let left: number[] = [];
  const holds = `SELECT 1 FROM balances WHERE account_id = $1 FOR UPDATE`;
  expect(await behind(pool, [holds, held], commit, async () => void (left = await free(pool)))).toBe(1);
  return left;
};

const filledBalance = (pool: Pool, owner: number, amount: number) =>
  pool.query(`INSERT INTO balances (account_id, name, amount) VALUES ($1, 'balance', $2)`, [owner, amount]);
const inBalance = async (pool: Pool, owner: number): Promise<number> =>
  (await pool.query<{ amount: number }>('SELECT amount FROM balances WHERE account_id = $1', [owner]))
    .rows[0]!.amount;

it('takes what a refund brought while the batch waited, however little there was before', () =>
  withDatabase(async ({ pool }) => {
    await filledBalance(pool, 1, 4);
    const store = postgresStore(pool, pool, [messageMachineKind]);
    const bookings = [booking({ owner: 1, amount: -24, entry: 'charge' })];
    const refund = `UPDATE balances SET amount = amount + 56 WHERE account_id = $1`;
    const take = () => store.commit(0, [aWrite(++ids, { bookings })], at);
    expect([await behind(pool, [refund, 1], take), await inBalance(pool, 1)]).toEqual([1, 36]);
  }));

it('takes nothing that went while the batch waited', () =>
  withDatabase(async ({ pool }) => {
    await filledBalance(pool, 1, 60);
    const store = postgresStore(pool, pool, [messageMachineKind]);
    const bookings = [booking({ owner: 1, amount: -24, entry: 'charge' })];
    const spend = `UPDATE balances SET amount = amount - 56 WHERE account_id = $1`;
    const take = () => store.commit(0, [aWrite(++ids, { bookings })], at);
    expect([await behind(pool, [spend, 1], take), await inBalance(pool, 1)]).toEqual([0, 4]);
  }));

it.each([
  ['takes', -1],
  ['gives', 1],
])('locks the balances a batch %s in the order of their keys, whatever order it names them in', (_, amount) =>
  withDatabase(async ({ pool }) => {
    const owners = [1, 2, 3, 4, 5, 6, 7, 8];
    await pool.query(
      `INSERT INTO balances (account_id, name, amount) SELECT unnest($1::int[]), 'balance', 100`,
      [owners],
    );
    const store = postgresStore(pool, pool, [messageMachineKind]);
    const left: number[][] = [];
    for (const held of owners) {
      const bookings = owners.toReversed().map((owner) => booking({ owner, amount, entry: 'moved' }));
      left.push(await freeBehind(pool, held, () => store.commit(0, [aWrite(++ids, { bookings })], at)));
    }
    expect(left).toEqual(owners.map((_owner, index) => owners.slice(index + 1)));
  }),
);

/** What one machine of a batch does; machines are born before they step, and only a birth takes. */
interface Deed {
  does: 'isBorn' | 'isBornAgain' | 'steps' | 'stepsOnStale' | 'bears';
  machine: number;
  key: string | null;
  moves: Movement[];
}

const OWNERS = 4;
const filled = [100, 60, 30];

const movement = (least: number): fc.Arbitrary<Movement> =>
  fc.record({
    // The last owner has no balance.
    owner: fc.integer({ min: 0, max: OWNERS - 1 }).map((owner) => (owner === 3 ? owner : owner % 3)),
    amount: fc.integer({ min: least, max: 25 }),
    entry: fc.constantFrom('moved', 'moved', null),
  });

const deed = fc.oneof(
  fc.record({
    does: fc.constantFrom('isBorn' as const, 'isBorn' as const, 'isBornAgain' as const),
    machine: fc.nat(9),
    key: fc.constantFrom(null, null, 'k', 'l'),
    moves: fc.array(movement(-40), { maxLength: 4 }),
  }),
  fc.record({
    does: fc.constantFrom('steps' as const, 'stepsOnStale' as const, 'bears' as const),
    machine: fc.nat(9),
    key: fc.constantFrom(null, null, 'k', 'l'),
    moves: fc.array(movement(0), { maxLength: 3 }),
  }),
);

/** The machines of one run, and what they have come to. */
class Run {
  readonly account: number;
  readonly owners: number[];
  readonly #revisions = new Map<number, number>();

  constructor(number: number) {
    this.account = 1_000 * number;
    this.owners = Array.from({ length: OWNERS }, (_, index) => this.account + index);
  }

  get known(): number[] {
    return [...this.#revisions.keys()];
  }

  /** The writes of a batch: no machine and no key twice. */
  batch(deeds: readonly Deed[]): MachineWrite[] {
    const taken = new Set<number | string>();
    return deeds.flatMap((deed) => {
      const writes = this.#writes(deed);
      const names = writes.flatMap(({ id, claims }) => [id, ...claims.map(({ key }) => key)]);
      if (names.some((name) => taken.has(name))) return [];
      for (const name of names) taken.add(name);
      return writes;
    });
  }

  /** What stands of them. */
  note(rows: readonly { id: number; revision: number }[]): void {
    for (const { id, revision } of rows) this.#revisions.set(id, revision);
  }

  #writes({ does, machine, key, moves }: Deed): MachineWrite[] {
    const bookings = moves.map(({ owner, ...move }) => booking({ ...move, owner: this.owners[owner]! }));
    const claims = key === null ? [] : [{ key, until: at + 1_000, answer: null }];
    const own = { account: this.account, claims, bookings };
    const known = this.known;
    if (does === 'isBorn' || known.length === 0)
      return [aWrite(++ids, { ...own, ...(does === 'isBorn' ? {} : { bookings: [] }) })];
    const id = known[machine % known.length]!;
    if (does === 'isBornAgain') return [aWrite(id, own)];
    const revision = this.#revisions.get(id)! + (does === 'stepsOnStale' ? 2 : 1);
    const step = aWrite(id, { ...own, revision });
    if (does !== 'bears') return [step];
    const child = aWrite(++ids, { account: this.account, bookings, parent: id });
    return [{ ...step, bookings: [] }, child];
  }
}

it('leaves the same balances, ledger and machines in memory as on PostgreSQL, whatever a batch holds', () =>
  withDatabase(async ({ pool }) => {
    const memory = new MemoryStore([messageMachineKind], () => at);
    const real = postgresStore(pool, pool, [messageMachineKind]);
    const ledgerOf = async (owners: number[]): Promise<unknown[]> =>
      (
        await pool.query<object>(
          `SELECT account_id AS account, id, at, entry, amount, payer_id AS payer, machine_id AS machine
           FROM ledger WHERE account_id = ANY($1::int[]) ORDER BY id`,
          [owners],
        )
      ).rows;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(deed, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
        async (batches) => {
          const run = new Run(++runs);
          for (const [index, amount] of filled.entries()) {
            memory.tables.balances.set(`${run.owners[index]} balance`, amount);
            await pool.query(`INSERT INTO balances (account_id, name, amount) VALUES ($1, 'balance', $2)`, [
              run.owners[index],
              amount,
            ]);
          }
          const keys = run.owners.map((owner) => ({ account: owner, balance: 'balance' }));
          const machines = new Set<number>();
          for (const deeds of batches) {
            const batch = run.batch(deeds);
            for (const { id } of batch) machines.add(id);
            const written = await real.commit(0, structuredClone(batch), at);
            expect(await memory.commit(0, structuredClone(batch), at)).toBe(written);
            const all = [...machines].map((id) => ({ account: run.account, id }));
            const byId = (one: { id: number }, other: { id: number }): number => one.id - other.id;
            const rows = (await real.read(all)).toSorted(byId);
            expect((await memory.read(all)).toSorted(byId)).toEqual(rows);
            run.note(rows);
            const balances = await real.balances(keys);
            expect(
              (await memory.balances(keys)).toSorted((one, other) => one.account - other.account),
            ).toEqual(balances.toSorted((one, other) => one.account - other.account));
            expect(balances.filter(({ amount }) => amount < 0)).toEqual([]);
          }
          const entered = memory.tables.ledger.filter(({ account: owner }) => run.owners.includes(owner));
          expect(entered.toSorted((one, other) => one.id - other.id)).toEqual(await ledgerOf(run.owners));
        },
      ),
      { numRuns: 60, seed: 47 },
    );
  }));
