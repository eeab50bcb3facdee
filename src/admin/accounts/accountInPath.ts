/** The account that a path names. */
import type { PathResourceLookup } from '../routeDeclaration.ts';
import { noteAccountOfRequest } from '../admitAndAuditAdministrator.ts';
import type { AdminDeps } from '../deps.ts';
import { idIn, maxRecordId } from '../fieldSchemas.ts';
import { notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';

/** The account with this id, as a path writes it. Throws a 404 when there is none. */
export const requireAccountById = async (
  deps: AdminDeps,
  written: string | undefined,
): Promise<AccountRow> => {
  const id = parsePathId(written, 'account');
  const account = id <= maxRecordId ? await deps.control.account(id) : null;
  if (!account) throw notFound(`account ${written}`);
  return account;
};

/** Of paths that begin with `/accounts/:account`. */
export const accountInPath: PathResourceLookup<{ account: AccountRow }> = {
  params: { account: idIn('account') },
  find: async ({ deps, ctx, written }) => {
    const account = await requireAccountById(deps, written['account']);
    noteAccountOfRequest(ctx, account.id);
    return { account };
  },
};
