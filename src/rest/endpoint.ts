/** The REST door: `POST /api/v2/<Name>.php` (spec 4.0). It translates; what an operation does is its own. */
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { AnyOperation, RequestIdempotencyKey } from '../operations/declare.ts';
import { idempotencyFromKey } from '../operations/idempotency.ts';
import { type OperationResponse, buildRefusalResponse, runOperation } from '../operations/run.ts';
import type { RequestLimitsOfAllEndpoints } from '../providers/contracts/rateLimitsAndLockouts.ts';
import type { Services } from '../operations/services.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import type { UploadRules } from '../operations/operationUploadTypes.ts';
import { createRequestAccessControl, type RequestAccessControl } from '../access/authenticateAndRateLimit.ts';
import type { ResponseCapacity } from '../access/unsentResponseLimits.ts';
import type { BodyMemoryReservation, BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import { requestIdOf } from '../access/requestId.ts';
import { type AccessRefusal, carriesApiToken } from '../access/authenticate.ts';
import { type Body, isRequestBodyCompressed, readAndParseBody, parseUrlEncodedForm } from './body.ts';
import { maxJsonKeys } from './scanBodyTokenAndComplexity.ts';
import { readRequestParams } from './readRequestParams.ts';
import { unknownPathAnswer } from './unknownPathAnswer.ts';
import { briefBodyDrainLimits, drainRequestBody } from './drainRefusedRequestBody.ts';
import { admitLongAnswer, isStream, refuseWhileResponsesUnread } from './limitStreamedResponses.ts';
import { RequestSenderRecognizer } from './identifySenderMidBody.ts';
import { mergeQueryTokensOverBody } from './mergeQueryOverBody.ts';
import type { AnonymousUploadAllowance } from './upload/allowance.ts';
import { type ReceivedBodyWithUploads, receiveUpload } from './upload/receive.ts';
import { tooManyLargeRequestsText, refuseUpload } from './upload/refuse.ts';
import { UploadRefused } from './upload/refused.ts';

export interface RestDeps {
  operations: readonly AnyOperation[];
  services: Services;
  control: ControlDatabase;
  limits: RequestLimitsOfAllEndpoints;
  /** Epoch milliseconds. */
  now(): number;
  trustedProxies: readonly string[];
  maxBodyBytes: number;
  bodies: BodyMemoryBudget;
  answers: ResponseCapacity;
  uploads: {
    /** For the files of requests, while they are served. */
    folder: string;
    maxBytes: Readonly<Record<UploadRules['limit'], number>>;
    /** What may be written for callers who have not shown a token yet. */
    allowance: AnonymousUploadAllowance;
  };
  /** Hears of every answered request. */
  observe(operation: string, http: number, seconds: number): void;
  /**
   * Turns an error into an answer: 503 when the database or the engine is unavailable, else 500 with the id of the
   * request.
   */
  failed(
    error: unknown,
    request: string | undefined,
  ): { http: number; code: string; text: string; retryAfterSeconds?: number };
}

const prefix = '/api/v2/';
/** Of a long answer no further part is read while so much of it waits to be taken. */
const readAheadBytes = 64 * 1024;

export const restApiMiddleware = (deps: RestDeps): Middleware => {
  const byPath = new Map(deps.operations.map((op) => [`${prefix}${op.name}.php`, op]));
  const unknown = unknownPathAnswer([...byPath.keys()]);
  return async (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) {
      await next();
      return;
    }
    const began = performance.now();
    const op = byPath.get(ctx.path);
    const answer = await orFailed(deps, ctx, op, () => (op ? serve(deps, ctx, op) : unknown(ctx.path)));
    drainRequestBody(ctx.req, ctx.res);
    await send(ctx, answer);
    deps.observe(op?.name ?? 'unknown', ctx.status, (performance.now() - began) / 1000);
  };
};

