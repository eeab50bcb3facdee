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

type Say = (fields: object, message: string) => void;

/**
 * 503 on a bad day, of which the log tells when it tells everything; otherwise 500 with an incident id, under which it
 * has the rest. `incident`: the id of the request, where it is known.
 */
export const failed = (
  error: unknown,
  log: { error: Say; debug: Say },
  incident = randomBytes(6).toString('hex'),
): Failed => {
  if (error instanceof Unavailable) {
    return { http: 503, code: '503', text: error.message, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (isAway(error)) {
    log.debug({ err: error }, 'the database cannot serve a request now');
    return { http: 503, code: '503', text: 'the database cannot serve this now', retryAfterSeconds: 2 };
  }
  log.error({ err: error, incident }, 'a request failed');
  return { http: 500, code: '500', text: `internal error, incident ${incident}` };
};
