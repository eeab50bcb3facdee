/** Receivers of callbacks on this machine (`ramal callback listen`): each is admitted while it runs, and no longer. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import * as z from 'zod';
import { isDirectLoopback } from '../access/directLoopback.ts';
import type { AdminDoor } from './api.ts';
import { AdminError, notFound, read } from './respond.ts';

/** Without renewal it is over after so long, milliseconds. */
const leaseMs = 120_000;

const receiver = z.strictObject({
  host: z.enum(['127.0.0.1', '::1']).default('127.0.0.1'),
  port: z.int().min(1024).max(65_535),
});

export const callbackReceiverRoutes = (router: Router, door: AdminDoor): void => {
  router.post('/callback-receivers', async (ctx) => {
    checkIsHere(ctx);
    const { host, port } = read(receiver, ctx.request.body);
    if (!door.callbackTargets.admit(originOf(host, port), leaseMs))
      throw new AdminError(409, 'there are too many receivers: end one of them');
    ctx.status = 201;
    ctx.body = { host, port, until: door.now() + leaseMs };
  });

  router.delete('/callback-receivers/:host/:port', async (ctx) => {
    checkIsHere(ctx);
    const { host = '', port = '' } = ctx.params;
    if (!door.callbackTargets.dismiss(originOf(host, Number(port)))) throw notFound('this receiver');
    ctx.status = 204;
  });
};

/** As addresses write it. */
const originOf = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** It opens a way into this machine, so it is asked for from this machine. */
const checkIsHere = ({ req }: Pick<Context, 'req'>): void => {
  if (isDirectLoopback(req)) return;
  throw new AdminError(
    403,
    'a receiver is admitted from the machine of the service only, over its loopback address and through no proxy',
  );
};
