/** SMS routes: by which carrier an account's messages go, and to which numbers. Credentials go in and never come out. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { SmsRoute } from '../generated/prisma/client.ts';
import { type RouteKind, routeSecrets, routeSettings } from '../rules/sms/smsRoute.ts';
import { addSmsRoute, changeSmsRoute } from '../store/smsRoutes.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { json, name, yesNo } from './fields.ts';
import { AdminError, notFound, pathId, read, within } from './respond.ts';

/** What the rest of the house does for SMS routes. */
export interface RouteWorkshop {
  /** Credentials as they are kept. */
  seal(account: number, route: number, secret: object): string;
  /** Routes were made, changed or removed. */
  changed(): void;
  /** How this node's link of a route fares; undefined: it has none open. */
  link(route: { shard: string; account: number; id: number }): { ok: boolean; detail: string } | undefined;
}

const prefix = z.string().regex(/^\d{0,15}$/, 'must be the first digits of numbers in international format');
const position = z.int().min(-1_000_000).max(1_000_000);

const fields = z.strictObject({
  name,
  kind: z.enum(['sandbox', 'smpp', 'http']),
  prefix: prefix.default(''),
  position: position.default(0),
  settings: json.default({}),
  secret: z.unknown().optional(),
  active: yesNo.default(true),
});
/** A route stays of its kind; settings and secret are replaced as a whole. */
const changes = z.strictObject({
  name: name.optional(),
  prefix: prefix.optional(),
  position: position.optional(),
  settings: json.optional(),
  secret: z.unknown().optional(),
  active: yesNo.optional(),
});

const mostRoutes = 100;

export const smsRouteRoutes = (router: Router, door: AdminDoor): void => {
  const routesOf = (shard: string) => door.database(shard).smsRoute;
  const find = async (shard: string, account_id: number, text: string | undefined): Promise<SmsRoute> => {
    const id = pathId(text, 'SMS route');
    const row =
      id < 2 ** 31 && (await routesOf(shard).findUnique({ where: { account_id_id: { account_id, id } } }));
    if (!row) throw notFound(`SMS route ${text}`);
    return row;
  };
  const show = (shard: string, { account_id, id, secret, ...route }: SmsRoute) => ({
    route_id: id,
    cdcs_id: account_id,
    ...route,
    has_secret: secret !== '',
    link: door.smsRoutes.link({ shard, account: account_id, id }) ?? null,
  });
  const sealed = (account: number, id: number, secret: object | undefined) =>
    secret && door.smsRoutes.seal(account, id, secret);

  router.post('/accounts/:account/sms-routes', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { secret: written, ...asked } = read(fields, ctx.request.body);
    const settings = readSettings(asked.kind, asked.settings);
    const secret = readSecret(asked.kind, written);
    if ((await routesOf(shard).count({ where: { account_id } })) >= mostRoutes)
      throw new AdminError(409, `an account has at most ${mostRoutes} SMS routes`);
    const id = await door.control.reserveIds('smsRoute', 1);
    const row = { ...asked, account_id, id, settings, secret: sealed(account_id, id, secret) ?? '' };
    const switched_off = await addSmsRoute(door.pool(shard), { ...row, created_at: door.now() });
    door.smsRoutes.changed();
    ctx.status = 201;
    ctx.body = { ...show(shard, await find(shard, account_id, String(id))), switched_off };
  });

  router.get('/accounts/:account/sms-routes', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const orderBy = [{ prefix: 'asc' }, { position: 'asc' }, { id: 'asc' }] as const;
    const routes = await routesOf(shard).findMany({ where: { account_id }, orderBy: [...orderBy] });
    ctx.body = { sms_routes: routes.map((route) => show(shard, route)) };
  });

  router.get('/accounts/:account/sms-routes/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = show(account.shard, await find(account.shard, account.id, ctx.params['id']));
  });

  router.patch('/accounts/:account/sms-routes/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { secret: written, settings, ...asked } = read(changes, ctx.request.body);
    const { id, kind } = await find(shard, account_id, ctx.params['id']);
    const switched_off = await changeSmsRoute(
      door.pool(shard),
      { account: account_id, id },
      {
        ...asked,
        settings: settings && readSettings(kind as RouteKind, settings),
        secret: sealed(account_id, id, readSecret(kind as RouteKind, written)),
      },
    );
    door.smsRoutes.changed();
    ctx.body = { ...show(shard, await find(shard, account_id, String(id))), switched_off };
  });

  router.delete('/accounts/:account/sms-routes/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { id } = await find(shard, account_id, ctx.params['id']);
    await routesOf(shard).delete({ where: { account_id_id: { account_id, id } } });
    door.smsRoutes.changed();
    ctx.status = 204;
  });
};

const readSettings = (kind: RouteKind, settings: unknown): object =>
  within('settings', () => read<z.ZodType<object>>(routeSettings[kind], settings));

const readSecret = (kind: RouteKind, secret: unknown): object | undefined => {
  if (secret === undefined) return undefined;
  const schema: z.ZodType<object> | undefined = routeSecrets[kind];
  if (!schema) throw new AdminError(400, `secret: a ${kind} has none`, { field: 'secret' });
  return within('secret', () => read(schema, secret));
};
