/** The pages beside the operations: health, readiness, metrics, description, media. */
import type { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';

/** A file of the media store, ready to be sent. */
export interface ServedMedia {
  status: number;
  headers: Readonly<Record<string, string>>;
  stream?: Readable;
}

export interface MediaAsked {
  method: string;
  pathAndQuery: string;
  range?: string | undefined;
  ifNoneMatch?: string | undefined;
}

export interface Pages {
  health(): Promise<{ ok: boolean; body: object }>;
  /** Sentences for what keeps the service from being ready; none: it is. */
  unready(): Promise<string[]>;
  metrics(): Promise<{ type: string; text: string }>;
  /** JSON text. */
  openApi(): string;
  /** Answers a request below `/media/`. */
  media(request: MediaAsked): Promise<ServedMedia>;
}

export const pages = (from: Pages): Middleware => {
  const byPath: Readonly<Record<string, (ctx: Context) => Promise<void> | void>> = {
    '/mcp/health': async (ctx) => json(ctx, await from.health()),
    '/healthz': (ctx) => json(ctx, { ok: true, body: { status: 'ok' } }),
    '/readyz': async (ctx) => {
      const reasons = await from.unready();
      json(ctx, { ok: reasons.length === 0, body: { ready: reasons.length === 0, reasons } });
    },
    '/metrics': async (ctx) => {
      const { type, text } = await from.metrics();
      ctx.body = text;
      ctx.set('Content-Type', type);
    },
    '/openapi.json': (ctx) => {
      ctx.body = from.openApi();
      ctx.type = 'application/json; charset=utf-8';
    },
  };
  return async (ctx, next) => {
    const page = ctx.method === 'GET' || ctx.method === 'HEAD' ? byPath[ctx.path] : undefined;
    if (page) await page(ctx);
    else if (ctx.path.startsWith('/media/')) await sendMedia(from, ctx);
    else await next();
  };
};

const json = (ctx: Context, { ok, body }: { ok: boolean; body: object }): void => {
  ctx.status = ok ? 200 : 503;
  ctx.body = JSON.stringify(body);
  ctx.type = 'application/json; charset=utf-8';
};

const sendMedia = async (from: Pages, ctx: Context): Promise<void> => {
  const served = await from.media({
    method: ctx.method,
    pathAndQuery: ctx.url,
    range: ctx.get('range') || undefined,
    ifNoneMatch: ctx.get('if-none-match') || undefined,
  });
  ctx.status = served.status;
  ctx.body = served.stream ?? null;
  ctx.status = served.status;
  for (const [name, value] of Object.entries(served.headers)) ctx.set(name, value);
};