const serve = async (deps: RestDeps, ctx: Context, op: AnyOperation): Promise<OperationResponse> => {
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST');
    return buildRefusalResponse(op, '405', 'use POST', 405);
  }
  const entrance = createRequestAccessControl(deps, ctx, {
    endpoint: 'rest',
    action: op.name,
    permission: op.permission,
  });
  const unread = await entrance.refuseUnread(parseUrlEncodedForm(ctx.querystring));
  if (unread) return shutOut(ctx, op, unread);
  const place = deps.bodies.enter(entrance.address);
  try {
    return op.upload
      ? await serveUpload(deps, ctx, op, op.upload, entrance, place)
      : await serveBody(deps, ctx, op, entrance, place);
  } finally {
    place.leave();
  }
};

/** Its body is not wanted, and its connection is closed. */
const shutOut = (ctx: Context, op: AnyOperation, refused: AccessRefusal): OperationResponse => {
  if (ctx.req.complete) ctx.set('Connection', 'close');
  else drainRequestBody(ctx.req, ctx.res, briefBodyDrainLimits);
  return refuseAccess(op, refused);
};

const serveBody = async (
  deps: RestDeps,
  ctx: Context,
  op: AnyOperation,
  entrance: RequestAccessControl,
  place: BodyMemoryReservation,
): Promise<OperationResponse> => {
  const body = await readAndParseBody(ctx, deps.maxBodyBytes, senderOf(ctx, entrance, place));
  if (body.kind === 'refused') return refuseBody(ctx, op, body.why, deps.maxBodyBytes);
  if (body.kind === 'strange') return refuseStrange(ctx, op, body.shown, entrance);
  const provided = readRequestParams(op, body, sentWith(ctx));
  const caller = await entrance.admit(provided);
  if ('code' in caller) return refuseAccess(op, caller);
  return served(deps, ctx, op, { ...caller, provided, idempotency: keyOf(ctx) });
};

/** What the operation answers, unless the caller has too many answers that it does not read. */
const served = async (
  deps: RestDeps,
  ctx: Context,
  op: AnyOperation,
  request: Parameters<typeof runOperation>[1],
): Promise<OperationResponse> => {
  const refused = refuseWhileResponsesUnread(deps.answers, ctx, op);
  if (refused) return refused;
  return admitLongAnswer(deps, ctx, op, request, await runOperation(op, request, deps.services));
};

/** A token that has become good meanwhile is asked for once more. */
const refuseStrange = async (
  ctx: Context,
  op: AnyOperation,
  shown: Readonly<Record<string, unknown>>,
  entrance: RequestAccessControl,
): Promise<OperationResponse> => {
  const caller = await entrance.admit(mergeQueryTokensOverBody(shown, parseUrlEncodedForm(ctx.querystring)));
  return 'code' in caller ? refuseAccess(op, caller) : refuseNoRoom(ctx, op);
};

const senderOf = (
  ctx: Context,
  { recognise }: RequestAccessControl,
  place: BodyMemoryReservation,
): RequestSenderRecognizer =>
  new RequestSenderRecognizer({
    place,
    recognise,
    authorization: ctx.get('authorization'),
    fromQuery: parseUrlEncodedForm(ctx.querystring),
  });

const sentWith = (ctx: Context) => ({
  querystring: ctx.querystring,
  contentType: ctx.get('content-type'),
});

const keyOf = (ctx: Context): RequestIdempotencyKey | undefined =>
  idempotencyFromKey(ctx.get('idempotency-key') || undefined);

/** An operation may have one code for all refusals of access; a request too many is not one of them. */
const refuseAccess = (op: AnyOperation, { code, text, http }: AccessRefusal): OperationResponse =>
  op.accessRefusedAs === undefined || http === 429
    ? buildRefusalResponse(op, code, text, http)
    : buildRefusalResponse(op, op.accessRefusedAs, `${code}: ${text}`, http);

