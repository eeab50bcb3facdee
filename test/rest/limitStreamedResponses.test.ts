/** What a long answer costs the token that asked for it. */
import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { beforeEach, describe, expect, it } from 'vitest';
import { ResponseCapacity, setResponseOwner } from '../../src/access/unsentResponseLimits.ts';
import type { AnyOperation, ApiClientIdentity } from '../../src/operations/declare.ts';
import { GetCallStatusOperation } from '../../src/operations/voice/GetCallStatus.ts';
import type { OperationResponse } from '../../src/operations/run.ts';
import type { RateLimitsAndLockouts } from '../../src/providers/contracts/rateLimitsAndLockouts.ts';
import { inMemoryRequestLimits } from '../../src/providers/rateLimitsAndLockouts/memory.ts';
import { admitLongAnswer } from '../../src/rest/limitStreamedResponses.ts';
import { eventually } from '../helpers/patience.ts';

const op = GetCallStatusOperation as AnyOperation;
const caller = { token: { account_id: 3, id: 1, requests_per_second: 10 } } as ApiClientIdentity;
const aContext = () => {
  const headers: Record<string, string> = {};
  const ctx = {
    state: {},
    res: new PassThrough(),
    set: (name: string, value: string) => void (headers[name] = value),
  } as unknown as Context;
  setResponseOwner(ctx, '3.1');
  return { ctx, headers };
};

let read = 0;
/** Pages that are counted when they are read. */
async function* pages(count: number): AsyncGenerator<string> {
  for (let page = 0; page < count; page += 1) {
    read += 1;
    yield `page ${page} `;
  }
}
const answerOf = (count: number): OperationResponse => ({ http: 200, body: pages(count) });

let now: number;
let taken: number;
let limits: RateLimitsAndLockouts;
const needs = (answers = new ResponseCapacity()) => ({ answers, limits });
beforeEach(() => {
  [read, now, taken] = [0, 0, 0];
  const memory = inMemoryRequestLimits({ now: () => now });
  limits = {
    ...memory,
    take: (key, rate) => {
      taken += 1;
      return memory.take(key, rate);
    },
  };
});

const readAll = async (answer: OperationResponse): Promise<string> => {
  let text = '';
  for await (const part of answer.body as AsyncIterable<string>) text += part;
  return text;
};

describe('a long answer', () => {
  it('costs its token a request a page beyond the first, and is read no faster than it is taken', async () => {
    const answer = await admitLongAnswer(needs(), aContext().ctx, op, caller, answerOf(5));
    expect([read, taken]).toEqual([1, 0]);
    expect(await readAll(answer)).toBe('page 0 page 1 page 2 page 3 page 4 ');
    expect([read, taken]).toEqual([5, 4]);
  });

  it('waits for the allowance of its token, and goes on with it', async () => {
    const answer = await admitLongAnswer(needs(), aContext().ctx, op, caller, answerOf(25));
    const whole = readAll(answer);
    // Twice the rate at once: after 21 pages the allowance is used up.
    await eventually(() => expect(taken).toBeGreaterThan(21));
    expect(read).toBe(22);
    now += 1_000;
    expect((await whole).endsWith('page 24 ')).toBe(true);
  });

  it('ends when its caller goes away while it waits', async () => {
    const { ctx } = aContext();
    const answer = await admitLongAnswer(needs(), ctx, op, caller, answerOf(25));
    ctx.res.destroy();
    await expect(readAll(answer)).rejects.toThrow('no turn came for the next page');
  });

  it('gives its place back when its connection lets go of it, and at once when its first page fails', async () => {
    const answers = new ResponseCapacity({ long: { ofOne: 1, inAll: 2 }, waiting: 0 });
    const { ctx } = aContext();
    await admitLongAnswer(needs(answers), ctx, op, caller, answerOf(2));
    const beyond = aContext();
    const refused = await admitLongAnswer(needs(answers), beyond.ctx, op, caller, answerOf(2));
    expect(refused).toMatchObject({ http: 429, body: { return: { status_code: '429' }, calls: [] } });
    expect(beyond.headers).toEqual({ 'Retry-After': '2' });
    ctx.res.destroy();
    await eventually(async () =>
      expect(await admitLongAnswer(needs(answers), aContext().ctx, op, caller, answerOf(1))).toMatchObject({
        http: 200,
      }),
    );
    // The connection is gone before it had its answer.
    const gone = new ResponseCapacity({ long: { ofOne: 1, inAll: 1 }, waiting: 0 });
    const left = aContext();
    left.ctx.res.destroy();
    await admitLongAnswer(needs(gone), left.ctx, op, caller, answerOf(1));
    await eventually(async () => expect(await gone.enterLong('3.1')).toBeTypeOf('function'));
  });
});
