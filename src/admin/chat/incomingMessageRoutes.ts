/** What people wrote to a chat line, the newest first. */
import * as z from 'zod';
import { findUnstorableCharacter } from '../../lib/clientTextEncoding.ts';
import { type InboundMessageRow, readInboundMessagePage } from '../../store/inboundMessages.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { markReadForAudit } from '../admitAndAuditAdministrator.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute, type PathResourceLookup } from '../routeDeclaration.ts';
import { at, idIn, maxRecordId, nextPageFieldsSchema } from '../fieldSchemas.ts';
import { AdminError, parsePathId } from '../adminErrorsAndRequestParsing.ts';

const words = z.string().max(600).refine((value) => findUnstorableCharacter(value) === undefined); // prettier-ignore

const filters = z.object({
  /** The upstream's id of a person. */
  from: words.optional(),
  cursor: words.optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** A line by its number; whether there is one is not asked: what it brought may be read when it is gone. */
const ofLine: PathResourceLookup<{ account: AccountRow; line: number }> = {
  params: { ...accountInPath.params, line: idIn('line') },
  find: async (request) => ({
    ...(await accountInPath.find(request)),
    line: Math.min(parsePathId(request.written['line'], 'line'), maxRecordId),
  }),
};

export const incomingChatMessageAdminRoutes = {
  'GET /accounts/:account/lines/:line/incoming': defineRoute({
    role: 'operator',
    summary: 'Lists what people wrote to a chat line, newest first.',
    description: 'Each request for it is in the audit log.',
    scope: ofLine,
    query: filters,
    answer: z.object({
      messages: z.array(
        z.object({
          message_id: z.string(),
          from: z.string().describe("The upstream's id of a person."),
          name: z.string(),
          mtype: z.string(),
          text: z.string(),
          sent_at: at,
          received_at: at,
          payload: z.string().describe('As it came: JSON.'),
        }),
      ),
      ...nextPageFieldsSchema.shape,
    }),
    example: {
      query: { limit: '10' },
      answer: {
        messages: [
          {
            ...{ message_id: 'wamid.A1', from: '5511987650000', name: 'Ana', mtype: 'text', text: 'Oi' },
            ...{ sent_at: 1_795_325_744_000, received_at: 1_795_325_744_421, payload: '{}' },
          },
        ],
        cursor: null,
      },
    },
    handle: async ({ deps, ctx, account: { id: account, shard }, line, query: { from, cursor, limit } }) => {
      markReadForAudit(ctx);
      const rows = await readInboundMessagePage(deps.pool(shard), {
        ...{ account, line, contacts: from === undefined ? null : [from], limit: limit + 1 },
        before: cursor === undefined ? null : readCursor(cursor),
      });
      const page = rows.slice(0, limit);
      return { messages: page.map(show), cursor: rows.length > limit ? writeCursor(page.at(-1)!) : null };
    },
  }),
};

/** The last message of the page before: when it came, and its id. */
const writeCursor = ({ received_at, upstream_id }: InboundMessageRow): string =>
  `${received_at}.${upstream_id}`;

const readCursor = (cursor: string): { receivedAt: number; upstreamId: string } => {
  const [, receivedAt, upstreamId = ''] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
  if (receivedAt === undefined) throw new AdminError(400, 'cursor: is none of ours', { field: 'cursor' });
  return { receivedAt: Number(receivedAt), upstreamId };
};

const show = (row: InboundMessageRow) => ({
  message_id: row.upstream_id,
  from: row.contact,
  name: row.contact_name,
  mtype: row.content_type,
  text: row.body,
  sent_at: row.sent_at,
  received_at: row.received_at,
  payload: row.payload,
});
