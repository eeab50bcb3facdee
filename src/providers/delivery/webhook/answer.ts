/** What a receiver's answer to a callback means: only 2xx says that it is there. */
import { retryAfterMs } from '../../../lib/retryAfter.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Throws `NotRetryable('gone')` for 410, `Retryable` for everything else but 2xx. `now`: epoch milliseconds. */
export const checkWebhookResponse = (status: number, headers: Headers, now: number): void => {
  if (status >= 200 && status < 300) return;
  if (status === 410) throw new NotRetryable('gone', 'it says that it is gone for good (HTTP 410)');
  if (status >= 300 && status < 400)
    throw new Retryable(`it redirects (HTTP ${status}), which is not followed`);
  const afterMs = asksForTime.has(status) ? retryAfterMs(headers['retry-after'], now) : undefined;
  throw new Retryable(`it answered HTTP ${status}`, afterMs === undefined ? {} : { afterMs });
};

/** Answers whose `Retry-After` is honoured. */
const asksForTime: ReadonlySet<number> = new Set([429, 503]);
