/** The message log (spec 2.2): every SMS and chat message of an account, and how far each came. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { badText } from '../lib/encoding.ts';
import { messageOf, messagePage } from '../store/reads/sms/messageLog.ts';
import { writeMessageHistory, writeMessageRecord } from '../wire/messageRecord.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { notFound, pathId, read } from './respond.ts';

const sought = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((value) => badText(value) === undefined, 'must not contain NUL or lone surrogates');

const filters = z.object({
  q: sought.optional(),
  channel: z.enum(['sms', 'msgapp', 'pagechat', 'photodm']).optional(),
  status: z
    .enum(['accepted', 'submitted', 'acknowledged', 'delivered', 'read', 'failed', 'undelivered', 'unknown'])
    .optional(),
  ctid: sought.optional(),
  dest: sought.optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const messageRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/accounts/:account/messages', async (ctx) => {
    const { id: account, shard, time_zone } = await accountOf(door, ctx.params['account']);
    const { q, channel, status, ctid, dest, cursor, limit } = read(filters, ctx.query);
    const page = await messagePage(door.pool(shard), {
      ...{ account, channel, limit, text: q, state: status, correlation: ctid, destination: dest },
      before: cursor === undefined ? Number.MAX_SAFE_INTEGER : pathId(cursor, 'cursor'),
    });
    ctx.body = {
      messages: page.rows.map((row) => writeMessageRecord(row, time_zone)),
      cursor: page.before === null ? null : String(page.before),
    };
  });

  router.get('/accounts/:account/messages/:id', async (ctx) => {
    const { id: account, shard, time_zone } = await accountOf(door, ctx.params['account']);
    const row = await messageOf(door.pool(shard), account, pathId(ctx.params['id'], 'message'));
    if (!row) throw notFound(`message ${ctx.params['id']}`);
    ctx.body = { ...writeMessageRecord(row, time_zone), history: writeMessageHistory(row, time_zone) };
  });
};
