/** Access tokens of an account. The secret is shown once, when it is made. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import { noJson, type TokenRow } from '../store/control.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { json, moment, networks, text, yesNo } from './fields.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';

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
    if ((await door.control.countTokens(account.id)) >= mostTokens)
      throw new AdminError(409, `an account has at most ${mostTokens} tokens, revoked ones included`);
    // No permissions given: tools stay shut, REST opens (decisions "permissions").
    const fields = toColumns({ permissions: null, ...read(tokenFields, ctx.request.body) });
    const made = await door.control.createToken(account.id, fields);
    ctx.status = 201;
    ctx.body = { token: made.secret, ...showToken(made.token) };
  });

  router.get('/accounts/:account/tokens', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = { tokens: (await door.control.tokens(account.id)).map(showToken) };
  });

  // The token stands in a header: addresses end up in the logs of proxies.
  router.get('/token-owner', async (ctx) => {
    const shown = ctx.get('x-account-token');
    const owner = shown === '' ? undefined : await door.control.tokenOwner(shown);
    if (!owner) throw notFound('an account with the token in X-Account-Token');
    const { account, token } = owner;
    ctx.body = { cdcs_id: account.id, name: account.name, token_id: token.id };
  });

  const find = async (account: number, words: string | undefined): Promise<TokenRow> => {
    const id = pathId(words, 'token');
    const token = id < 2 ** 31 ? await door.control.token(account, id) : null;
    if (!token) throw notFound(`token ${words}`);
    return token;
  };

  router.get('/accounts/:account/tokens/:token', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = showToken(await find(account.id, ctx.params['token']));
  });

  router.patch('/accounts/:account/tokens/:token', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const fields = toColumns(read(tokenFields, ctx.request.body));
    const { id } = await find(account.id, ctx.params['token']);
    const changed = await door.control.updateToken(account.id, id, fields);
    if (!changed) throw new AdminError(409, `token ${id} is revoked, which is for good; make another one`);
    ctx.body = showToken(changed);
  });

  router.delete('/accounts/:account/tokens/:token', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const { id } = await find(account.id, ctx.params['token']);
    const revoked = await door.control.revokeToken(account.id, id);
    if (!revoked) throw notFound(`token ${id}`);
    ctx.body = showToken(revoked);
  });
};

const mostTokens = 10_000;

const toColumns = ({ permissions, expires, ...body }: z.output<typeof tokenFields>) =>
  given({
    ...body,
    expires_at: expires,
    permissions: permissions === null ? noJson : (permissions as Prisma.InputJsonObject | undefined),
  });

/** A token without what would open a door. */
const showToken = ({ hash: _, account_id, id, expires_at, ...token }: TokenRow) => ({
  token_id: id,
  cdcs_id: account_id,
  ...token,
  expires: expires_at,
});
