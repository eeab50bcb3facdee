/** What a database that went back is given again. */
import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../src/engine/contract/journal.ts';
import {
  type JournalRedoLine,
  StoreUnavailable,
  type CommitFencingToken,
} from '../../../src/engine/contract/store.ts';
import { account, at, aWrite, ofEveryStore, type StoreAtHand } from './bed.ts';
import type { MachineWrite } from '../../../src/engine/contract/rows.ts';

const graceMs = 1_000;

/** A node with two writers; their names. */
const joined = async ({ store }: StoreAtHand, name: string): Promise<CommitFencingToken[]> => {
  const { incarnation, tokens } = await store.register({
    ...{ name, process: name, at, aheadMs: 0, graceMs, writers: 2 },
  });
  return tokens.map((token, lane) => ({ incarnation, lane, token, number: 0, sent: 1 }));
};
const commitOf = (...writes: MachineWrite[]): JournalEntry => ({ what: 'commit', at, writes });
const lineOf = (
  { incarnation, lane }: CommitFencingToken,
  number: number,
  position: number,
): JournalRedoLine => ({
  ...{ incarnation, lane, number, era: 1, position, text: `line ${number}` },
});

ofEveryStore((here) => {
  const balance = async () => (await here.store.balances([{ account, balance: 'balance' }]))[0]?.amount;
  const numberOf = async ({ incarnation, lane }: CommitFencingToken) =>
    (await here.store.standing(incarnation)).writers.find((one) => one.lane === lane)!.number;
  const ownerOf = async (key: string) => (await here.store.claims([{ account, key }], at))[0]?.owner;
  const claims = (key: string) => ({ claims: [{ key, until: at + 100_000, answer: null }] });

  it('reads lines in the order of their commits, whatever their writers and numbers', async () => {
    const [one, other] = await joined(here, 'n');
    await here.store.doubt('it went back', at);
    await here.store.bring([
      lineOf(one!, 3, 40),
      lineOf(one!, 1, 20),
      lineOf(other!, 1, 30),
      { ...lineOf(other!, 2, 10), era: 2 },
      lineOf(one!, 2, 25),
    ]);
    const found = await here.store.brought(10);
    expect(found.map(({ position }) => position)).toEqual([20, 25, 30, 40, 10]);
    expect((await here.store.brought(2)).map(({ position }) => position)).toEqual([20, 25]);
  });

  it('writes a line again once, in its writer’s turn, and only while the shard is checked', async () => {
    const [ticket] = await joined(here, 'n');
    const line = lineOf(ticket!, 1, 10);
    const entry = commitOf(aWrite(1));
    await here.store.doubt('it went back', at);
    await here.store.bring([line, lineOf(ticket!, 2, 20)]);
    await expect(here.store.redo(lineOf(ticket!, 2, 20), commitOf(aWrite(2)))).rejects.toThrow(
      StoreUnavailable,
    );
    await here.store.redo(line, entry);
    await here.store.redo(line, entry);
    expect([await numberOf(ticket!), (await here.row(1))?.revision]).toEqual([1, 1]);
    expect(await here.row(2)).toBeUndefined();
    expect((await here.store.brought(10)).map(({ number }) => number)).toEqual([2]);
  });

  it('writes a step again whose claim another gave back in a step that no journal has', async () => {
    const [ticket] = await joined(here, 'n');
    await here.store.commit(0, [aWrite(1, claims('number'))], at);
    // That machine 1 gave it back is gone with the database; machine 2 took it then, and dialled.
    await here.store.doubt('it went back', at);
    await here.store.redo(lineOf(ticket!, 1, 10), commitOf(aWrite(2, claims('number'))));
    expect([(await here.row(2))?.revision, await ownerOf('number')]).toEqual([1, '2']);
  });

  it('asks claims and balances again of steps whose answer was lost: they may never have been written', async () => {
    const [ticket] = await joined(here, 'n');
    await here.bed.fill(account, 20);
    await here.store.commit(0, [aWrite(1, claims('number'))], at);
    const booking = { id: 31, account, balance: 'balance', amount: -30, entry: 'charge', at };
    const writes = [
      aWrite(2, claims('number')),
      aWrite(3, { bookings: [booking] }),
      aWrite(4, claims('other')),
    ];
    await here.store.doubt('it went back', at);
    await here.store.redo(lineOf(ticket!, 1, 10), { ...commitOf(...writes), isUnsure: true } as JournalEntry);
    const found = await Promise.all([2, 3, 4].map(async (id) => (await here.row(id))?.revision));
    expect([found, await ownerOf('number'), await balance()]).toEqual([[undefined, undefined, 1], '1', 20]);
    expect([await numberOf(ticket!), await ownerOf('other')]).toEqual([1, '4']);
  });

  it('writes a step again that follows one that no journal has', async () => {
    const [ticket] = await joined(here, 'n');
    await here.store.commit(0, [aWrite(1)], at);
    await here.store.doubt('it went back', at);
    await here.store.redo(lineOf(ticket!, 1, 10), commitOf(aWrite(1, { revision: 3 })));
    expect((await here.row(1))?.revision).toBe(3);
  });

  it('writes again what was paid from a refund that no journal has: the balance owes it', async () => {
    const [ticket] = await joined(here, 'n');
    await here.bed.fill(account, 20);
    const booking = { id: 31, account, balance: 'balance', amount: -30, entry: 'charge', at };
    await here.store.doubt('it went back', at);
    await here.store.redo(lineOf(ticket!, 1, 10), commitOf(aWrite(3, { bookings: [booking] })));
    expect([(await here.row(3))?.revision, await balance()]).toEqual([1, -10]);
    expect(await here.bed.ledger()).toEqual([
      { account, amount: -30, entry: 'charge', payer: account, machine: 3 },
    ]);
  });

  it('writes a debit again that a credit made good that no journal has', async () => {
    const [ticket] = await joined(here, 'n');
    await here.bed.fill(account, 20);
    const booked = [{ id: 41, account, amount: -50, sets: false, entry: null, note: '', at }];
    await here.store.doubt('it went back', at);
    await here.store.redo(lineOf(ticket!, 1, 10), { what: 'records', blocked: [], unblocked: [], booked });
    await here.store.redo(lineOf(ticket!, 2, 20), { what: 'records', blocked: [], unblocked: [], booked });
    expect([await balance(), (await here.bed.ledger()).length]).toEqual([-30, 1]);
  });

  it('opens only where every node has confirmed in this doubt, those included that never did', async () => {
    const [one] = await joined(here, 'one');
    const [two] = await joined(here, 'two');
    await here.store.doubt('it went back', at);
    const { doubt } = await here.store.standing(one!.incarnation);
    await here.store.confirm(one!.incarnation, doubt);
    const before = await here.store.openWhenAllConfirmed(doubt, at);
    expect([before.opened, before.missing.map(({ name }) => name)]).toEqual([false, ['two']]);
    await here.store.confirm(two!.incarnation, doubt);
    expect((await here.store.openWhenAllConfirmed(doubt, at)).opened).toBe(true);
  });

  it('asks all to confirm again where the database went back to the middle of a doubt', async () => {
    const [one] = await joined(here, 'one');
    await here.store.doubt('it went back', at);
    const seen = await here.store.standing(one!.incarnation);
    await here.store.confirm(one!.incarnation, seen.doubt);
    await here.store.doubtAnew(seen, at);
    const { state, reason, doubt, since } = await here.store.standing(one!.incarnation);
    expect([state, reason, doubt > seen.doubt, since > seen.since]).toEqual([
      'checking',
      'it went back',
      true,
      true,
    ]);
    expect((await here.store.openWhenAllConfirmed(doubt, at)).missing.map(({ name }) => name)).toEqual([
      'one',
    ]);
    // Two that notice the same doubt it once.
    await here.store.doubtAnew(seen, at);
    expect((await here.store.standing(one!.incarnation)).doubt).toBe(doubt);
  });

  it('begins each state after the one before, whatever the clocks of those say who move it on', async () => {
    const sinces: number[] = [];
    const note = async (): Promise<number> => sinces.push((await here.store.standing(0)).since);
    const { doubt } = await here.store.standing(0);
    await here.store.doubt('it went back', at);
    await note();
    await here.store.close('nothing is at hand', at - 60_000);
    await note();
    await here.store.reconsider(at - 120_000, true);
    await note();
    await here.store.openWhenAllConfirmed(doubt + 1, at - 180_000);
    await note();
    expect(sinces).toEqual([...new Set(sinces)].toSorted((a, b) => a - b));
  });

  it('does not open while a line that was brought waits', async () => {
    const [ticket] = await joined(here, 'n');
    await here.store.doubt('it went back', at);
    const { doubt } = await here.store.standing(ticket!.incarnation);
    await here.store.confirm(ticket!.incarnation, doubt);
    await here.store.bring([lineOf(ticket!, 1, 10)]);
    expect(await here.store.openWhenAllConfirmed(doubt, at)).toEqual({
      opened: false,
      missing: [],
      pending: true,
    });
    await here.store.redo(lineOf(ticket!, 1, 10), commitOf(aWrite(1)));
    expect((await here.store.openWhenAllConfirmed(doubt, at)).opened).toBe(true);
  });
});
