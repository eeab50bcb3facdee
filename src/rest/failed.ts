/** What a caller hears when it is not the caller's fault. */
import { randomBytes } from 'node:crypto';
import { Unavailable } from '../engine/verbs.ts';
import { isAway } from '../store/away.ts';

export interface Failed {
  http: number;
  code: string;
  text: string;
  retryAfterSeconds?: number;
}

/** 503 on a bad day; otherwise 500 with an incident id, under which the log has the rest. */
export const failed = (error: unknown, log: { error(fields: object, message: string): void }): Failed => {
  if (error instanceof Unavailable) {
    return { http: 503, code: '503', text: error.message, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (isAway(error)) return { http: 503, code: '503', text: 'the database is away', retryAfterSeconds: 2 };
  const incident = randomBytes(6).toString('hex');
  log.error({ err: error, incident }, 'a request failed');
  return { http: 500, code: '500', text: `internal error, incident ${incident}` };
};
