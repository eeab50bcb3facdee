/** An account's money: what an operator books by hand, and the ledger of all that moved. Nothing in it is changed. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { toUnits } from '../rules/accounts/pricing.ts';
import { balancesOf, ledgerPage, type LedgerRow } from '../store/balances.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { amount, text } from './fields.ts';
import { AdminError, pathId, read } from './respond.ts';

const booking = z.strictObject({
  amount: amount.refine((value) => /[1-9]/.test(value), 'must not be 0'),
  note: text(500).optional(),
});

const pageSize = 200;

export const creditRoutes = (router: Router, door: AdminDoor): void => {
  const balanceOf = async (shard: string, account: number): Promise<bigint> =>
    (await balancesOf(door.pool(shard), [account])).get(account) ?? 0n;

  router.post('/accounts/:account/credits', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const { amount: moved, note = '' } = read(booking, ctx.request.body);
    const units = toUnits(moved);
    const id = door.engine.mintId(shard);
    const entry = { id, account, amount: Number(units), sets: false, entry: null, note, at: door.now() };
    const booked = await door.engine.keep(shard, { booked: [entry] });
    if (booked.outcome === 'insufficientBalance')
      throw new AdminError(409, 'amount: the balance holds less than that', { field: 'amount' });
    const balance = booked.balances.get(account) ?? (await balanceOf(shard, account));
    ctx.status = 201;
    ctx.body = { id, cdcs_id: account, amount: asMoney(units), note, balance: asMoney(balance) };
  });

  router.get('/accounts/:account/credits', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const { cursor } = ctx.query;
    const before = cursor === undefined ? null : pathId(String(cursor), 'cursor');
    const rows = await ledgerPage(door.pool(shard), { account, before, limit: pageSize + 1 });
    const page = rows.slice(0, pageSize);
    const balance = await balanceOf(shard, account);
    ctx.body = {
      balance: asMoney(balance),
      credits: page.map(show),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  for (const path of ['/accounts/:account/credits', '/accounts/:account/credits/:id'])
    router.register(path, ['PUT', 'PATCH', 'DELETE'], (ctx) => {
      ctx.set('Allow', 'GET, POST');
      throw new AdminError(405, 'the ledger is only added to: book the difference');
    });
};

const asMoney = (units: bigint): number => Number(units) / 10_000;

/** `payer_id`: the account that sent the message; `cdls_id`: the message. Both null for what was booked by hand. */
const show = ({ machine_id, amount: units, ...entry }: LedgerRow) => ({
  ...entry,
  amount: asMoney(units),
  cdls_id: machine_id,
});
