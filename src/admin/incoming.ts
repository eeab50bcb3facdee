/** What people wrote to a chat line, the newest first. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { badText } from '../lib/encoding.ts';
import { type InboundRow, inboundPage } from '../store/inbound.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { AdminError, pathId, read } from './respond.ts';

const words = z.string().max(600).refine((value) => badText(value) === undefined); // prettier-ignore

const filters = z.object({
  /** The upstream's id of a person. */
  from: words.optional(),
  cursor: words.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const incomingRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/accounts/:account/lines/:line/incoming', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const line = Math.min(pathId(ctx.params['line'], 'line'), 2 ** 31 - 1);
    const { from, cursor, limit } = read(filters, ctx.query);
    const rows = await inboundPage(door.pool(shard), {
      ...{ account, line, contact: from ?? null, limit: limit + 1 },
      before: cursor === undefined ? null : readCursor(cursor),
    });
    const page = rows.slice(0, limit);
    ctx.body = { messages: page.map(show), cursor: rows.length > limit ? writeCursor(page.at(-1)!) : null };
  });
};

/** The last message of the page before: when it came, and its id. */
const writeCursor = ({ received_at, upstream_id }: InboundRow): string => `${received_at}.${upstream_id}`;

const readCursor = (cursor: string): { receivedAt: number; upstreamId: string } => {
  const [, receivedAt, upstreamId = ''] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
  if (receivedAt === undefined) throw new AdminError(400, 'cursor: is none of ours', { field: 'cursor' });
  return { receivedAt: Number(receivedAt), upstreamId };
};

const show = (row: InboundRow) => ({
  message_id: row.upstream_id,
  from: row.contact,
  name: row.contact_name,
  mtype: row.content_type,
  text: row.body,
  sent_at: row.sent_at,
  received_at: row.received_at,
  payload: row.payload,
});
