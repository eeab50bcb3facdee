/** Runs one operation for one caller: read the parameters, hand them over, turn what comes back into an answer. */
import * as envelope from '../wire/envelope.ts';
import {
  type AnyOperation,
  type Caller,
  type DeclaredError,
  type Idempotency,
  type Param,
  Refused,
  type Success,
} from './declare.ts';
import { parseParams } from './parse.ts';
import type { Services } from './services.ts';
import { noUploads, type Uploads } from './upload.ts';

/** What a door sends back. */
export interface Answer {
  http: number;
  body: Readonly<Record<string, unknown>> | AsyncIterable<string>;
  replayed?: boolean;
  /** Nobody outside was reached. */
  sandbox?: boolean;
}

export interface Request extends Caller {
  given: Readonly<Record<string, unknown>>;
  idempotency?: Idempotency | undefined;
  /** A sentence for a value that cannot be read. Default: by the REST name. */
  wrong?(param: Param, wish: string): string;
  /** Absent: nothing was uploaded. */
  uploads?: Uploads;
}

/** Throws `Unavailable` and bugs; everything a caller can mend is an answer. */
export const runOperation = async (
  op: AnyOperation,
  request: Request,
  services: Services,
): Promise<Answer> => {
  const parsed = parseParams(op.params, request.given);
  if ('wrong' in parsed)
    return wrongValue(
      op,
      request.given,
      parsed.wrong,
      (request.wrong ?? byRestName)(parsed.wrong, parsed.wish),
    );
  const warnings: string[] = [];
  let sandbox = false;
  const outcome = await orRefused(
    op.handle({
      account: request.account,
      token: request.token,
      ...(request.uploads ?? noUploads),
      params: parsed.values,
      given: parsed.given,
      services,
      warnings,
      warn: (sentence) => void warnings.push(sentence),
      inSandbox: () => void (sandbox = true),
      refuse: (word, text, fields) => new Refused(word, text, fields),
      idempotency: op.creates ? request.idempotency : undefined,
    }),
  );
  const answered = outcome instanceof Refused ? declared(op, outcome) : answer(op, outcome, warnings);
  return sandbox ? { ...answered, sandbox } : answered;
};

const byRestName = ({ rest }: Param, wish: string): string => `${rest} ${wish}`;

/** A value that cannot be read: a filter finds nothing, others are refused, with a code of their own or 299. */
const wrongValue = (
  op: AnyOperation,
  given: Request['given'],
  { filter, refusedAs }: Param,
  sentence: string,
): Answer => {
  if (filter && op.nothing) return answer(op, op.nothing(given), []);
  return refusedAs === undefined
    ? refusal(op, '299', sentence)
    : declared(op, new Refused(refusedAs, sentence));
};

/** A failure of this operation that is not its own: authentication, limits, 4xx and 5xx of the door. */
export const refusal = (op: AnyOperation | undefined, code: string, text: string, http = 400): Answer => ({
  http,
  body: envelope.failure(code, text, op?.failure, op?.numericCodes),
});

/** A refusal under one of the operation's own words, given by the door. */
export const declaredRefusal = (op: AnyOperation, word: string, text: string, http: number): Answer => ({
  ...declared(op, new Refused(word, text)),
  http,
});

const answer = (
  { numericCodes, successHttp }: AnyOperation,
  success: Success,
  warnings: readonly string[],
): Answer => ({
  http: successHttp ?? 200,
  body:
    success.stream ?? envelope.success(success.fields ?? {}, success.beside ?? {}, warnings, numericCodes),
  ...(success.replayed && { replayed: true }),
});

const declared = (op: AnyOperation, refused: Refused): Answer => {
  const error = (op.errors as Record<string, DeclaredError>)[refused.word]!;
  const text = sayingNo(refused.message, error.text);
  const fields = { ...op.failure.fields, ...error.fields?.(text), ...refused.fields };
  return {
    http: error.http ?? 400,
    body: envelope.failure(error.code, text, { fields, beside: op.failure.beside }, op.numericCodes),
    ...(refused.replayed && { replayed: true }),
  };
};

/** Providers may call a failure OK, or say nothing of it; a status that does is no failure's (spec 4.0). */
const sayingNo = (said: string, declaredText: string): string => {
  if (said.trim().toUpperCase() === 'OK') return `${declaredText} (the provider says "${said.trim()}")`;
  return said || declaredText;
};

/** Handlers may return a refusal or throw it from a step further down. */
const orRefused = async (handled: Promise<Success | Refused>): Promise<Success | Refused> => {
  try {
    return await handled;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
};
