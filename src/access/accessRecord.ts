/** Who asked at a door and for what: noted while a request is served, counted when it has been answered. */
import type { Context } from 'koa';
import type { AuditKind } from '../store/auditLog.ts';

export interface AccessRecord {
  kind: Extract<AuditKind, 'token' | 'session'>;
  /** `token 12 label`; `unknown` where no known token was shown. */
  actor: string;
  /** Null: not known. */
  account: number | null;
  address: string;
  /** What was asked for, out of a bounded set of words: the name of an operation or tool. */
  action: string;
  /** The code of a refusal of access; absent: the visitor came in. */
  code?: string;
  /** Where the HTTP status of the answer does not tell it. */
  outcome?: number;
}

/** Notes a request's visitor, in place of who was noted before. */
export const setAccessRecord = ({ state }: Pick<Context, 'state'>, record: AccessRecord): void =>
  void (state['record'] = record);

/** Undefined: the request met no door that asks who comes in, or asked for nothing there. */
export const accessRecordOf = ({ state }: Pick<Context, 'state'>): AccessRecord | undefined =>
  state['record'] as AccessRecord | undefined;
