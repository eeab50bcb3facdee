/** Headers of every answer, unless a door sets its own: nothing of ours is guessed at, framed, cached or scripted. */
import type { Middleware } from 'koa';

/** Pages may bring styles of their own; a page that needs more sets a policy of its own. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sounds: other pages may play them, and they say themselves how long they may be kept. */
const media = /^\/media\//;
/** Answered to programs, thousands of times a second, and always as JSON. */
const programs = /^\/(api|mcp)\b/;

export const securityHeaders: Middleware = async (ctx, next) => {
  const { res, path } = ctx;
  res.setHeader('X-Content-Type-Options', 'nosniff');
  if (!media.test(path)) res.setHeader('Cache-Control', 'no-store');
  if (!programs.test(path)) {
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('X-Frame-Options', 'DENY');
    res.setHeader('Referrer-Policy', 'no-referrer');
  }
  await next();
};
