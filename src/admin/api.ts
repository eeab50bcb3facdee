/** The admin API: plain JSON under `/admin/api`, for the admin token, an operator's key, or a session of the console. */
import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { requestIdOf } from '../access/requestId.ts';
import { believeAbsence } from '../operations/absence.ts';
import { admit, checkMay, record, type Wanted } from './admit.ts';
import type { AdminDeps } from './deps.ts';
import { frontOf, showFront } from './apiIndex.ts';
import { mount } from './mount.ts';
import { AdminError, toJson } from './respond.ts';
import { adminRoutes, routeNamed } from './routes.ts';
import { readSent } from './sent.ts';
import { resolveReferences, shownFile, shownTo, sightOf } from './sight.ts';

const prefix = '/admin/api';

/** All routes of the API. */
export const adminRouter = (deps: AdminDeps): Router => {
  const router = new Router({ prefix });
  mount(router, deps, adminRoutes);
  return router;
};

export const adminEndpoint = (deps: AdminDeps): Middleware => {
  const router = adminRouter(deps);
  const routes = router.routes();
  const front = frontOf(router, prefix);
  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next();
      return;
    }
    if (isFront(ctx)) {
      showFront(ctx, front);
      return;
    }
    const wanted = wantedBy(router, ctx);
    await answering(deps, ctx, async () => {
      await admit(deps, ctx, wanted);
      resolveReferences(deps, ctx);
      await readSent(ctx, wanted.need);
      checkMay(deps, ctx, wanted);
      // The router's own context type is wider than Koa's; it is the same object.
      await routes(ctx as Parameters<typeof routes>[0], () =>
        Promise.reject(new AdminError(404, 'no such page')),
      );
    });
    await answering(deps, ctx, () => recorded(deps, ctx));
  };
};

const isFront = ({ method, path }: Context): boolean =>
  (method === 'GET' || method === 'HEAD') && (path === prefix || path === `${prefix}/`);

/** What a request wants; where there is no such route there is nothing to keep from operators. */
const wantedBy = (router: Router, ctx: Context): Wanted => {
  const route = routeOf(router, ctx);
  return { route, need: routeNamed(route)?.role ?? 'operator' };
};

/** The route that will serve a request, the first that fits, as it is declared. */
const routeOf = (router: Router, ctx: Context): string | undefined => {
  const { route, pathAndMethod } = router.match(ctx.path, ctx.method);
  const path = route ? pathAndMethod[0]?.path : undefined;
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  return path === undefined ? undefined : `${method} ${String(path).slice(prefix.length)}`;
};

/** A change that cannot be recorded is answered with that, whatever became of it. */
const recorded = async (deps: AdminDeps, ctx: Context): Promise<void> => {
  try {
    await record(deps, ctx);
  } catch (error) {
    const { http, text, retryAfterSeconds } = deps.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    throw new AdminError(http, `the audit log cannot be written (${text}); what was asked for may be done`);
  }
};

const answering = async (deps: AdminDeps, ctx: Context, work: () => Promise<void>): Promise<void> => {
  const shown = (body: unknown): unknown => shownTo(deps, sightOf(ctx), body);
  try {
    await work();
    if (isFile(ctx.body)) ctx.body = shownFile(sightOf(ctx), ctx.body);
    else if (typeof ctx.body === 'object' && ctx.body !== null) sendJson(ctx, shown(ctx.body));
  } catch (caught) {
    const error = await believed(deps, caught);
    if (error instanceof AdminError) {
      ctx.status = error.status;
      sendJson(ctx, shown({ error: error.message, ...error.more }));
      return;
    }
    const { http, text, retryAfterSeconds } = deps.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    ctx.status = http;
    sendJson(ctx, { error: text });
  }
};

/** What an answer tells: of what a shard lacks, that the shard is being checked, until it is open. */
const believed = async (deps: AdminDeps, caught: unknown): Promise<unknown> => {
  if (!(caught instanceof AdminError)) return caught;
  try {
    for (const shard of caught.missingFrom) await believeAbsence(deps, shard);
    return caught;
  } catch (unsure) {
    return unsure;
  }
};

/** What is streamed is no JSON. */
const isFile = (body: unknown): body is Readable => body instanceof Readable;

const sendJson = (ctx: Context, value: unknown): void => {
  ctx.body = toJson(value);
  ctx.type = 'application/json; charset=utf-8';
};
