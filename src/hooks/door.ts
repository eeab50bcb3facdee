/** The door for hooks of chat upstreams: `/hooks/<channel>/<line>`. It translates; what a hook means is `receive.ts`. */
import type { Context, Middleware } from 'koa';
import { lingerOver } from '../rest/linger.ts';
import type { HookAnswer, ReceiveHook } from './receive.ts';
import type { HookScope } from './scope.ts';
import { verifyHook } from './verify.ts';

export interface HookDoor {
  scope: HookScope;
  receive: ReceiveHook;
  /** Hears of every answered request. */
  observe(what: string, http: number, seconds: number): void;
}

const prefix = '/hooks/';
const place = /^\/hooks\/(msgapp|pagechat|photodm)\/(\d{1,9})$/;
/** Of a hook's body. */
const MOST_BYTES = 1_048_576;
/** Hooks that are worked on at a time; the upstream brings the others again. */
const MOST_AT_A_TIME = 100;

export const hookDoor = (door: HookDoor): Middleware => {
  let busy = 0;
  const receiveInTurn: ReceiveHook = async (hook) => {
    if (busy >= MOST_AT_A_TIME) return { http: 503, text: 'too many hooks at a time', retryAfterSeconds: 1 };
    busy += 1;
    try {
      return await door.receive(hook);
    } finally {
      busy -= 1;
    }
  };

  return async (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) {
      await next();
      return;
    }
    const began = performance.now();
    const [, channel, line] = place.exec(ctx.path) ?? [];
    const answer =
      channel === undefined
        ? { http: 404, text: 'there is no such line' }
        : await serve(door, ctx, { channel, line: Number(line) }, receiveInTurn);
    lingerOver(ctx.req, ctx.res);
    send(ctx, answer);
    door.observe(`hooks/${channel ?? 'unknown'}`, answer.http, (performance.now() - began) / 1_000);
  };
};

const serve = async (
  { scope }: HookDoor,
  ctx: Context,
  at: { channel: string; line: number },
  receive: ReceiveHook,
): Promise<HookAnswer> => {
  if (ctx.method === 'GET') {
    const asked = new URLSearchParams(ctx.querystring);
    const [mode, token, challenge] = ['mode', 'verify_token', 'challenge'].map(
      (name) => asked.get(`hub.${name}`) ?? '',
    ) as [string, string, string];
    return verifyHook(scope, { ...at, mode, token, challenge });
  }
  if (ctx.method !== 'POST') return { http: 405, text: 'use GET or POST' };
  const rawBody = await readBytes(ctx);
  if (!rawBody) return { http: 413, text: `the body is larger than ${MOST_BYTES} bytes` };
  return receive({ ...at, rawBody, signature: ctx.get('x-hub-signature-256') });
};

/** Undefined: there are too many. */
const readBytes = async (ctx: Context): Promise<Buffer | undefined> => {
  if (Number(ctx.get('content-length')) > MOST_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  // What is refused in the middle keeps its connection until it has been answered.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const send = (ctx: Context, { http, text, retryAfterSeconds }: HookAnswer): void => {
  ctx.status = http;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (http === 405) ctx.set('Allow', 'GET, POST');
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  ctx.body = text;
};
