/** What a method rejects with. */
import type { Operations } from './operations.ts';

export type OperationName = keyof Operations;

/** The service answered that it will not: `status` and `status_code` of `return`, under an HTTP status. */
export class RamalError<Name extends OperationName = OperationName> extends Error {
  override readonly name = 'RamalError';
  readonly operation: Name;
  /** What it means depends on the operation. */
  readonly code: Operations[Name]['code'];
  readonly http: number;
  /** The whole body: failures carry ids and lists, too. */
  readonly answer: unknown;
  /** When the service said so, seconds. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    operation: Name,
    failure: {
      code: Operations[Name]['code'];
      text: string;
      http: number;
      answer: unknown;
      retryAfterSeconds?: number;
    },
  ) {
    super(`${operation} ${failure.code}: ${failure.text}`);
    this.operation = operation;
    this.code = failure.code;
    this.http = failure.http;
    this.answer = failure.answer;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

/** The answer did not come from the service: it is no JSON, or has no `return` in it. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly http: number;
  /** The beginning of what came. */
  readonly text: string;

  constructor(operation: OperationName, http: number, text: string) {
    super(
      `${operation} was answered HTTP ${http} with something that is not the service’s: ${text.slice(0, 80)}`,
    );
    this.http = http;
    this.text = text.slice(0, 2_000);
  }
}

/** Whether an error is a refusal of this operation; its `code` is then one of that operation’s. */
export const isRefusal = <Name extends OperationName>(
  error: unknown,
  operation: Name,
): error is RamalError<Name> => error instanceof RamalError && error.operation === operation;
