/** Prices of SMS by prefix of the number; the longest prefix counts. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { Tariff } from '../generated/prisma/client.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { price } from './fields.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';

const prefix = z.string().regex(/^\d{0,15}$/, 'must be at most 15 digits; empty stands for every number');
const fields = z.strictObject({ prefix, price });

const pageSize = 500;
/** Tariffs of an account. */
const most = 5_000;

export const tariffRoutes = (router: Router, door: AdminDoor): void => {
  const tariffsOf = (shard: string) => door.database(shard).tariff;

  router.post('/accounts/:account/tariffs', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const asked = read(fields, ctx.request.body);
    if ((await tariffsOf(shard).count({ where: { account_id } })) >= most)
      throw new AdminError(409, `an account has at most ${most} tariffs`);
    const id = await door.control.reserveIds('tariff', 1);
    const tariff = await unlessTaken(asked.prefix, () =>
      tariffsOf(shard).create({ data: { ...asked, account_id, id, created_at: door.now() } }),
    );
    ctx.status = 201;
    ctx.body = show(tariff);
  });

  router.get('/accounts/:account/tariffs', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id, id: { gt: idOf(String(ctx.query['cursor'] ?? '0')) } };
    const rows = await tariffsOf(shard).findMany({ where, orderBy: { id: 'asc' }, take: pageSize + 1 });
    const page = rows.slice(0, pageSize);
    ctx.body = {
      tariffs: page.map(show),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  router.get('/accounts/:account/tariffs/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id_id: { account_id, id: idOf(ctx.params['id']) } };
    const tariff = await tariffsOf(shard).findUnique({ where });
    if (!tariff) throw notFound(`tariff ${ctx.params['id']}`);
    ctx.body = show(tariff);
  });

  router.patch('/accounts/:account/tariffs/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const data = given(read(fields.partial(), ctx.request.body));
    const where = { account_id, id: idOf(ctx.params['id']) };
    const [tariff] = await unlessTaken(data.prefix, () =>
      tariffsOf(shard).updateManyAndReturn({ where, data }),
    );
    if (!tariff) throw notFound(`tariff ${ctx.params['id']}`);
    ctx.body = show(tariff);
  });

  router.delete('/accounts/:account/tariffs/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id, id: idOf(ctx.params['id']) };
    const { count } = await tariffsOf(shard).deleteMany({ where });
    if (count === 0) throw notFound(`tariff ${ctx.params['id']}`);
    ctx.status = 204;
  });
};

/** A prefix has one price. */
const unlessTaken = async <T>(prefix: string | undefined, write: () => Promise<T>): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    if ((error as { code?: string }).code !== 'P2002') throw error;
    throw new AdminError(409, `there is a tariff for the prefix "${prefix}" already`, { field: 'prefix' });
  }
};

const idOf = (text: string | undefined): number => {
  const id = pathId(text, 'tariff');
  if (id >= 2 ** 31) throw notFound(`tariff ${text}`);
  return id;
};

const show = ({ account_id: cdcs_id, price: amount, ...tariff }: Tariff) => ({
  ...tariff,
  cdcs_id,
  price: Number(amount),
});
