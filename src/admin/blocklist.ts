/** An account's block list. Numbers are kept as they are dialled. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { readNumber } from '../rules/voice/numbering.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { blocklistFileRoutes } from './blocklistFile.ts';
import { text } from './fields.ts';
import { AdminError, notFound, read } from './respond.ts';

const entry = z.strictObject({
  number: z.union([z.string().max(40), z.int()]).transform(String),
  reason: text(200).default(''),
});
const change = z.strictObject({ reason: text(200) });
const pageSize = 500;

interface Entry {
  account_id: number;
  number: string;
  reason: string;
}

export const blocklistRoutes = (router: Router, door: AdminDoor): void => {
  blocklistFileRoutes(router, door);
  const listOf = (shard: string) => door.database(shard).blockedNumber;
  /** The number is on the list with this reason; the entry as it stands then. */
  const keep = async (shard: string, { account_id, number, reason }: Entry): Promise<object> => {
    const at = door.now();
    await door.engine.keep(shard, { blocked: [{ account: account_id, number, reason, at, replaces: true }] });
    const row = await listOf(shard).findUnique({ where: { account_id_number: { account_id, number } } });
    // Somebody has taken it away meanwhile.
    return row ?? { account_id, number, reason, created_at: at };
  };

  router.post('/accounts/:account/blocklist', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { number: written, reason } = read(entry, ctx.request.body);
    const number = normalized(written);
    ctx.body = await keep(shard, { account_id, number, reason });
    ctx.status = 201;
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
    const number = normalized(ctx.params['number'] ?? '');
    if ((await listOf(shard).count({ where: { account_id, number } })) === 0)
      throw notFound(`number ${ctx.params['number']}`);
    ctx.body = await keep(shard, { account_id, number, reason });
  });

  router.delete('/accounts/:account/blocklist/:number', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const number = normalized(ctx.params['number'] ?? '');
    if ((await listOf(shard).count({ where: { account_id, number } })) === 0)
      throw notFound(`number ${ctx.params['number']}`);
    await door.engine.keep(shard, { unblocked: [{ account: account_id, number }] });
    ctx.status = 204;
  });
};

const normalized = (written: string): string => {
  const read = readNumber(written, { brazil: true });
  if (read.kind === 'refused') throw new AdminError(400, `number: ${read.why}`, { field: 'number' });
  return read.number;
};
