/** Answers that are read page by page while they are sent: who may have one, and how fast it goes. */
import { finished } from 'node:stream';
import type { Context } from 'koa';
import {
  type ResponseCapacity,
  type Full,
  getResponseOwner,
  unreadAnswersRetryAfterSeconds,
  responseCapacityRefusalTexts,
} from '../access/unsentResponseLimits.ts';
import { takeRateLimitTurnForNextPage } from '../access/authenticateAndRateLimit.ts';
import { accessErrors } from '../access/authenticate.ts';
import { type AnyOperation, type ApiClientIdentity } from '../operations/declare.ts';
import { type OperationResponse, buildRefusalResponse } from '../operations/run.ts';
import type { RateLimitsAndLockouts } from '../providers/contracts/rateLimitsAndLockouts.ts';

export interface StreamedResponseLimits {
  answers: ResponseCapacity;
  limits: RateLimitsAndLockouts;
}

/**
 * A refusal when the caller has too much before it that is not taken; of reads only: what creates something is not
 * refused.
 */
export const refuseWhileResponsesUnread = (
  room: ResponseCapacity,
  ctx: Context,
  op: AnyOperation,
): OperationResponse | undefined => {
  if (op.creates) return undefined;
  const full = room.full(getResponseOwner(ctx) ?? '');
  return full && refuse(ctx, op, full);
};

/**
 * An answer as it is sent. A long one gets a place until its connection has let go of it, and its first page is read
 * before anything is sent: a database that is away is an honest 503.
 */
export const admitLongAnswer = async (
  needs: StreamedResponseLimits,
  ctx: Context,
  op: AnyOperation,
  caller: ApiClientIdentity,
  answer: OperationResponse,
): Promise<OperationResponse> => {
  if (!isStream(answer.body)) return answer;
  const leave = await needs.answers.enterLong(getResponseOwner(ctx) ?? '');
  if (typeof leave === 'string') return refuse(ctx, op, leave);
  try {
    const body = await pagesOf(answer.body, () => takeRateLimitTurnForNextPage(needs.limits, caller, ctx));
    finished(ctx.res, leave);
    return { ...answer, body };
  } catch (error) {
    leave();
    throw error;
  }
};

export const isStream = (body: OperationResponse['body']): body is AsyncIterable<string> =>
  Symbol.asyncIterator in body;

const refuse = (ctx: Context, op: AnyOperation, full: Full): OperationResponse => {
  ctx.set('Retry-After', String(unreadAnswersRetryAfterSeconds));
  const { code, http } = full === 'all' ? { code: '503', http: 503 } : accessErrors.tooMany;
  return buildRefusalResponse(op, code, responseCapacityRefusalTexts[full], http);
};

/** The first page is there when this settles; each further one waits for its turn. */
const pagesOf = async (
  source: AsyncIterable<string>,
  turn: () => Promise<void>,
): Promise<AsyncIterable<string>> => {
  const pages = source[Symbol.asyncIterator]();
  const first = await pages.next();
  return (async function* () {
    try {
      for (let page = first; !page.done;) {
        yield page.value;
        page = await pages.next();
        if (!page.done) await turn();
      }
    } finally {
      await pages.return?.();
    }
  })();
};
