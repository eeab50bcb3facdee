/** What no machine writes. */
import { expect, it } from 'vitest';
import { WriterOutOfTurnError, type CommitFencingToken } from '../../../src/engine/contract/store.ts';
import { account, at, ofEveryStore, type StoreAtHand } from './bed.ts';
import type { ManualBalanceChangeRow, NonMachineRecordsToWrite } from '../../../src/engine/contract/rows.ts';

const records = (amount: number, more: Partial<ManualBalanceChangeRow> = {}): NonMachineRecordsToWrite => ({
  blocked: [{ account, number: '1', reason: 'asked', at, replaces: false }],
  unblocked: [],
  booked: [{ ...{ id: 11, account, amount, sets: false, entry: null, note: '', at }, ...more }],
});
const writerOf = async ({ store }: StoreAtHand): Promise<CommitFencingToken> => {
  const { incarnation, tokens } = await store.register({
    ...{ name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000, writers: 1 },
  });
  return { incarnation, lane: 0, token: tokens[0]!, number: 0, sent: 1 };
};

ofEveryStore((here) => {
  const balance = async () => (await here.store.balances([{ account, balance: 'balance' }]))[0]?.amount;
  const numberOf = async ({ incarnation }: CommitFencingToken) =>
    (await here.store.standing(incarnation)).writers[0]!.number;

  it('keeps records in their writer’s turn, and none out of it', async () => {
    const ticket = await writerOf(here);
    expect(await here.store.keep(records(50), ticket)).toEqual({
      ...{ outcome: 'kept', balances: new Map([[account, 50n]]) },
    });
    expect(ticket.position).toBeGreaterThan(0);
    await expect(here.store.keep(records(5, { id: 12 }), ticket)).rejects.toThrow(WriterOutOfTurnError);
    await expect(here.store.keep(records(-999, { id: 12 }), ticket)).rejects.toThrow(WriterOutOfTurnError);
    expect([await balance(), await numberOf(ticket)]).toEqual([50, 1]);
  });

  it('names the machine that an amount is of, and whose that is', async () => {
    const ticket = await writerOf(here);
    await here.bed.fill(account, 10);
    await here.store.keep(
      records(-7, { entry: 'callCharge', of: { payer: account, machine: 2 ** 50 } }),
      ticket,
    );
    expect(await here.bed.ledger()).toEqual([
      { account, amount: -7, entry: 'callCharge', payer: account, machine: 2 ** 50 },
    ]);
  });

  it('books what the ledger knows already no second time', async () => {
    const ticket = await writerOf(here);
    await here.store.keep(records(50), ticket);
    const again = await here.store.keep(records(50), { ...ticket, number: 1 });
    expect(again).toEqual({ outcome: 'kept', balances: new Map() });
    expect([await balance(), (await here.bed.ledger()).length]).toEqual([50, 1]);
  });

  it('writes nothing of what takes more than is there, and the writer’s number stays', async () => {
    const ticket = await writerOf(here);
    await here.bed.fill(account, 10);
    expect(await here.store.keep(records(-11), ticket)).toEqual({ outcome: 'insufficientBalance' });
    expect([await balance(), await numberOf(ticket), await here.bed.ledger()]).toEqual([10, 0, []]);
    await here.store.keep(records(-10), ticket);
    expect([await balance(), await numberOf(ticket)]).toEqual([0, 1]);
  });

  it('brings a balance to an amount, and the ledger hears of the difference', async () => {
    const ticket = await writerOf(here);
    await here.bed.fill(account, 10);
    for (const [number, amount] of [4, 4, 9].entries())
      await here.store.keep(records(amount, { id: 11 + number, sets: true }), { ...ticket, number });
    expect((await here.bed.ledger()).map(({ entry, amount }) => `${entry} ${amount}`)).toEqual([
      'debit -6',
      'credit 5',
    ]);
  });

  it('keeps none while the shard is not open', async () => {
    const ticket = await writerOf(here);
    await here.store.doubt('for a test', at);
    await expect(here.store.keep(records(5), ticket)).rejects.toThrow(WriterOutOfTurnError);
    await expect(here.store.keep(records(-5), ticket)).rejects.toThrow(WriterOutOfTurnError);
    expect(await here.bed.ledger()).toEqual([]);
  });
});
