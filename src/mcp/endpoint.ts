/**
 * The tool door: `POST /mcp` (spec 4.1). JSON-RPC for plain callers, and a server of the Model Context Protocol at the
 * same address; nothing is remembered between requests. Who may come in is asked before anything is read.
 */
import { finished } from 'node:stream';
import type { Context, Middleware } from 'koa';
import {
  createRequestAccessControl,
  type RequestAccessControlDeps,
  takeRateLimitTurnForNextPage,
} from '../access/authenticateAndRateLimit.ts';
import {
  type ResponseCapacity,
  type Full,
  getResponseOwner,
  unreadAnswersRetryAfterSeconds,
  responseCapacityRefusalTexts,
} from '../access/unsentResponseLimits.ts';
import type { AccessRefusal } from '../access/authenticate.ts';
import type { ApiClientIdentity } from '../operations/declare.ts';
import type { BodyMemoryBudget } from '../access/bodyMemoryBudget.ts';
import { clientAddress } from '../access/clientAddress.ts';
import { requestIdOf } from '../access/requestId.ts';
import { setAccessRecord, accessRecordOf } from '../access/accessRecord.ts';
import { briefBodyDrainLimits, drainRequestBody } from '../rest/drainRefusedRequestBody.ts';
import { readBodyText, type UnreadBodyReason } from './body.ts';
import { parseJsonRpcMessage, type JsonRpcId, type RpcError, rpcCodes } from './parseJsonRpcMessage.ts';
import { answerMcpRequest, type McpServerDeps } from './protocolMethods.ts';
import { detectMcpEra } from './protocolRevision.ts';
import { readToolFilter } from './toolFilter.ts';
import { type OriginCheckSettings, foreignOriginRefusal } from './originCheck.ts';
import { toolFailure, type LongAnswerLimiter, type ToolOutcome } from './tool.ts';

export interface ToolEndpointDeps
  extends RequestAccessControlDeps, OriginCheckSettings, Pick<McpServerDeps, 'tools' | 'version'> {
  maxBodyBytes: number;
  /** What bodies may take of the memory while they come in. */
  bodies: BodyMemoryBudget;
  answers: ResponseCapacity;
  /** Hears of every answered request. */
  observe(http: number, seconds: number): void;
  observeTool: McpServerDeps['observe'];
  /**
   * Turns an error into an answer: 503 when the database or the engine is unavailable, else 500 with the id of the
   * request.
   */
  failed(
    error: unknown,
    request: string | undefined,
  ): { http: number; code: string; text: string; retryAfterSeconds?: number };
}

interface Answer {
  http: number;
  /** Undefined: no body. */
  body?: object;
}

const path = '/mcp';

export const mcpEndpointMiddleware =
  (deps: ToolEndpointDeps): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== path && ctx.path !== `${path}/`) {
      await next();
      return;
    }
    const began = performance.now();
    const { http, body } = await orFailed(deps, ctx, () => serve(deps, ctx));
    drainRequestBody(ctx.req, ctx.res);
    ctx.status = http;
    ctx.body = body === undefined ? null : JSON.stringify(body);
    ctx.status = http;
    if (body !== undefined) ctx.type = 'application/json; charset=utf-8';
    deps.observe(http, (performance.now() - began) / 1000);
  };

const serve = async (deps: ToolEndpointDeps, ctx: Context): Promise<Answer> => {
  const stranger = foreignOriginRefusal(ctx.req, deps);
  if (stranger !== undefined) return refused(403, stranger);
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST');
    return refused(405, 'use POST');
  }
  const caller = await createRequestAccessControl(deps, ctx, { endpoint: 'tools', action: 'mcp' }).admit({});
  if ('code' in caller) {
    drainRequestBody(ctx.req, ctx.res, briefBodyDrainLimits);
    return refuseAccess(ctx, caller);
  }
  const place = deps.bodies.enter(clientAddress(ctx.req, deps.trustedProxies));
  try {
    place.know(caller.account.id);
    const text = await readBodyText(ctx.req, deps.maxBodyBytes, place);
    return typeof text === 'string'
      ? refuseBody(deps, ctx, text)
      : await answer(deps, ctx, caller, text.text);
  } finally {
    place.leave();
  }
};

