/**
 * `/admin`: the console's pages, as they were built. Every address below it is one page, which asks the admin API for
 * what it shows; the files beside it carry a digest in their names and never change.
 */
import type { Context, Middleware } from 'koa';
import { type BuiltConsoleFile, readBuiltPages } from './loadBuiltFiles.ts';

/** Nothing of another origin, no script or style within the page, and no text that becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const assets = '/admin/assets/';
const notBuilt = 'The console is not built here: npm run build\n';

/** `folder`: what `vite build` made of `src/console`. It is read when it is first asked for. */
export const serveConsolePages = (folder: string): Middleware => {
  const read = readBuiltPages(folder);
  return async (ctx, next) => {
    if (!isOurs(ctx)) return next();
    if (ctx.path === '/admin/') {
      ctx.redirect('/admin');
      return;
    }
    const files = await read();
    const isAsset = ctx.path.startsWith(assets);
    const file = files?.get(isAsset ? ctx.path.slice('/admin/'.length) : 'index.html');
    if (file) send(ctx, file, isAsset);
    else refuse(ctx, files === undefined);
  };
};

const isOurs = ({ method, path }: Context): boolean =>
  /^\/admin(\/|$)/.test(path) && !/^\/admin\/api(\/|$)/.test(path) && (method === 'GET' || method === 'HEAD');

const send = (ctx: Context, { type, plain, gzipped, etag }: BuiltConsoleFile, isAsset: boolean): void => {
  ctx.set('Content-Security-Policy', policy);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.vary('Accept-Encoding');
  ctx.type = type;
  ctx.etag = etag;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const isGzipped = gzipped !== undefined && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzipped) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isGzipped ? gzipped : plain;
};

const refuse = (ctx: Context, isUnbuilt: boolean): void => {
  ctx.status = isUnbuilt ? 503 : 404;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = isUnbuilt ? notBuilt : 'no such file\n';
};
