/** The REST door: `POST /api/v2/<Name>.php` (spec 4.0). It translates; what an operation does is its own. */
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { type AnyOperation } from '../operations/declare.ts';
import { type Answer, refusal, runOperation } from '../operations/run.ts';
import type { Services } from '../operations/services.ts';
import type { Control } from '../store/control.ts';
import { authenticate } from './authenticate.ts';
import { type Body, readBody } from './body.ts';
import { clientAddress } from './clientAddress.ts';
import { readGiven } from './given.ts';

export interface RestDoor {
  operations: readonly AnyOperation[];
  services: Services;
  control: Control;
  /** Epoch milliseconds. */
  now(): number;
  trustedProxies: readonly string[];
  maxBodyBytes: number;
  /** Hears of every answered request. */
  observe(operation: string, http: number, seconds: number): void;
  /** Turns what was thrown into an answer: 503 on a bad day, else 500 with an incident id. */
  failed(error: unknown): { http: number; code: string; text: string; retryAfterSeconds?: number };
}

const prefix = '/api/v2/';

export const restDoor = (door: RestDoor): Middleware => {
  const byPath = new Map(door.operations.map((op) => [`${prefix}${op.name}.php`, op]));
  return async (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) {
      await next();
      return;
    }
    const began = performance.now();
    const op = byPath.get(ctx.path);
    await send(ctx, await orFailed(door, ctx, op, () => serve(door, ctx, op)));
    door.observe(op?.name ?? 'unknown', ctx.status, (performance.now() - began) / 1000);
  };
};

const serve = async (door: RestDoor, ctx: Context, op: AnyOperation | undefined): Promise<Answer> => {
  if (!op) return refusal(undefined, '404', 'unknown endpoint', 404);
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST');
    return refusal(op, '405', 'use POST', 405);
  }
  const body = await readBody(ctx, door.maxBodyBytes);
  if (body.kind === 'refused') return refuseBody(op, body.why, door.maxBodyBytes);
  const given = readGiven(op, body, ctx.querystring);
  const caller = await authenticate(
    door.control,
    {
      given,
      authorization: ctx.get('authorization'),
      address: clientAddress(ctx.req, door.trustedProxies),
      at: door.now(),
    },
    op.permission,
  );
  if ('code' in caller) return refusal(op, caller.code, caller.text, caller.http);
  const idempotencyKey = ctx.get('idempotency-key') || undefined;
  return runOperation(op, { ...caller, given, idempotencyKey }, door.services);
};

const refuseBody = (
  op: AnyOperation,
  why: Extract<Body, { kind: 'refused' }>['why'],
  maxBytes: number,
): Answer => {
  if (why === 'tooLarge') return refusal(op, '413', `the body is larger than ${maxBytes} bytes`, 413);
  if (why === 'encoded') return refusal(op, '415', 'compressed bodies are not taken', 415);
  return refusal(op, '100', 'the body is neither JSON nor a form');
};

/** The first part of a long answer is awaited before anything is sent, so that a bad day is still an honest 503. */
const orFailed = async (
  door: RestDoor,
  ctx: Context,
  op: AnyOperation | undefined,
  served: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    const answer = await served();
    return isStream(answer.body) ? { ...answer, body: await primed(answer.body) } : answer;
  } catch (error) {
    const { http, code, text, retryAfterSeconds } = door.failed(error);
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    return refusal(op, code, text, http);
  }
};

const isStream = (body: Answer['body']): body is AsyncIterable<string> => Symbol.asyncIterator in body;

const primed = async (source: AsyncIterable<string>): Promise<AsyncIterable<string>> => {
  const parts = source[Symbol.asyncIterator]();
  const first = await parts.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      for (let part = await parts.next(); !part.done; part = await parts.next()) yield part.value;
    } finally {
      await parts.return?.();
    }
  })();
};

const send = async (ctx: Context, answer: Answer): Promise<void> => {
  ctx.status = answer.http;
  if (answer.replayed) ctx.set('Idempotency-Replayed', 'true');
  ctx.type = 'application/json; charset=utf-8';
  if (!isStream(answer.body)) {
    ctx.body = JSON.stringify(answer.body);
    return;
  }
  const stream = Readable.from(answer.body);
  // A long answer that breaks off must look broken: half a JSON text and a closed connection.
  stream.once('error', () => ctx.res.destroy());
  ctx.body = stream;
};
