/** Headers of every answer, unless a door sets its own: nothing of ours is guessed at, framed, cached or scripted. */
import type { Middleware } from 'koa';

/** Pages may bring styles of their own; whoever needs more says so for that page. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sounds: other pages may play them, and they say themselves how long they may be kept. */
const media = /^\/media\//;

export const answerHeaders: Middleware = async (ctx, next) => {
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Content-Security-Policy', policy);
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Referrer-Policy', 'no-referrer');
  if (!media.test(ctx.path)) {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  }
  await next();
};
