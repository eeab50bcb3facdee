/**
 * Chat lines (spec 2.6.1), under the names of the interface. A line may be stored incomplete; what it lacks is told
 * when it is used. Credentials go in and never come out.
 */
import * as z from 'zod';
import type { ChatLine } from '../../generated/prisma/client.ts';
import type { ChatLineSecretKind } from '../../rules/chat/lineSecret.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import type { AdminDeps } from '../deps.ts';
import { at, text, writeOnly, booleanFieldSchema } from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { checkOutboundUrl, omitUndefined, type PartialOrUndefined } from '../adminErrorsAndRequestParsing.ts';

/** An id of the upstream: it becomes part of an address there. */
const upstreamId = z.string().regex(/^\d{0,40}$/, 'must be digits');
const secret = writeOnly(text(2_000).regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces'));

/** What a line is a line of. */
export const chatLineChannelSchema = z.enum(['msgapp', 'pagechat', 'photodm']);

const fields = z.strictObject({
  v8l_class: chatLineChannelSchema,
  v8l_wa_provider: z.enum(['', 'cloud']).optional(),
  v8l_wa_app_name: upstreamId.optional(),
  v8l_wa_api_key: secret.optional(),
  v8l_wa_number: z
    .string()
    .regex(/^([1-9]\d{5,19})?$/, 'must be digits in international format')
    .optional(),
  v8l_wa_business_id: upstreamId.optional(),
  v8l_fb_page_id: upstreamId.optional(),
  v8l_ig_account_id: upstreamId.optional(),
  active: booleanFieldSchema.optional(),
  /** Its upstream is the built-in one; false as soon as it gets an access token of its own, unless it says so itself. */
  sandbox: booleanFieldSchema.optional(),
  app_secret: secret.optional(),
  verify_token: secret.optional(),
  forward_url: text(2_000).optional(),
});
/** A line stays of its class. */
const changes = fields.omit({ v8l_class: true });

const mostLines = 200;

const record = z.object({
  v8l_id: z.int(),
  cdcs_id: z.int(),
  v8l_class: chatLineChannelSchema,
  v8l_wa_provider: z.string(),
  v8l_wa_app_name: z.string(),
  v8l_wa_number: z.string(),
  v8l_wa_business_id: z.string(),
  v8l_fb_page_id: z.string(),
  v8l_ig_account_id: z.string(),
  active: z.boolean(),
  sandbox: z.boolean().describe('Its upstream is the built-in sandbox: no real recipient is reached.'),
  quality: z.string().describe('In the words of the upstream; empty: it has said nothing.'),
  quality_at: at.nullable(),
  messaging_limit: z.string().describe('In the words of the upstream; empty: it has said nothing.'),
  messaging_limit_at: at.nullable(),
  has_api_key: z.boolean(),
  has_app_secret: z.boolean(),
  has_verify_token: z.boolean(),
  forward_url: z.string(),
  created_at: at,
});

/** Lines of accounts, as they are stored. */
export const accountChatLineTable = accountScopedTable((database) => database.chatLine);

const show = (line: ChatLine) => ({
  v8l_id: line.id,
  cdcs_id: line.account_id,
  v8l_class: line.class as z.output<typeof chatLineChannelSchema>,
  v8l_wa_provider: line.provider,
  v8l_wa_app_name: line.app_name,
  v8l_wa_number: line.number,
  v8l_wa_business_id: line.business_id,
  v8l_fb_page_id: line.page_id,
  v8l_ig_account_id: line.photo_account_id,
  active: line.active,
  sandbox: line.sandbox,
  ...saidOf(line),
  has_api_key: line.api_key !== '',
  has_app_secret: line.app_secret !== '',
  has_verify_token: line.verify_token !== '',
  forward_url: line.forward_url,
  created_at: line.created_at,
});

/** What the upstream said of the number, in its own words; empty: nothing so far. */
const saidOf = (line: ChatLine) => ({
  quality: line.quality,
  quality_at: line.quality_at,
  messaging_limit: line.messaging_limit,
  messaging_limit_at: line.messaging_limit_at,
});

export const chatLineRoutes = defineCrudRoutes({
  at: '/accounts/:account/lines',
  id: 'id',
  what: 'line',
  many: 'lines',
  scope: accountInPath,
  record,
  example: {
    ...{ v8l_id: 1, cdcs_id: 3, v8l_class: 'msgapp', v8l_wa_provider: 'cloud' },
    ...{ v8l_wa_app_name: '100000000000001', v8l_wa_number: '5511900000000' },
    ...{ v8l_wa_business_id: '100000000000002', v8l_fb_page_id: '', v8l_ig_account_id: '' },
    ...{ active: true, sandbox: false, quality: 'GREEN', quality_at: 1_795_325_744_421 },
    ...{ messaging_limit: '', messaging_limit_at: null, has_api_key: true, has_app_secret: true },
    ...{ has_verify_token: true, forward_url: '', created_at: 1_795_325_744_421 },
  },
  show,
  find: accountChatLineTable.find,
  create: {
    summary: 'Makes a chat line; what it lacks is told when it is used.',
    body: fields,
    refuses: { 409: 'The account has 200 lines.' },
    example: { body: { v8l_class: 'msgapp', v8l_wa_app_name: '100000000000001' } },
    handle: async (request) => {
      const { deps, account } = request;
      const { v8l_class, ...body } = request.body;
      checkOutboundUrl(deps, 'forward_url', body.forward_url);
      await accountChatLineTable.checkRoom(request, mostLines, 'lines');
      const id = await deps.control.reserveIds('chatLine', 1);
      const columns = toColumns(deps, account.id, id, body);
      const data = { ...columns, account_id: account.id, id, class: v8l_class, created_at: deps.now() };
      const line = await deps.database(account.shard).chatLine.create({ data });
      deps.chatLines.changed();
      return show(line);
    },
  },
  list: {
    summary: 'Lists the chat lines of an account by id.',
    rows: async (request) => ({ rows: await accountChatLineTable.rows(request) }),
  },
  change: {
    summary: 'Changes a chat line; its class stays.',
    body: changes,
    example: { body: { active: false } },
    handle: async ({ deps, account, body, row }) => {
      checkOutboundUrl(deps, 'forward_url', body.forward_url);
      const { id } = await row();
      const data = toColumns(deps, account.id, id, body);
      const where = { account_id_id: { account_id: account.id, id } };
      const line = await deps.database(account.shard).chatLine.update({ where, data });
      deps.chatLines.changed();
      return show(line);
    },
  },
  remove: {
    summary: 'Deletes a chat line.',
    handle: async (request, { id }) => {
      await accountChatLineTable.remove(request, id);
      request.deps.chatLines.changed();
      return true;
    },
  },
});

const toColumns = (
  deps: AdminDeps,
  account: number,
  line: number,
  body: PartialOrUndefined<z.output<typeof changes>>,
) => {
  const sealed = (kind: ChatLineSecretKind, words: string | undefined) =>
    words === undefined ? undefined : deps.chatLines.seal(account, line, kind, words);
  return omitUndefined({
    provider: body.v8l_wa_provider,
    app_name: body.v8l_wa_app_name,
    api_key: sealed('apiKey', body.v8l_wa_api_key),
    number: body.v8l_wa_number,
    business_id: body.v8l_wa_business_id,
    page_id: body.v8l_fb_page_id,
    photo_account_id: body.v8l_ig_account_id,
    active: body.active,
    sandbox: body.sandbox ?? (body.v8l_wa_api_key ? false : undefined),
    app_secret: sealed('appSecret', body.app_secret),
    verify_token: sealed('verifyToken', body.verify_token),
    forward_url: body.forward_url,
  });
};
