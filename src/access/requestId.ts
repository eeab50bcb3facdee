/** Every request has an id: it stands in its answer as `X-Request-Id`, and in the log where something went wrong. */
import { randomFillSync } from 'node:crypto';
import type { Context } from 'koa';

const bytesOfOne = 6;
/** Random bytes for many ids at a time: asking for them costs more than they do. */
const pool = Buffer.alloc(bytesOfOne * 512);
let next = pool.length;

/** 12 hexadecimal digits that tell nothing: not how many requests there were, nor which came before. */
const newRequestId = (): string => {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  next += bytesOfOne;
  return pool.toString('hex', next - bytesOfOne, next);
};

/** Gives a request its id, and its answer the header. */
export const assignRequestId = ({ state, res }: Pick<Context, 'state' | 'res'>): void => {
  const id = newRequestId();
  state['requestId'] = id;
  res.setHeader('X-Request-Id', id);
};

/** Undefined: the request did not come through the service's own server. */
export const requestIdOf = ({ state }: Pick<Context, 'state'>): string | undefined =>
  state['requestId'] as string | undefined;
