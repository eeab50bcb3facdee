import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { Unavailable } from '../../src/engine/contract/api.ts';
import { JournalShelf } from '../helpers/journalShelf.ts';
import { type Bed, memoryBed, postgresBed } from './bed.ts';
import { errand } from './errand.ts';
import type { ManualBalanceChangeRow, NonMachineRecordsToWrite } from '../../src/engine/contract/rows.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const graceMs = 500;
const at = Date.UTC(2026, 10, 23);
const block = (number: string, reason = '', replaces = false): Partial<NonMachineRecordsToWrite> => ({
  blocked: [{ account, number, reason, at, replaces }],
});
const book = (
  id: number,
  amount: number,
  more: Partial<ManualBalanceChangeRow> = {},
): Partial<NonMachineRecordsToWrite> => ({
  booked: [{ ...{ id, account, amount, sets: false, entry: null, note: 'by hand', at }, ...more }],
});
const isOpen = (engine: RamalEngine) => engine.shardStates()[0]!.problem === undefined;

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('what no machine writes, on %s', (_name, makeBed) => {
  let bed: Bed;
  let shelf: JournalShelf;
  beforeEach(async () => {
    shelf = new JournalShelf();
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  const node = (through?: (store: ShardMachineStore) => ShardMachineStore) =>
    bed.node({ graceMs, journal: shelf.open(), ...(through && { through }) });
  const isOpenAgain = (engine: RamalEngine) =>
    until(async () => {
      const { state, doubt } = await bed.store.standing(0);
      return state === 'open' && doubt === 1 && isOpen(engine);
    });
  const balance = async () => (await bed.store.balances([{ account, balance: 'balance' }]))[0]?.amount;
  const ledger = async () => (await bed.ledger()).map(({ entry, amount }) => `${entry} ${amount}`);

  it('is there again after the database went back: numbers blocked and taken off, balances exact, each entry once', async () => {
    const engine = await node();
    await engine.keep('a', block('1', 'first'));
    await engine.keep('a', block('0', 'by mistake'));
    await engine.keep('a', book(11, 100, { entry: 'opening' }));
    const restore = await bed.backUp();
    await engine.keep('a', block('1', 'changed', true));
    await engine.keep('a', block('2', 'opted out'));
    await engine.keep('a', block('3', 'taken off again'));
    await engine.keep('a', { unblocked: ['0', '3', '4'].map((number) => ({ account, number })) });
    await engine.keep('a', book(12, 50));
    await engine.keep('a', book(13, 40, { sets: true }));
    await engine.keep('a', book(14, -15));
    expect(await engine.keep('a', book(15, -26))).toEqual({ outcome: 'insufficientBalance' });
    const before = await ledger();
    expect(before).toEqual(['opening 100', 'credit 50', 'debit -110', 'debit -15']);
    await restore();
    await isOpenAgain(engine);
    expect(await bed.blocked(account)).toEqual({ 1: 'changed', 2: 'opted out' });
    expect(await balance()).toBe(25);
    expect(await ledger()).toEqual(before);
    expect(await engine.keep('a', book(16, 5))).toMatchObject({ balances: new Map([[account, 30n]]) });
    expect((await bed.store.standing(0)).losses).toBe(0);
  });

  it('is refused while the shard is not open, and nothing of it is written', async () => {
    const engine = await node();
    engine.suspect('a', 'has a split brain');
    await until(() => !isOpen(engine));
    await expect(engine.keep('a', block('1'))).rejects.toThrow(Unavailable);
    await expect(engine.keep('a', book(11, 5))).rejects.toThrow(Unavailable);
    expect([await bed.blocked(account), await ledger()]).toEqual([{}, []]);
  });

  it('is written once when its answer is lost, and the journal has all of it', async () => {
    let losing = 0;
    const engine = await node(
      (store) =>
        new Proxy(store, {
          get: (target, name) => {
            if (name !== 'keep')
              return (target[name as keyof ShardMachineStore] as () => unknown).bind(target);
            return async (...given: Parameters<ShardMachineStore['keep']>) => {
              const kept = await target.keep(...given);
              if (losing-- > 0) throw new Error('connection lost');
              return kept;
            };
          },
        }),
    );
    const restore = await bed.backUp();
    losing = 1;
    expect(await engine.keep('a', book(11, 100))).toMatchObject({ outcome: 'kept' });
    await engine.keep('a', book(12, -30));
    expect([await balance(), await ledger()]).toEqual([70, ['credit 100', 'debit -30']]);
    await restore();
    await isOpenAgain(engine);
    expect([await balance(), await ledger()]).toEqual([70, ['credit 100', 'debit -30']]);
  });

  it('goes together where many ask at once, and each is answered', async () => {
    const engine = await node();
    const numbers = Array.from({ length: 300 }, (_, index) => String(1_000 + index));
    await Promise.all([
      ...numbers.map((number) => engine.keep('a', block(number))),
      ...numbers.slice(0, 20).map((number) => engine.keep('a', book(Number(number), 1))),
    ]);
    expect(Object.keys(await bed.blocked(account))).toEqual(numbers);
    expect(await balance()).toBe(20);
    expect(shelf.books[0]!.lines.length).toBeLessThan(100);
  });

  it('takes no text that cannot be stored', async () => {
    const engine = await node();
    await expect(engine.keep('a', block('1', 'a\0b'))).rejects.toThrow(TypeError);
  });
});
