/** An account's block list. Numbers are kept as they are dialled. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { readNumber } from '../rules/numbering.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { text } from './fields.ts';
import { AdminError, notFound, read } from './respond.ts';

const entry = z.strictObject({
  number: z.union([z.string().max(40), z.int()]).transform(String),
  reason: text(200).default(''),
});
const change = z.strictObject({ reason: text(200) });
const pageSize = 500;

export const blocklistRoutes = (router: Router, door: AdminDoor): void => {
  const listOf = (shard: string) => door.database(shard).blockedNumber;

  router.post('/accounts/:account/blocklist', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { number: written, reason } = read(entry, ctx.request.body);
    const number = normalized(written);
    const row = await listOf(shard).upsert({
      where: { account_id_number: { account_id, number } },
      create: { account_id, number, reason, created_at: door.now() },
      update: { reason },
    });
    ctx.status = 201;
    ctx.body = row;
  });

  router.get('/accounts/:account/blocklist', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const after = String(ctx.query['cursor'] ?? '');
    const where = { account_id, number: { gt: after } };
    const rows = await listOf(shard).findMany({ where, orderBy: { number: 'asc' }, take: pageSize + 1 });
    const page = rows.slice(0, pageSize);
    ctx.body = { blocklist: page, cursor: rows.length > pageSize ? page.at(-1)!.number : null };
  });

  router.patch('/accounts/:account/blocklist/:number', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { reason } = read(change, ctx.request.body);
    const where = { account_id, number: normalized(ctx.params['number'] ?? '') };
    const [row] = await listOf(shard).updateManyAndReturn({ where, data: { reason } });
    if (!row) throw notFound(`number ${ctx.params['number']}`);
    ctx.body = row;
  });

  router.delete('/accounts/:account/blocklist/:number', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id, number: normalized(ctx.params['number'] ?? '') };
    const { count } = await listOf(shard).deleteMany({ where });
    if (count === 0) throw notFound(`number ${ctx.params['number']}`);
    ctx.status = 204;
  });
};

const normalized = (written: string): string => {
  const read = readNumber(written, { brazil: true });
  if (read.kind === 'refused') throw new AdminError(400, `number: ${read.why}`, { field: 'number' });
  return read.number;
};
