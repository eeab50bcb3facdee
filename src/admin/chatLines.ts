/**
 * Chat lines (spec 2.6.1), under the names of the interface. A line may be stored incomplete; what it lacks is told
 * when it is used. Credentials go in and never come out.
 */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { ChatLine } from '../generated/prisma/client.ts';
import type { LineSecret } from '../rules/chat/lineSecret.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { text, yesNo } from './fields.ts';
import { AdminError, checkUrl, given, type Loose, notFound, pathId, read } from './respond.ts';

/** What the rest of the house does for chat lines. */
export interface LineSafe {
  /** A credential as it is kept; empty for an empty one. */
  seal(account: number, line: number, secret: LineSecret, text: string): string;
  /** A line was made, changed or removed: what is believed of lines is read anew. */
  changed(): void;
}

/** An id of the upstream: it becomes part of an address there. */
const upstreamId = z.string().regex(/^\d{0,40}$/, 'must be digits');
const secret = text(2_000).regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces');

const fields = z.strictObject({
  v8l_class: z.enum(['msgapp', 'pagechat', 'photodm']),
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
  active: yesNo.optional(),
  /** Its upstream is the built-in one; false as soon as it gets an access token of its own, unless it says so itself. */
  sandbox: yesNo.optional(),
  app_secret: secret.optional(),
  verify_token: secret.optional(),
  forward_url: text(2_000).optional(),
});
/** A line stays of its class. */
const changes = fields.omit({ v8l_class: true });

const mostLines = 200;

export const chatLineRoutes = (router: Router, door: AdminDoor): void => {
  const linesOf = (shard: string) => door.database(shard).chatLine;
  const find = async (shard: string, account_id: number, words: string | undefined): Promise<ChatLine> => {
    const id = pathId(words, 'line');
    const row =
      id < 2 ** 31 && (await linesOf(shard).findUnique({ where: { account_id_id: { account_id, id } } }));
    if (!row) throw notFound(`line ${words}`);
    return row;
  };

  router.post('/accounts/:account/lines', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { v8l_class, ...body } = read(fields, ctx.request.body);
    checkUrl(door, 'forward_url', body.forward_url);
    if ((await linesOf(shard).count({ where: { account_id } })) >= mostLines)
      throw new AdminError(409, `an account has at most ${mostLines} lines`);
    const id = await door.control.reserveIds('chatLine', 1);
    const columns = toColumns(door, account_id, id, body);
    const data = { ...columns, account_id, id, class: v8l_class, created_at: door.now() };
    ctx.body = show(await linesOf(shard).create({ data }));
    ctx.status = 201;
    door.chatLines.changed();
  });

  router.get('/accounts/:account/lines', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const lines = await linesOf(shard).findMany({ where: { account_id }, orderBy: { id: 'asc' } });
    ctx.body = { lines: lines.map(show) };
  });

  router.get('/accounts/:account/lines/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    ctx.body = show(await find(shard, account_id, ctx.params['id']));
  });

  router.patch('/accounts/:account/lines/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const body = read(changes, ctx.request.body);
    checkUrl(door, 'forward_url', body.forward_url);
    const { id } = await find(shard, account_id, ctx.params['id']);
    const data = toColumns(door, account_id, id, body);
    ctx.body = show(await linesOf(shard).update({ where: { account_id_id: { account_id, id } }, data }));
    door.chatLines.changed();
  });

  router.delete('/accounts/:account/lines/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { id } = await find(shard, account_id, ctx.params['id']);
    await linesOf(shard).deleteMany({ where: { account_id, id } });
    door.chatLines.changed();
    ctx.status = 204;
  });
};

const toColumns = (door: AdminDoor, account: number, line: number, body: Loose<z.output<typeof changes>>) => {
  const sealed = (kind: LineSecret, words: string | undefined) =>
    words === undefined ? undefined : door.chatLines.seal(account, line, kind, words);
  return given({
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

const show = (line: ChatLine) => ({
  v8l_id: line.id,
  cdcs_id: line.account_id,
  v8l_class: line.class,
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
