/** What a caller hears when it is not the caller's fault. */
import { randomBytes } from 'node:crypto';
import { Unavailable, UnknownShard } from '../engine/contract/api.ts';
import { isTransientDatabaseError } from '../store/transientError.ts';

export interface ServerErrorAnswer {
  http: number;
  code: string;
  text: string;
  retryAfterSeconds?: number;
}

type Say = (fields: object, message: string) => void;

/**
 * 503 when the database or the engine is unavailable, which the log has at level debug; otherwise 500 with an incident
 * id, under which the log has the error. `incident`: the id of the request, where it is known.
 */
export const answerForThrownError = (
  error: unknown,
  log: { error: Say; debug: Say },
  incident = randomBytes(6).toString('hex'),
): ServerErrorAnswer => {
  if (error instanceof Unavailable) {
    return { http: 503, code: '503', text: error.message, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (isTransientDatabaseError(error)) {
    log.debug({ err: error }, 'the database cannot serve a request now');
    return { http: 503, code: '503', text: 'the database cannot serve this now', retryAfterSeconds: 2 };
  }
  log.error({ err: error, incident }, 'a request failed');
  return { http: 500, code: '500', text: `internal error, incident ${incident}` };
};

/** Between two lines about one shard, milliseconds. */
const toldAgainMs = 60_000;

/** Tells the log of accounts whose shard `SHARDS` lacks: once a minute for each shard, however often they ask. */
export const logAccountsOfUnknownShards = (
  log: { error: Say },
  now: () => number,
): ((error: unknown) => void) => {
  const told = new Map<string, number>();
  return (error) => {
    if (!(error instanceof UnknownShard)) return;
    const { shard } = error;
    if (now() - (told.get(shard) ?? -Infinity) < toldAgainMs) return;
    told.set(shard, now());
    log.error({ shard }, 'accounts are of a shard that SHARDS does not name: they are answered 503');
  };
};