const refuseBody = (deps: ToolEndpointDeps, ctx: Context, why: UnreadBodyReason): Answer => {
  if (why === 'encoded') return refused(415, 'compressed bodies are not taken');
  if (why === 'tooLarge') return refused(413, `the body is larger than ${deps.maxBodyBytes} bytes`);
  ctx.set('Retry-After', '2');
  return refused(503, 'too many large bodies come in at a time: try again in 2 s');
};

const answer = async (
  deps: ToolEndpointDeps,
  ctx: Context,
  caller: ApiClientIdentity,
  text: string,
): Promise<Answer> => {
  const message = parseJsonRpcMessage(text);
  if (message.kind === 'notification') return { http: 202 };
  if (message.kind === 'broken') return rpcError(message.id, message.error);
  const { id, method, params } = message;
  const era = detectMcpEra({ method, params, header: (name) => ctx.get(name) });
  if (typeof era !== 'string') return rpcError(id, era);
  const toolFilter = readToolFilter(new URLSearchParams(ctx.querystring));
  if (typeof toolFilter === 'string') return rpcError(id, { ...badAddress, message: toolFilter });
  const reply = await answerMcpRequest(protocolOf(deps, ctx), {
    ...{ method, params, era, caller, toolFilter },
    signal: whenLeft(ctx),
    long: longOutcome(deps, ctx, caller),
  });
  return 'error' in reply
    ? rpcError(id, reply.error)
    : { http: 200, body: { jsonrpc: '2.0', id, result: reply.result } };
};

/** Aborted when the caller goes away before it is answered. */
const whenLeft = ({ res }: Context): AbortSignal => {
  const leaving = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) leaving.abort(new Error('the caller went away'));
  });
  return leaving.signal;
};

const longOutcome = (
  { answers, limits }: ToolEndpointDeps,
  ctx: Context,
  caller: ApiClientIdentity,
): LongAnswerLimiter => {
  const owner = getResponseOwner(ctx) ?? '';
  const refuse = (full: Full): ToolOutcome => {
    ctx.set('Retry-After', String(unreadAnswersRetryAfterSeconds));
    return toolFailure(full === 'own' ? 429 : 503, responseCapacityRefusalTexts[full]);
  };
  return {
    refused: () => {
      const full = answers.full(owner);
      return full && refuse(full);
    },
    enter: async () => {
      const leave = await answers.enterLong(owner);
      if (typeof leave === 'string') return refuse(leave);
      finished(ctx.res, leave);
      return undefined;
    },
    turn: () => takeRateLimitTurnForNextPage(limits, caller, ctx),
  };
};

const badAddress = { http: 400, code: rpcCodes.invalidRequest };

/** A tool that fails is an outcome that an assistant can read, not a broken connection. */
const protocolOf = (deps: ToolEndpointDeps, ctx: Context): McpServerDeps => ({
  tools: deps.tools,
  version: deps.version,
  observe: (tool, result, seconds) => {
    const record = accessRecordOf(ctx);
    if (record)
      setAccessRecord(ctx, {
        ...record,
        action: tool,
        ...(result === 'denied' && { outcome: 403, code: '403' }),
      });
    deps.observeTool(tool, result, seconds);
  },
  failed: (error) => {
    const { code, text, retryAfterSeconds } = deps.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds === undefined) return toolFailure(Number(code), text);
    ctx.set('Retry-After', String(retryAfterSeconds));
    return toolFailure(Number(code), `${text}: try again in ${retryAfterSeconds} s`);
  },
});

const refuseAccess = (ctx: Context, { code, text, http }: AccessRefusal): Answer => {
  if (http === 401) ctx.set('WWW-Authenticate', 'Bearer');
  return rpcError(null, { http, code: Number(code), message: text });
};

const refused = (http: number, message: string): Answer =>
  rpcError(null, { http, code: rpcCodes.invalidRequest, message });

const rpcError = (id: JsonRpcId | null, { http, code, message, data }: RpcError): Answer => ({
  http,
  body: { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } },
});

const orFailed = async (
  deps: ToolEndpointDeps,
  ctx: Context,
  served: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await served();
  } catch (error) {
    const { http, text, retryAfterSeconds } = deps.failed(error, requestIdOf(ctx));
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
    return rpcError(null, { http, code: rpcCodes.internal, message: text });
  }
};
