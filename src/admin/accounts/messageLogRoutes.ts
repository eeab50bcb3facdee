/** The message log (spec 2.2): every SMS and chat message of an account, and how far each came. */
import * as z from 'zod';
import { findUnstorableCharacter } from '../../lib/clientTextEncoding.ts';
import { findMessageById, readMessagePage, type MessageRow } from '../../store/reads/sms/messageLog.ts';
import { formatMessageHistory, formatMessageRecord } from '../../wire/messageRecord.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { anyObject, idIn, nextPageFieldsSchema } from '../fieldSchemas.ts';
import { notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import { accountInPath } from './accountInPath.ts';

const sought = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((value) => findUnstorableCharacter(value) === undefined, 'must not contain NUL or lone surrogates');

const statuses = [
  ...(['accepted', 'submitted', 'acknowledged', 'delivered'] as const),
  ...(['read', 'failed', 'undelivered', 'unknown'] as const),
] as const;

const filters = z.object({
  q: sought.optional(),
  channel: z.enum(['sms', 'msgapp', 'pagechat', 'photodm']).optional(),
  status: z.enum(statuses).optional(),
  ctid: sought.optional(),
  dest: sought.optional(),
  cursor: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const record = z.object({
  cdls_id: z.int(),
  cdcs_id: z.int(),
  channel: z.string().describe('sms, msgapp, pagechat or photodm.'),
  line: z.int().describe('`v8l_id` of the chat line; 0 for SMS.'),
  dest: z.string(),
  from: z.string(),
  mtype: z.string(),
  body: z.string(),
  payload: z.string().describe('JSON of what was sent upstream; empty for SMS.'),
  ctid: z.string(),
  msg_id: z.string(),
  cp_id: z.string(),
  cd_id: z.string(),
  segments: z.int(),
  status: z.string().describe(statuses.join(', ')),
  status_code: z.string(),
  status_text: z.string(),
  cdls_return_id: z.string().describe("The provider's id."),
  cdls_status_delivery: z.string().describe('What the last receipt said; empty: none came.'),
  cdls_return_log: z.string().describe("The provider's raw answer."),
  cdls_value: z.string().describe('The price to the last decimal, with a comma.'),
  refunded: z.boolean(),
  pricing: anyObject
    .nullable()
    .describe('What the upstream counts it as, in its own words; null: it has not said.'),
  sandbox: z.boolean().describe('A sandbox has it: it reaches no real recipient, whatever its status says.'),
  created: z.string().describe('On the wall clock of the account.'),
  updated: z.string(),
});

const example = {
  ...{ cdls_id: 746_512_037_707_777, cdcs_id: 3, channel: 'sms', line: 0, dest: '5511987650000' },
  ...{ from: '', mtype: 'text', body: 'Seu pedido saiu', payload: '', ctid: '17', msg_id: '' },
  ...{ cp_id: '', cd_id: '', segments: 1, status: 'delivered', status_code: '0', status_text: '' },
  ...{ cdls_return_id: '00ab', cdls_status_delivery: 'delivered', cdls_return_log: '' },
  ...{ cdls_value: '0,08', refunded: false, pricing: null, sandbox: true },
  ...{ created: '2026-11-22 10:00:00', updated: '2026-11-22 10:00:02' },
};

export const messageLogRoutes = {
  'GET /accounts/:account/messages': defineRoute({
    role: 'operator',
    summary: 'Lists messages of an account, newest first.',
    scope: accountInPath,
    query: filters,
    answer: z.object({ messages: z.array(record), ...nextPageFieldsSchema.shape }),
    example: { query: { status: 'delivered' }, answer: { messages: [example], cursor: null } },
    handle: async ({ deps, account: { id: account, shard, time_zone }, query }) => {
      const { q, channel, status, ctid, dest, cursor, limit } = query;
      const page = await readMessagePage(deps.pool(shard), {
        ...{ account, channel, limit, text: q, state: status, correlation: ctid, destination: dest },
        before: cursor === undefined ? Number.MAX_SAFE_INTEGER : parsePathId(cursor, 'cursor'),
      });
      return {
        messages: page.rows.map((row) => shown(row, time_zone)),
        cursor: page.before === null ? null : String(page.before),
      };
    },
  }),
  'GET /accounts/:account/messages/:id': defineRoute({
    role: 'operator',
    summary: 'Shows a message, and when it came how far.',
    scope: accountInPath,
    path: z.object({ id: idIn('message', Number.MAX_SAFE_INTEGER) }),
    answer: record.extend({
      history: z.array(z.object({ status: z.string(), at: z.string() })),
    }),
    example: {
      answer: { ...example, history: [{ status: 'accepted', at: '2026-11-22 10:00:00' }] },
    },
    handle: async ({ deps, account: { id: account, shard, time_zone }, path, written }) => {
      const row = await findMessageById(deps.pool(shard), account, path.id);
      if (!row) throw notFound(`message ${written['id']}`, shard);
      return { ...shown(row, time_zone), history: formatMessageHistory(row, time_zone) };
    },
  }),
};

/** What upstream counts it as may be of any form. */
const shown = (row: MessageRow, zone: string) => {
  const message = formatMessageRecord(row, zone);
  return { ...message, pricing: message.pricing as unknown as Record<string, unknown> | null };
};
