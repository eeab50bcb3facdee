/** A token bucket: so many requests a second in the long run, and a burst at once. Pure. */

export interface Rate {
  /** Requests a second. */
  perSecond: number;
  /** Requests at once, at most. */
  burst: number;
}

/** How full a bucket is. */
export interface RateLimitBucket {
  tokens: number;
  /** When it was so, milliseconds. */
  at: number;
}

export interface RateLimitDecision {
  bucket: RateLimitBucket;
  allowed: boolean;
  /** Whole requests that may follow at once. */
  remaining: number;
  /** Until the next request is allowed, milliseconds; 0 when it is now. */
  retryAfterMs: number;
  /** Until the bucket is full again, milliseconds. */
  resetMs: number;
}

/** Takes one. `bucket`: undefined for one that was never used, or was forgotten because it was full. */
export const takeRateLimitToken = (
  bucket: RateLimitBucket | undefined,
  { perSecond, burst }: Rate,
  now: number,
): RateLimitDecision => {
  const elapsed = bucket ? Math.max(0, now - bucket.at) : 0;
  const filled = bucket ? Math.min(burst, bucket.tokens + (elapsed * perSecond) / 1000) : burst;
  const allowed = filled >= 1;
  const tokens = allowed ? filled - 1 : filled;
  return {
    bucket: { tokens, at: now },
    allowed,
    remaining: Math.floor(tokens),
    retryAfterMs: allowed ? 0 : Math.ceil(((1 - filled) * 1000) / perSecond),
    resetMs: Math.ceil(((burst - tokens) * 1000) / perSecond),
  };
};
