/** The admin API: plain JSON under `/admin/api`, for the admin token, an operator's key, or a session of the console. */
import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { requestIdOf } from '../access/requestId.ts';
import { assertAbsenceCertain } from '../operations/absence.ts';
import {
  admitAdministrator,
  checkRoutePermission,
  recordAuditEntry,
  type RequestedAdminRoute,
} from './admitAndAuditAdministrator.ts';
import type { AdminDeps } from './deps.ts';
import { adminApiIndex, sendAdminApiIndex } from './apiIndex.ts';
import { mountAdminRoutes } from './mountAdminRoutes.ts';
import { AdminError, toJsonWithBigintsAsNumbers } from './adminErrorsAndRequestParsing.ts';
import { adminRoutes, findAdminRoute } from './routes.ts';
import { readQueryAndBody } from './checkQueryAndReadJsonBody.ts';
import {
  resolveMaskedNumbers,
  maskFileForReader,
  redactForReader,
  readerVisibility,
} from './redactForReader.ts';

const prefix = '/admin/api';

/** All routes of the API. */
export const adminRouter = (deps: AdminDeps): Router => {
  const router = new Router({ prefix });
  mountAdminRoutes(router, deps, adminRoutes);
  return router;
};

export const adminApiMiddleware = (deps: AdminDeps): Middleware => {
  const router = adminRouter(deps);
  const routes = router.routes();
  const front = adminApiIndex(router, prefix);
  return async (ctx, next) => {
    if (ctx.path !== prefix && !ctx.path.startsWith(`${prefix}/`)) {
      await next();
      return;
    }
    if (isFront(ctx)) {
      sendAdminApiIndex(ctx, front);
      return;
    }
    const wanted = wantedBy(router, ctx);
    await answering(deps, ctx, async () => {
      await admitAdministrator(deps, ctx, wanted);
      resolveMaskedNumbers(deps, ctx);
      await readQueryAndBody(ctx, wanted.need);
      checkRoutePermission(deps, ctx, wanted);
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
const wantedBy = (router: Router, ctx: Context): RequestedAdminRoute => {
  const route = routeOf(router, ctx);
  return { route, need: findAdminRoute(route)?.role ?? 'operator' };
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
    await recordAuditEntry(deps, ctx);
  } catch (error) {
    const { http, text, retryAfterSeconds } = deps.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    throw new AdminError(http, `the audit log cannot be written (${text}); what was asked for may be done`);
  }
};

const answering = async (deps: AdminDeps, ctx: Context, work: () => Promise<void>): Promise<void> => {
  const shown = (body: unknown): unknown => redactForReader(deps, readerVisibility(ctx), body);
  try {
    await work();
    if (isFile(ctx.body)) {
      // Sound is bytes, which no mask may touch.
      if (ctx.type.startsWith('text/')) ctx.body = maskFileForReader(readerVisibility(ctx), ctx.body);
    } else if (typeof ctx.body === 'object' && ctx.body !== null) sendJson(ctx, shown(ctx.body));
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
    for (const shard of caught.missingFrom) await assertAbsenceCertain(deps, shard);
    return caught;
  } catch (unsure) {
    return unsure;
  }
};

/** What is streamed is no JSON. */
const isFile = (body: unknown): body is Readable => body instanceof Readable;

const sendJson = (ctx: Context, value: unknown): void => {
  ctx.body = toJsonWithBigintsAsNumbers(value);
  ctx.type = 'application/json; charset=utf-8';
};
