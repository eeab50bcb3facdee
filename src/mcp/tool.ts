/** What a tool is, whether an operation stands behind it or not. */
import type { ApiClientIdentity, TokenPermission, ToolEffects } from '../operations/declare.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What a tool answers (spec 4.1): `success`, and beside it what was found, or `error` and `status_code`. */
export type ToolOutcome = Json & { success: boolean };

export interface ToolRequest {
  caller: ApiClientIdentity;
  arguments: Json;
  /** Aborted when the client does not wait for the outcome any more. */
  signal: AbortSignal;
  long: LongAnswerLimiter;
}

/** What an outcome of many records needs: it is one text in memory until it was taken. */
export interface LongAnswerLimiter {
  /** Why the caller may not have another answer now, until it has read what it asked for; undefined: it may. */
  refused(): ToolOutcome | undefined;
  /** Takes a place until the answer was sent; a refusal when too many are under way. */
  enter(): Promise<ToolOutcome | undefined>;
  /** Waits for the turn of a further thousand records. */
  turn(): Promise<void>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  permission: TokenPermission;
  /** Any of these opens it as well. Default none. */
  orPermissions?: readonly TokenPermission[];
  effects: ToolEffects;
  /** JSON Schema 2020-12 of its arguments. */
  inputSchema: Json;
  /** Of its outcomes, failures included. */
  outputSchema: Json;
  /** Every key of a success, for the reference. */
  answers: readonly string[];
  /** Arguments that work. */
  example: Json;
  /** Throws `Unavailable` and bugs; everything a caller can mend is an outcome. */
  call(request: ToolRequest): Promise<ToolOutcome>;
}

/** A failure (spec 4.1). `more`: id keys of the operation, and what else helps. */
export const toolFailure = (statusCode: number, error: string, more: Json = {}): ToolOutcome => ({
  success: false,
  error,
  status_code: statusCode,
  ...more,
});

/** A value that cannot be read, or is not taken at all (decisions "wrong type"). */
export const wrongToolArgumentStatusCode = 299;
