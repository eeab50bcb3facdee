/**
 * The sandbox upstream over HTTP, under `/sandbox/graph/v22.0/…`, for people who want to see what it holds. It opens
 * with the access token of a line, as it does from inside.
 */
import type { Context, Middleware } from 'koa';
import type { GraphExchange, GraphTransport } from '../providers/chat/graph.ts';

const prefix = '/sandbox/graph';
const methods: readonly string[] = ['GET', 'POST', 'DELETE'];
const largestBody = 64 * 1024;
const timeoutMs = 60_000;

export interface SandboxDoor {
  /** Undefined where another is configured; then there is no such page. */
  upstream: GraphTransport | undefined;
  /** What is not the caller's fault, as an answer. */
  failed(error: unknown): { http: number; text: string };
}

export const sandboxDoor =
  ({ upstream, failed }: SandboxDoor): Middleware =>
  async (ctx, next) => {
    if (!upstream || !ctx.path.startsWith(`${prefix}/`) || !methods.includes(ctx.method)) return next();
    const body = await readBody(ctx);
    if (body === undefined) {
      ctx.status = 413;
      return;
    }
    const { status, text } = await upstream(exchangeOf(ctx, body)).catch((error: unknown) => {
      const { http, text: why } = failed(error);
      return {
        status: http,
        text: JSON.stringify({ error: { message: why, type: 'OAuthException', code: 2 } }),
      };
    });
    ctx.status = status;
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = text;
  };

const exchangeOf = (ctx: Context, body: string): GraphExchange => ({
  method: ctx.method as GraphExchange['method'],
  path: ctx.path.slice(prefix.length),
  query: Object.fromEntries(new URLSearchParams(ctx.querystring)),
  headers: { authorization: ctx.get('authorization') },
  body,
  timeoutMs,
  signal: AbortSignal.timeout(timeoutMs),
});

/** Undefined: it is too large. */
const readBody = async ({ req }: Context): Promise<string | undefined> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of req) {
    bytes += (piece as Buffer).length;
    if (bytes > largestBody) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
};
