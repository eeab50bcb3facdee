/** Declared routes on the router: each request is read in one place, in one order, and refused in the same words. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { AdminDeps } from './deps.ts';
import type { AnyAdminRoute, AdminRouteTable } from './routeDeclaration.ts';
import { read, readQuery } from './adminErrorsAndRequestParsing.ts';

/** Registers the routes in their order. */
export const mountAdminRoutes = (router: Router, deps: AdminDeps, routes: AdminRouteTable): void => {
  for (const [key, declared] of Object.entries<AnyAdminRoute>(routes)) {
    const [method = '', path = ''] = key.split(' ');
    router.register(path, [method], (ctx) => serve(deps, ctx, declared));
  }
};

/**
 * What the path is about comes first, then the query, the body, and the other parameters of the path. Throws an
 * `AdminError` for the first that is wrong.
 */
const serve = async (
  deps: AdminDeps,
  ctx: Context & { params: Record<string, string> },
  declared: AnyAdminRoute,
): Promise<void> => {
  const request = { deps, ctx, written: ctx.params };
  const found: object = declared.scope ? await declared.scope.find(request) : {};
  const query: unknown = declared.query && readQuery(declared.query, { ...ctx.query });
  const body: unknown = declared.body && read(declared.body, (ctx.request as { body?: unknown }).body);
  const path: unknown = declared.path && read(declared.path, ctx.params);
  let http: number = declared.http ?? (declared.answer ? 200 : 204);
  const status = (other: number): void => void (http = other);
  const answer: unknown = await declared.handle({ ...request, ...found, query, body, path, status });
  ctx.status = http;
  if (declared.answer) ctx.body = answer;
  // A file may say for itself what it is.
  if (declared.media && !ctx.response.get('Content-Type').startsWith(kindOf(declared.media)))
    ctx.type = declared.media;
};

/** `audio/` of `audio/wav`. */
const kindOf = (media: string): string => media.slice(0, media.indexOf('/') + 1);
