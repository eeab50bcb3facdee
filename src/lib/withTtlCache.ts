/** Believes an answer for a while, so that a question asked for every call is looked up now and then. */
import { lruOf } from './lru.ts';

export interface CacheForOptions<Question> {
  keyOf: (question: Question) => string | number;
  /** Milliseconds of any clock. */
  now: () => number;
  /** How long an answer is believed, milliseconds. */
  forMs: number;
  /** Answers kept at most; what was longest unused goes first. Default 10,000. */
  most?: number;
}

/** The same lookup, with a memory. Failures are not remembered. */
export const withTtlCache = <Question, Answer>(
  lookUp: (question: Question) => Promise<Answer>,
  { keyOf, now, forMs, most = 10_000 }: CacheForOptions<Question>,
): ((question: Question) => Promise<Answer>) => {
  const known = lruOf<string | number, { answer: Promise<Answer>; since: number }>(most);
  return (question) => {
    const key = keyOf(question);
    const believed = known.get(key);
    const at = now();
    // A clock that was set back is no reason to believe for longer.
    if (believed && believed.since <= at && at < believed.since + forMs) return believed.answer;
    const answer = lookUp(question);
    known.set(key, { answer, since: at });
    answer.catch(() => known.get(key)?.answer === answer && known.delete(key));
    return answer;
  };
};
