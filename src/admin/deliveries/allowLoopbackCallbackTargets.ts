/** Receivers of callbacks on this machine (`ramal callback listen`): each is admitted while it runs, and no longer. */
import type { Context } from 'koa';
import * as z from 'zod';
import { isDirectLoopback } from '../../access/directLoopback.ts';
import { defineRoute, type PathResourceLookup } from '../routeDeclaration.ts';
import { at } from '../fieldSchemas.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';

/** Without renewal it is over after so long, milliseconds. */
const leaseMs = 120_000;

const receiver = z.strictObject({
  host: z.enum(['127.0.0.1', '::1']).default('127.0.0.1'),
  port: z.int().min(1024).max(65_535),
});

/** Of requests that come from this machine. */
const fromHere: PathResourceLookup<object> = {
  params: {},
  find: ({ ctx }) => {
    checkIsHere(ctx);
    return {};
  },
};

export const localCallbackListenerRoutes = {
  'POST /callback-receivers': defineRoute({
    role: 'admin',
    summary: 'Lets callbacks reach a receiver on this machine, for two minutes at a time.',
    description:
      'It is asked for from the machine of the service only, over its loopback address and through no proxy.',
    scope: fromHere,
    body: receiver,
    answer: z.object({ host: z.string(), port: z.int(), until: at }),
    http: 201,
    refuses: { 409: 'There are too many receivers.' },
    example: {
      body: { port: 9099 },
      answer: { host: '127.0.0.1', port: 9099, until: 1_795_325_864_421 },
    },
    handle: ({ deps, body: { host, port } }) => {
      if (!deps.callbackTargets.admit(originOf(host, port), leaseMs))
        throw new AdminError(409, 'there are too many receivers: end one of them');
      return { host, port, until: deps.now() + leaseMs };
    },
  }),
  'DELETE /callback-receivers/:host/:port': defineRoute({
    role: 'admin',
    summary: 'Lets callbacks reach a receiver no more.',
    description:
      'It is asked for from the machine of the service only, over its loopback address and through no proxy.',
    scope: fromHere,
    path: z.object({ host: z.string(), port: z.string() }),
    example: {},
    handle: ({ deps, path: { host, port } }): void => {
      if (!deps.callbackTargets.dismiss(originOf(host, Number(port)))) throw notFound('this receiver');
    },
  }),
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
