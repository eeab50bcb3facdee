/** Access tokens of an account. The secret is shown once, when it is made. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import { noJson, type TokenRow } from '../store/control.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { json, moment, networks, text, yesNo } from './fields.ts';
import { given, notFound, pathId, read } from './respond.ts';

const tokenFields = z.strictObject({
  label: text(120).optional(),
  permissions: z.union([json, z.null()]).optional(),
  allowed_ips: networks.optional(),
  requests_per_second: z.int().min(1).max(100_000).optional(),
  rest: yesNo.optional(),
  expires: moment.nullable().optional(),
});

export const tokenRoutes = (router: Router, door: AdminDoor): void => {
  router.post('/accounts/:account/tokens', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const { permissions, expires, ...body } = read(tokenFields, ctx.request.body);
    const made = await door.control.createToken(account.id, {
      ...given({ ...body, expires_at: expires }),
      // None given: tools stay shut, REST opens (decisions "permissions").
      permissions: (permissions as Prisma.InputJsonObject | null | undefined) ?? noJson,
    });
    ctx.status = 201;
    ctx.body = { token: made.secret, ...showToken(made.token) };
  });

  router.get('/accounts/:account/tokens', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = { tokens: (await door.control.tokens(account.id)).map(showToken) };
  });

  router.delete('/accounts/:account/tokens/:token', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const id = pathId(ctx.params['token'], 'token');
    const revoked = id < 2 ** 31 ? await door.control.revokeToken(account.id, id) : null;
    if (!revoked) throw notFound(`token ${id}`);
    ctx.body = showToken(revoked);
  });
};

/** A token without what would open a door. */
const showToken = ({ hash: _, account_id, id, expires_at, ...token }: TokenRow) => ({
  token_id: id,
  cdcs_id: account_id,
  ...token,
  expires: expires_at,
});
