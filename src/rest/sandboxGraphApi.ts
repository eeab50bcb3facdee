/**
 * The sandbox upstream over HTTP, under `/sandbox/graph/v22.0/…`, for people who want to see what it holds. It opens
 * with the access token of a line, as it does from inside.
 */
import type { Context, Middleware } from 'koa';
import type { BodyMemoryReservation, BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import type { GraphApiHttpRequest, GraphApiTransport } from '../providers/chat/graphApiClient.ts';
import { drainRequestBody } from './drainRefusedRequestBody.ts';

const prefix = '/sandbox/graph';
const methods: readonly string[] = ['GET', 'POST', 'DELETE'];
const largestBody = 64 * 1024;
const timeoutMs = 60_000;

export interface SandboxGraphDeps {
  /** Undefined where another is configured; then there is no such page. */
  upstream: GraphApiTransport | undefined;
  bodies: BodyMemoryBudget;
  addressOf(ctx: Context): string;
  /** What is not the caller's fault, as an answer. */
  failed(error: unknown): { http: number; text: string };
}

export const sandboxGraphEndpoint =
  ({ upstream, bodies, addressOf, failed }: SandboxGraphDeps): Middleware =>
  async (ctx, next) => {
    if (!upstream || !ctx.path.startsWith(`${prefix}/`) || !methods.includes(ctx.method)) return next();
    const place = bodies.enter(addressOf(ctx));
    const body = await readBody(ctx, place).finally(() => place.leave());
    if (typeof body === 'number') {
      drainRequestBody(ctx.req, ctx.res);
      ctx.status = body;
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

const exchangeOf = (ctx: Context, body: string): GraphApiHttpRequest => ({
  method: ctx.method as GraphApiHttpRequest['method'],
  path: ctx.path.slice(prefix.length),
  query: Object.fromEntries(new URLSearchParams(ctx.querystring)),
  headers: { authorization: ctx.get('authorization') },
  body,
  timeoutMs,
  signal: AbortSignal.timeout(timeoutMs),
});

/** The body, or the status of its refusal. */
const readBody = async ({ req }: Context, place: BodyMemoryReservation): Promise<string | 413 | 503> => {
  const pieces: Buffer[] = [];
  // A request that is refused in the middle keeps its connection until it has been answered.
  for await (const piece of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (place.taken + piece.length > largestBody) return 413;
    if (!place.take(piece.length)) return 503;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};