/** The same for a request with files, which are gone when it has been answered. */
const serveUpload = async (
  deps: RestDeps,
  ctx: Context,
  op: AnyOperation,
  rules: UploadRules,
  entrance: RequestAccessControl,
  place: BodyMemoryReservation,
): Promise<OperationResponse> => {
  if (isRequestBodyCompressed(ctx)) return refuseBody(ctx, op, 'encoded', deps.maxBodyBytes);
  let received: ReceivedBodyWithUploads | undefined;
  try {
    received = await receiveFor(deps, ctx, rules, entrance, place);
    const provided = readRequestParams(op, received.body, sentWith(ctx));
    const caller = await entrance.admit(provided);
    if ('code' in caller) return refuseAccess(op, caller);
    const uploads = await received.uploadsWith(provided);
    return await served(deps, ctx, op, { ...caller, provided, idempotency: keyOf(ctx), uploads });
  } catch (error) {
    if (!(error instanceof UploadRefused)) throw error;
    if (typeof error.why !== 'string') return refuseAccess(op, error.why);
    if (error.why === 'noRoom') return refuseNoRoom(ctx, op);
    return refuseUpload(op, rules, error.why, deps.uploads.maxBytes[rules.limit]);
  } finally {
    await received?.discard();
  }
};

const receiveFor = (
  deps: RestDeps,
  ctx: Context,
  rules: UploadRules,
  entrance: RequestAccessControl,
  place: BodyMemoryReservation,
): Promise<ReceivedBodyWithUploads> => {
  const { folder, maxBytes, allowance } = deps.uploads;
  const fromQuery = parseUrlEncodedForm(ctx.querystring);
  const sender = senderOf(ctx, entrance, place);
  return receiveUpload({
    // A request that is refused in the middle keeps its connection until it has been answered.
    source: ctx.req.iterator({ destroyOnReturn: false }),
    contentType: ctx.get('content-type'),
    contentLength: Number(ctx.get('content-length')) || undefined,
    rules,
    limits: { maxFileBytes: maxBytes[rules.limit], maxRestBytes: deps.maxBodyBytes },
    folder,
    allowance,
    sender,
    admit: async (soFar) => {
      const provided = mergeQueryTokensOverBody(soFar, fromQuery);
      if (!carriesApiToken(provided, ctx.get('authorization'))) return 'unknown';
      const caller = await entrance.admit(provided);
      if ('code' in caller) return caller;
      sender.admitted(caller);
      return 'known';
    },
  });
};

const refuseBody = (
  ctx: Context,
  op: AnyOperation,
  why: Extract<Body, { kind: 'refused' }>['why'],
  maxBytes: number,
): OperationResponse => {
  if (why === 'tooLarge')
    return buildRefusalResponse(op, '413', `the body is larger than ${maxBytes} bytes`, 413);
  if (why === 'encoded') return buildRefusalResponse(op, '415', 'compressed bodies are not taken', 415);
  if (why === 'noRoom') return refuseNoRoom(ctx, op);
  if (why === 'manyNames')
    return buildRefusalResponse(op, '100', `the body has more than ${maxJsonKeys} names`);
  return buildRefusalResponse(op, '100', 'the body is neither JSON nor a form');
};

const refuseNoRoom = (ctx: Context, op: AnyOperation): OperationResponse => {
  ctx.set('Retry-After', '2');
  return buildRefusalResponse(op, '503', tooManyLargeRequestsText, 503);
};

/** What was thrown becomes an answer, too. */
const orFailed = async (
  deps: RestDeps,
  ctx: Context,
  op: AnyOperation | undefined,
  work: () => Promise<OperationResponse> | OperationResponse,
): Promise<OperationResponse> => {
  try {
    return await work();
  } catch (error) {
    const { http, code, text, retryAfterSeconds } = deps.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    return buildRefusalResponse(op, code, text, http);
  }
};

const send = async (ctx: Context, answer: OperationResponse): Promise<void> => {
  ctx.status = answer.http;
  if (answer.replayed) ctx.set('Idempotency-Replayed', 'true');
  if (answer.sandbox) ctx.set('Ramal-Sandbox', 'true');
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (!isStream(answer.body)) {
    ctx.body = JSON.stringify(answer.body);
    return;
  }
  // Counted in bytes: sixteen parts of a thousand records would be read ahead of a client that takes none.
  const stream = Readable.from(answer.body, { objectMode: false, highWaterMark: readAheadBytes });
  // A long answer that breaks off must look broken: half a JSON text and a closed connection.
  stream.once('error', () => ctx.res.destroy());
  ctx.body = stream;
};
