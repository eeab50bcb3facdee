/** Operations of the interface, asked by an administrator for an account: the same rules, the same codes. */
import type { AnyOperation } from '../operations/declare.ts';
import { runOperation } from '../operations/run.ts';
import type { RequestUploads } from '../operations/operationUploadTypes.ts';
import type { AccountRow, TokenRow } from '../store/controlDatabase.ts';
import type { AdminDeps } from './deps.ts';
import { AdminError } from './adminErrorsAndRequestParsing.ts';

/** What a success says: the keys of `return`. */
export type OperationReturnFields = Readonly<Record<string, unknown>>;

/** Throws an `AdminError` with the operation's own sentence and `code` when it refuses. `given`: by REST names. */
export const runOperationAsAdmin = async (
  { services }: Pick<AdminDeps, 'services'>,
  account: AccountRow,
  operation: AnyOperation,
  given: Readonly<Record<string, unknown>>,
  uploads?: RequestUploads,
): Promise<OperationReturnFields> => {
  const request = { account, token: tokenOf(account), provided: given, ...(uploads && { uploads }) };
  const { http, body } = await runOperation(operation, request, services);
  const said = (body as { return: OperationReturnFields }).return;
  if (http < 300) return said;
  const { status, status_code: code } = said as { status: string; status_code: string | number };
  throw new AdminError(400, status, { field: fieldOf(operation, status), code: String(code) });
};

/** Sentences of operations begin with the parameter that they are about. */
const fieldOf = ({ params }: AnyOperation, sentence: string): string | null => {
  const first = /^\w+/.exec(sentence)?.[0];
  const known = Object.values(params as Record<string, { rest: string }>).some(({ rest }) => rest === first);
  return known ? first! : null;
};

/** No token is shown here: who asks stands in the audit log. */
const tokenOf = ({ id }: AccountRow): TokenRow => ({
  ...{ account_id: id, id: 0, hash: '', label: 'administration', permissions: null, allowed_ips: [] },
  ...{ rest: true, requests_per_second: 0, created_at: 0n },
  ...{ last_used_at: null, expires_at: null, revoked_at: null },
});
