/** The pages beside the operations: health, readiness, metrics, description, media. */
import type { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';

/** A file of the media store, ready to be sent. */
export interface ServedMedia {
  status: number;
  headers: Readonly<Record<string, string>>;
  stream?: Readable;
}

export interface MediaRequest {
  method: string;
  pathAndQuery: string;
  range?: string | undefined;
  ifNoneMatch?: string | undefined;
}

/** JSON text, plain and compressed. The same bytes for all: who does not read them holds no copy. */
export interface ServedOpenApi {
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

export interface HealthAndMetricsPages {
  health(): Promise<{ ok: boolean; body: object }>;
  /** Whether the service takes work, of which shards, and what keeps it from that. */
  readiness(): Promise<{ ready: boolean }>;
  /** HTTP status of a refusal; undefined: the caller may read the metrics. */
  metricsRefused(ctx: Context): Promise<401 | 429 | undefined>;
  metrics(): Promise<{ type: string; text: string }>;
  openApi(): Promise<ServedOpenApi>;
  /** The same of the admin API: open to all, for it says what there is to ask and holds no data. */
  adminOpenApi(): Promise<ServedOpenApi>;
  /** Answers a request below `/media/`. */
  media(request: MediaRequest): Promise<ServedMedia>;
}

export const healthAndMetricsMiddleware = (from: HealthAndMetricsPages): Middleware => {
  const byPath: Readonly<Record<string, (ctx: Context) => Promise<void> | void>> = {
    '/mcp/health': async (ctx) => json(ctx, await from.health()),
    '/healthz': (ctx) => json(ctx, { ok: true, body: { status: 'ok' } }),
    '/readyz': async (ctx) => {
      const body = await from.readiness();
      json(ctx, { ok: body.ready, body });
    },
    '/metrics': async (ctx) => {
      const refused = await from.metricsRefused(ctx);
      if (refused !== undefined) {
        refuseMetrics(ctx, refused);
        return;
      }
      const { type, text } = await from.metrics();
      ctx.body = text;
      ctx.set('Content-Type', type);
    },
    '/openapi.json': async (ctx) => describe(ctx, await from.openApi()),
    '/admin/openapi.json': async (ctx) => describe(ctx, await from.adminOpenApi()),
  };
  return async (ctx, next) => {
    const page = ctx.method === 'GET' || ctx.method === 'HEAD' ? byPath[ctx.path] : undefined;
    if (page) await page(ctx);
    else if (ctx.path.startsWith('/media/')) await sendMedia(from, ctx);
    else await next();
  };
};

const describe = (ctx: Context, { plain, gzipped, etag }: ServedOpenApi): void => {
  ctx.type = 'application/json; charset=utf-8';
  ctx.set('Cache-Control', 'no-cache');
  ctx.vary('Accept-Encoding');
  ctx.etag = etag;
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const isGzipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isGzipped) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isGzipped ? gzipped : plain;
};

const refuseMetrics = (ctx: Context, status: 401 | 429): void => {
  ctx.status = status;
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  ctx.body =
    'metrics are open to this machine and private networks; from elsewhere show the admin token or an operator’s key\n';
};

const json = (ctx: Context, { ok, body }: { ok: boolean; body: object }): void => {
  ctx.status = ok ? 200 : 503;
  ctx.body = JSON.stringify(body);
  ctx.type = 'application/json; charset=utf-8';
};

const sendMedia = async (from: HealthAndMetricsPages, ctx: Context): Promise<void> => {
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
