/** Sends a request until it is answered: once carried out, however often it is sent. */
import { type OperationName, RamalError, UnexpectedAnswer } from './errors.ts';
import { operationFacts, type Operations } from './operations.ts';
import type { ClientOptions, UploadOptions } from './options.ts';
import { buildRequestBody } from './requestBody.ts';

/** One attempt: an answer, or why there is none. */
type Attempt<Name extends OperationName> =
  | { answer: Operations[Name]['answer'] }
  | { failed: RamalError<Name> | UnexpectedAnswer }
  | { lost: unknown };

export class Transport {
  readonly #options: Required<ClientOptions>;

  constructor({
    retries = 4,
    timeoutMs = 60_000,
    maxWaitMs = 30_000,
    fetch: own = fetch,
    ...options
  }: ClientOptions) {
    this.#options = { ...options, retries, timeoutMs, maxWaitMs, fetch: own };
  }

  /** Calls an operation by its name, as the methods do. */
  async call<Name extends OperationName>(
    operation: Name,
    params: Operations[Name]['params'],
    options: UploadOptions = {},
  ): Promise<Operations[Name]['answer']> {
    const { repeats } = operationFacts[operation];
    const key = options.idempotencyKey ?? (repeats === 'byKey' ? crypto.randomUUID() : undefined);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(operation, params, options, key);
      if ('answer' in outcome) return outcome.answer;
      const waitMs = attempt > this.#options.retries ? undefined : this.#waitMs(operation, outcome, attempt);
      if (waitMs === undefined) throw 'lost' in outcome ? outcome.lost : outcome.failed;
      await pause(waitMs, options.signal);
    }
  }

  async #attempt<Name extends OperationName>(
    operation: Name,
    params: Operations[Name]['params'],
    options: UploadOptions,
    key: string | undefined,
  ): Promise<Attempt<Name>> {
    const { url, token, timeoutMs, fetch: ask } = this.#options;
    const { body, type } = buildRequestBody(operation, params, options);
    const within = AbortSignal.timeout(timeoutMs);
    try {
      const response = await ask(`${url.replace(/\/+$/, '')}/api/v2/${operation}.php`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          ...(type !== undefined && { 'Content-Type': type }),
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
        body,
        signal: options.signal ? AbortSignal.any([options.signal, within]) : within,
      });
      return read(operation, response, await response.text());
    } catch (error) {
      options.signal?.throwIfAborted();
      return { lost: error };
    }
  }

  /** Until the next attempt; undefined: there is none. */
  #waitMs<Name extends OperationName>(
    operation: Name,
    outcome: Exclude<Attempt<Name>, { answer: unknown }>,
    attempt: number,
  ): number | undefined {
    if (!mayRepeat(operation, outcome)) return undefined;
    const said =
      'failed' in outcome && outcome.failed instanceof RamalError
        ? outcome.failed.retryAfterSeconds
        : undefined;
    const usual = 500 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const waitMs = Math.max(usual, (said ?? 0) * 1000);
    return waitMs > this.#options.maxWaitMs ? undefined : waitMs;
  }
}

/** 429 was not carried out; what became of the others is known only where a repetition does no harm. */
const mayRepeat = <Name extends OperationName>(
  operation: Name,
  outcome: Exclude<Attempt<Name>, { answer: unknown }>,
): boolean => {
  const harmless = operationFacts[operation].repeats !== 'never';
  if ('lost' in outcome) return harmless;
  const { http } = outcome.failed;
  return http === 429 || (harmless && [502, 503, 504].includes(http));
};

const read = <Name extends OperationName>(
  operation: Name,
  response: Response,
  text: string,
): Attempt<Name> => {
  const answer = readJson(text);
  const outcome = answer?.return;
  if (!outcome) return { failed: new UnexpectedAnswer(operation, response.status, text) };
  if (response.ok) return { answer: answer as unknown as Operations[Name]['answer'] };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const failure = {
    code: outcome.status_code as Operations[Name]['code'],
    text: outcome.status,
    http: response.status,
    answer,
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
  return { failed: new RamalError(operation, failure) };
};

const readJson = (text: string): { return?: { status: string; status_code: unknown } } | undefined => {
  try {
    return JSON.parse(text) as { return?: { status: string; status_code: unknown } };
  } catch {
    return undefined;
  }
};

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
