/** Runs one operation for one caller: read the parameters, hand them over, turn what comes back into an answer. */
import * as envelope from '../wire/envelope.ts';
import { assertAbsenceCertain } from './absence.ts';
import type { AnyOperation, ApiClientIdentity, RequestIdempotencyKey, OperationSuccess } from './declare.ts';
import { misspeltIn } from './misspelt.ts';
import { idleParameterWarnings } from './ignoredParamWarnings.ts';
import { parseParams, type InvalidParam } from './parse.ts';
import type { Services } from './services.ts';
import { noRequestUploads, type RequestUploads } from './operationUploadTypes.ts';
import type { ParamDeclaration } from './param.ts';
import { type DeclaredError, Refused } from './refused.ts';

/** What a door sends back. */
export interface OperationResponse {
  http: number;
  body: Readonly<Record<string, unknown>> | AsyncIterable<string>;
  replayed?: boolean;
  /** A sandbox was used: no real recipient was reached. */
  sandbox?: boolean;
}

export interface OperationRequest extends ApiClientIdentity {
  provided: Readonly<Record<string, unknown>>;
  idempotency?: RequestIdempotencyKey | undefined;
  /** A sentence for a value that cannot be read. Default: by the REST name. */
  wrong?(param: ParamDeclaration, wish: string): string;
  /** Absent: nothing was uploaded. */
  uploads?: RequestUploads;
}

/** Throws `Unavailable` and bugs; everything a caller can mend is an answer. */
export const runOperation = async (
  op: AnyOperation,
  request: OperationRequest,
  services: Services,
): Promise<OperationResponse> => {
  const misspelt = misspeltIn(op, request.provided);
  const parsed = parseParams(op.params, request.provided, op.nothing !== undefined);
  const sentenceOf = ({ wrong, wish }: InvalidParam): string => (request.wrong ?? byRestName)(wrong, wish);
  if ('wrong' in parsed) return wrongValue(op, parsed.wrong, sentenceOf(parsed), misspelt);
  // A door may tell of a filter that finds nothing because it cannot be read.
  if (parsed.unread) sentenceOf(parsed.unread);
  const handle = (parsed.unread && op.nothing) ?? op.handle;
  const warnings: string[] = [];
  let sandbox = false;
  const outcome = await orRefused(
    handle({
      account: request.account,
      token: request.token,
      ...(request.uploads ?? noRequestUploads),
      params: parsed.values,
      provided: parsed.provided,
      services,
      warnings,
      warn: (sentence) => void warnings.push(sentence),
      inMode: (mode, seen, values = parsed.values) => {
        const provided = [...parsed.provided, ...spilledOf(op, request)];
        if (op.modes)
          warnings.push(
            ...idleParameterWarnings(op.modes, { params: op.params, provided, values, mode, seen }),
          );
      },
      inSandbox: () => void (sandbox = true),
      refuse: (word, text, fields) => new Refused(word, text, fields),
      idempotency: op.creates ? request.idempotency : undefined,
    }),
  );
  if (outcome instanceof Refused && (op.errors as Record<string, DeclaredError>)[outcome.word]?.absent)
    await assertAbsenceCertain(services, request.account.shard);
  // The warnings only now: they are this request's, and no part of the answer that an Idempotency-Key keeps.
  const answered =
    outcome instanceof Refused
      ? warned(declared(op, outcome), misspelt)
      : answer(op, outcome, [...warnings, ...misspelt]);
  return sandbox ? { ...answered, sandbox } : answered;
};

/** Our names of the parameters that came as files. */
const spilledOf = ({ params }: AnyOperation, { uploads }: OperationRequest): string[] => {
  const spilled = uploads ? Object.keys(uploads.spilled) : [];
  if (spilled.length === 0) return [];
  return Object.entries(params as Record<string, ParamDeclaration>).flatMap(([name, { rest }]) =>
    spilled.includes(rest) ? [name] : [],
  );
};

const byRestName = ({ rest }: ParamDeclaration, wish: string): string => `${rest} ${wish}`;

/** A value that cannot be read is refused, with a code of its own or 299. */
const wrongValue = (
  op: AnyOperation,
  { refusedAs }: ParamDeclaration,
  sentence: string,
  misspelt: readonly string[],
): OperationResponse => {
  const refused =
    refusedAs === undefined
      ? buildRefusalResponse(op, '299', sentence)
      : declared(op, new Refused(refusedAs, sentence));
  return warned(refused, misspelt);
};

/** A refusal that says which parameters it may lack for their spelling. */
const warned = (refused: OperationResponse, misspelt: readonly string[]): OperationResponse => {
  if (misspelt.length === 0) return refused;
  const { return: said, ...beside } = refused.body as { return: { warning?: string } };
  const warning = [...(said.warning === undefined ? [] : [said.warning]), ...misspelt].join('; ');
  return { ...refused, body: { return: { ...said, warning }, ...beside } };
};

/** A failure of this operation that is not its own: authentication, limits, 4xx and 5xx of the door. */
export const buildRefusalResponse = (
  op: AnyOperation | undefined,
  code: string,
  text: string,
  http = 400,
): OperationResponse => ({
  http,
  body: envelope.failureEnvelope(code, text, op?.failure, op?.numericCodes),
});

/** A refusal under one of the operation's own words, given by the door. */
export const answerWithDeclaredRefusal = (
  op: AnyOperation,
  word: string,
  text: string,
  http: number,
): OperationResponse => ({
  ...declared(op, new Refused(word, text)),
  http,
});

const answer = (
  { numericCodes, successHttp }: AnyOperation,
  { fields = {}, beside = {}, stream, replayed }: OperationSuccess,
  warnings: readonly string[],
): OperationResponse => ({
  http: successHttp ?? 200,
  body:
    stream ?? envelope.wrapSuccessAnswer(fields, beside, withKept(fields['warning'], warnings), numericCodes),
  ...(replayed && { replayed: true }),
});

/** An answer that was kept has the warnings of its time. */
const withKept = (kept: unknown, warnings: readonly string[]): readonly string[] =>
  typeof kept === 'string' && !warnings.join('; ').includes(kept) ? [kept, ...warnings] : warnings;

const declared = (op: AnyOperation, refused: Refused): OperationResponse => {
  const error = (op.errors as Record<string, DeclaredError>)[refused.word]!;
  const text = sayingNo(refused.message, error.text);
  const fields = { ...op.failure.fields, ...error.fields?.(text), ...refused.fields };
  return {
    http: error.http ?? 400,
    body: envelope.failureEnvelope(error.code, text, { fields, beside: op.failure.beside }, op.numericCodes),
    ...(refused.replayed && { replayed: true }),
  };
};

/** Providers may call a failure OK, or say nothing of it; a status that does is no failure's (spec 4.0). */
const sayingNo = (said: string, declaredText: string): string => {
  if (said.trim().toUpperCase() === 'OK') return `${declaredText} (the provider says "${said.trim()}")`;
  return said || declaredText;
};

/** Handlers may return a refusal or throw it from a step further down. */
const orRefused = async (
  handled: Promise<OperationSuccess | Refused>,
): Promise<OperationSuccess | Refused> => {
  try {
    return await handled;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
};
