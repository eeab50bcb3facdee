/**
 * The door for hooks: `/hooks/<channel>/<line>` of chat upstreams, `/hooks/sms/<route>` of SMS gateways. It translates;
 * what a hook means is `receiveChatWebhook.ts` and `receiveSmsReceipts.ts`.
 */
import type { Context, Middleware } from 'koa';
import type { BodyMemoryReservation, BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import type { RateLimitsAndLockouts } from '../providers/contracts/rateLimitsAndLockouts.ts';
import { drainRequestBody } from '../rest/drainRefusedRequestBody.ts';
import { ipAddressGroup } from '../lib/ipAddressRanges.ts';
import type { HookAnswer, ReceiveHook } from './receiveChatWebhook.ts';
import type { ChatHookHandlerDeps } from './scope.ts';
import type { ReceiveSmsReceiptHook } from './receiveSmsReceipts.ts';
import { answerHookHandshake } from './verify.ts';

export interface HookEndpointDeps {
  scope: ChatHookHandlerDeps;
  bodies: BodyMemoryBudget;
  /** Counts wrong tokens, of an address for a line or route. */
  limits: Pick<RateLimitsAndLockouts, 'standing' | 'failed' | 'lockedMs'>;
  addressOf(ctx: Context): string;
  receive: ReceiveHook;
  receiveSms: ReceiveSmsReceiptHook;
  /** Hears of every answered request. */
  observe(what: string, http: number, seconds: number): void;
}

const prefix = '/hooks/';
const place = /^\/hooks\/(msgapp|pagechat|photodm|sms)\/(\d{1,9})$/;
/** Of a hook's body. */
const MOST_BYTES = 1_048_576;
/** Hooks that are worked on at a time; the upstream brings the others again. */
const MOST_AT_A_TIME = 100;

export const hookEndpoint = (deps: HookEndpointDeps): Middleware => {
  let busy = 0;
  const inTurn: InTurn = async (work) => {
    if (busy >= MOST_AT_A_TIME) return { http: 503, text: 'too many hooks at a time', retryAfterSeconds: 1 };
    busy += 1;
    try {
      return await work();
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
    const [, channel, id] = place.exec(ctx.path) ?? [];
    const answer = await guarded(deps, ctx, () => serve(deps, ctx, { channel, id: Number(id) }, inTurn));
    drainRequestBody(ctx.req, ctx.res);
    send(ctx, answer);
    deps.observe(`hooks/${channel ?? 'unknown'}`, answer.http, (performance.now() - began) / 1_000);
  };
};

/** Runs work when there are not too many at it already. */
type InTurn = (work: () => Promise<HookAnswer>) => Promise<HookAnswer>;

/**
 * Tokens in addresses can be guessed at, signatures cannot. Who guesses is kept out of this line or route only: a
 * gateway that brings receipts of many routes is not kept out for one that is set up wrong.
 */
const guarded = async (
  { limits, addressOf }: HookEndpointDeps,
  ctx: Context,
  work: () => Promise<HookAnswer>,
): Promise<HookAnswer> => {
  if (!showsToken(ctx)) return work();
  const [, channel, id] = place.exec(ctx.path)!;
  // By its number: /hooks/sms/007 is /hooks/sms/7.
  const guesser = `${prefix}${channel}/${Number(id)} ${ipAddressGroup(addressOf(ctx))}`;
  if ((await limits.standing(guesser)) !== 'free') {
    const retryAfterSeconds = Math.max(1, Math.ceil((await limits.lockedMs(guesser)) / 1000));
    return { http: 429, text: 'too many wrong tokens from this address', retryAfterSeconds };
  }
  const answer = await work();
  if (answer.http === 403) await limits.failed(guesser);
  return answer;
};

const showsToken = (ctx: Context): boolean => {
  const asked = new URLSearchParams(ctx.querystring);
  return (
    place.test(ctx.path) &&
    (asked.has('token') || asked.has('hub.verify_token') || ctx.get('authorization') !== '')
  );
};

const serve = async (
  { scope, bodies, addressOf, receive, receiveSms }: HookEndpointDeps,
  ctx: Context,
  { channel, id }: { channel: string | undefined; id: number },
  inTurn: InTurn,
): Promise<HookAnswer> => {
  if (channel === undefined) return { http: 404, text: 'there is no such line' };
  if (ctx.method !== 'GET' && ctx.method !== 'POST') return { http: 405, text: 'use GET or POST' };
  if (ctx.method === 'GET' && channel !== 'sms') return shakeHands(scope, ctx, { channel, line: id });
  const room = bodies.enter(addressOf(ctx));
  try {
    const rawBody = await readBytes(ctx, room);
    if (!Buffer.isBuffer(rawBody)) return rawBody;
    const { querystring: query } = ctx;
    const authorization = ctx.get('authorization');
    const signature = ctx.get('x-hub-signature-256');
    return await inTurn(() =>
      channel === 'sms'
        ? receiveSms({ route: id, query, authorization, rawBody })
        : receive({ channel, line: id, rawBody, signature }),
    );
  } finally {
    room.leave();
  }
};

const shakeHands = (
  scope: ChatHookHandlerDeps,
  ctx: Context,
  at: { channel: string; line: number },
): Promise<HookAnswer> => {
  const asked = new URLSearchParams(ctx.querystring);
  const told = (name: string): string => asked.get(`hub.${name}`) ?? '';
  return answerHookHandshake(scope, {
    ...at,
    mode: told('mode'),
    token: told('verify_token'),
    challenge: told('challenge'),
  });
};

const tooLarge: HookAnswer = { http: 413, text: `the body is larger than ${MOST_BYTES} bytes` };
const noRoom: HookAnswer = { http: 503, text: 'too many large hooks at a time', retryAfterSeconds: 2 };

/** The body, or why it was not read. */
const readBytes = async (ctx: Context, room: BodyMemoryReservation): Promise<Buffer | HookAnswer> => {
  if (Number(ctx.get('content-length')) > MOST_BYTES) return tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  // What is refused in the middle keeps its connection until it has been answered.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return tooLarge;
    if (!room.take(chunk.length)) return noRoom;
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
