/** Claims and balances: what a commit may take, and what holds it back. */
import { expect, it } from 'vitest';
import { account, at, aWrite, ofEveryStore } from './bed.ts';
import type { MachineWrite } from '../../../src/engine/contract/rows.ts';

ofEveryStore((here) => {
  it('lets one owner hold a key, until it runs out or is released', async () => {
    const claims = [{ key: 'dup "x"', until: at + 100, answer: '{"a":1}' }];
    expect(await here.store.commit(0, [aWrite(1, { claims })], at)).toBe(1);
    expect(await here.store.commit(0, [aWrite(2, { claims }), aWrite(3)], at + 50)).toBe(1);
    expect(await here.row(2)).toBeUndefined();
    expect(
      await here.store.claims(
        [
          { account, key: 'dup "x"' },
          { account: 8, key: 'dup "x"' },
        ],
        at + 50,
      ),
    ).toEqual([{ account, key: 'dup "x"', owner: '1', answer: '{"a":1}' }]);
    expect(
      await here.store.commit(0, [aWrite(4, { claims: [{ ...claims[0]!, until: at + 300 }] })], at + 100),
    ).toBe(1);
    await here.store.commit(0, [aWrite(4, { revision: 2, releases: ['dup "x"'] })], at + 110);
    expect(await here.store.claims([{ account, key: 'dup "x"' }], at + 120)).toEqual([]);
  });

  it('does not let a machine release what another holds', async () => {
    await here.store.commit(
      0,
      [aWrite(1, { claims: [{ key: 'k', until: at + 100, answer: null }] }), aWrite(2)],
      at,
    );
    await here.store.commit(0, [aWrite(2, { revision: 2, releases: ['k'] })], at);
    expect(await here.store.claims([{ account, key: 'k' }], at)).toHaveLength(1);
  });

  const pays = (id: number, amount: number, owners: number[] = [account]): MachineWrite => {
    const bookings = owners.map((owner, index) => ({
      ...{ id: id * 10 + index, account: owner, balance: 'balance', amount, entry: 'charge', at },
    }));
    return aWrite(id, { bookings });
  };
  const held = async (owner: number) =>
    (await here.store.balances([{ account: owner, balance: 'balance' }]))[0]?.amount;

  it('takes money up the chain in the commit that bears a machine, and enters it', async () => {
    await here.bed.fill(account, 100);
    await here.bed.fill(9, 50);
    expect(await here.store.commit(0, [pays(1, -30, [account, 9])], at)).toBe(1);
    expect([await held(account), await held(9)]).toEqual([70, 20]);
    const entry = { amount: -30, entry: 'charge', payer: account, machine: 1 };
    expect(await here.bed.ledger()).toEqual([
      { ...entry, account },
      { ...entry, account: 9 },
    ]);
  });

  it('bears nothing that a balance of the chain cannot pay, and takes nothing for it', async () => {
    await here.bed.fill(account, 100);
    await here.bed.fill(9, 29);
    expect(await here.store.commit(0, [pays(1, -30, [account, 9]), pays(2, -30, [account, 8])], at)).toBe(0);
    expect([await held(account), await held(9), await held(8)]).toEqual([100, 29, undefined]);
    expect([await here.row(1), await here.row(2), await here.bed.ledger()]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it('pays for as many of a batch as the balance bears, and never more', async () => {
    await here.bed.fill(account, 100);
    expect(await here.store.commit(0, [pays(1, -40), pays(2, -40), pays(3, -40), aWrite(4)], at)).toBe(3);
    expect([await held(account), await here.row(3)]).toEqual([20, undefined]);
    expect(await here.store.commit(0, [pays(5, -20), pays(6, -1)], at)).toBe(1);
    expect(await held(account)).toBe(0);
  });

  it('takes nothing for a machine that is not written, and gives nothing for a step that missed', async () => {
    await here.bed.fill(account, 100);
    const claims = [{ key: 'k', until: at + 100, answer: null }];
    await here.store.commit(0, [aWrite(1, { claims })], at);
    expect(await here.store.commit(0, [{ ...pays(2, -30), claims }], at)).toBe(0);
    const refund = { id: 99, account, balance: 'balance', amount: 5, entry: 'refund', at };
    expect(await here.store.commit(0, [aWrite(1, { revision: 7, bookings: [refund] })], at)).toBe(0);
    expect([await held(account), await here.bed.ledger()]).toEqual([100, []]);
    expect(await here.store.commit(0, [aWrite(1, { revision: 2, bookings: [refund] })], at)).toBe(1);
    expect(await held(account)).toBe(105);
  });

  it('counts a balance without telling the ledger', async () => {
    await here.bed.fill(account, 2);
    const bookings = [{ id: 1, account, balance: 'balance', amount: -1, entry: null, at }];
    await here.store.commit(0, [aWrite(1, { bookings }), aWrite(2, { bookings: [] })], at);
    expect([await held(account), await here.bed.ledger()]).toEqual([1, []]);
  });
});
