/**
 * What stands around all doors: a request has an id, an address that can be read, and an answer, whatever is thrown
 * behind. Nothing that happens under a request goes further than here.
 */
import type { Context, Middleware } from 'koa';
import { assignRequestId, requestIdOf } from '../access/requestId.ts';
import type { Log } from '../log.ts';
import { drainRequestBody } from '../rest/drainRefusedRequestBody.ts';
import { answerForThrownError } from '../rest/serverErrors.ts';

/** The first of the doors. */
export const catchRequestErrors =
  (log: Log): Middleware =>
  async (ctx, next) => {
    assignRequestId(ctx);
    if (!hasReadableAddress(ctx)) {
      answerPlainly(ctx, 400, 'the address of the request cannot be read');
      return;
    }
    try {
      await next();
    } catch (error) {
      giveUp(ctx, error, log);
    }
    // Of doors that do not read a body, or not to its end.
    drainRequestBody(ctx.req, ctx.res);
  };

/**
 * In place of Koa's own `ctx.onerror`, which tells the text of some errors: hears of streams that break while they are
 * sent, and of answers that cannot be written.
 */
export const handleResponseError = (ctx: Context, error: unknown, log: Log): void => {
  // Koa calls it at the end of every answer, and more than once about a stream.
  if (error === null || error === undefined || ctx.state['isBroken'] === true) return;
  ctx.state['isBroken'] = true;
  if (!ctx.res.headersSent && ctx.writable) {
    giveUp(ctx, error, log);
    ctx.res.end(ctx.body as string);
    return;
  }
  if (!isClients(error) && !ctx.res.writableFinished) answerForThrownError(error, log, requestIdOf(ctx));
  // What has begun and cannot be ended must look broken.
  ctx.res.destroy();
};

const giveUp = (ctx: Context, error: unknown, log: Log): void => {
  if (isClients(error) && !ctx.req.complete) {
    answerPlainly(ctx, 400, 'the request broke off');
    return;
  }
  const { http, text, retryAfterSeconds } = answerForThrownError(error, log, requestIdOf(ctx));
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  answerPlainly(ctx, http, text);
};

/** What was said of another answer does not hold for this one. */
const answerPlainly = (ctx: Context, http: number, text: string): void => {
  for (const name of ofTheOther) ctx.remove(name);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = http;
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = JSON.stringify({ error: text });
};

const ofTheOther = [
  'Content-Length',
  'Content-Range',
  'Content-Encoding',
  'Accept-Ranges',
  'ETag',
  'Last-Modified',
];

/** `GET http://[::1` is what Node's parser of requests lets through and its parser of addresses does not. */
const hasReadableAddress = (ctx: Context): boolean => {
  try {
    return ctx.path !== null;
  } catch {
    return false;
  }
};

/**
 * Clients that hang up in the middle, of a body in chunks too, are no news; nor are those that do not keep to HTTP,
 * whom Node has answered. The error of one holds the whole request, with the token in it.
 */
const isClients = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && (hungUp.has(code) || code.startsWith('HPE_'));
};

const hungUp = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);
