/** `/docs`: the description in a viewer, with everything it needs from here and nothing from elsewhere. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Context, Middleware } from 'koa';
import { openApiViewerScript } from './openApiViewerScript.ts';
import { page } from './page.ts';

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Files of the viewer's package. */
const files: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);

/** The viewer sets sizes on its elements, and pictures in its style sheet are data. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const serveOpenApiViewer = (): Middleware => async (ctx, next) => {
  if (!/^\/docs(\/|$)/.test(ctx.path) || !['GET', 'HEAD'].includes(ctx.method)) {
    await next();
    return;
  }
  if (ctx.path === '/docs') sendPage(ctx);
  else if (ctx.path === '/docs/') ctx.redirect('../docs');
  else await sendAsset(ctx, ctx.path.slice('/docs/'.length));
};

const sendPage = (ctx: Context): void => {
  ctx.set('Content-Security-Policy', policy);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = 'html';
  ctx.body = page;
};

const sendAsset = async (ctx: Context, name: string): Promise<void> => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (name === 'viewer.js') {
    ctx.set('Cache-Control', 'no-cache');
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = openApiViewerScript;
    return;
  }
  if (!files.has(name)) {
    ctx.status = 404;
    return;
  }
  const path = join(folder, name);
  const { size, mtime } = await stat(path);
  ctx.set('Cache-Control', 'public, max-age=3600');
  ctx.lastModified = mtime;
  ctx.type = name;
  ctx.length = size;
  if (ctx.method === 'GET') ctx.body = createReadStream(path);
  else ctx.status = 200;
};
