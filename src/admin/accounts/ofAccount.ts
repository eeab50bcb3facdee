/** The account that a path names. */
import type { Scope } from '../declare.ts';
import type { AdminDeps } from '../deps.ts';
import { idIn, mostId } from '../fields.ts';
import { notFound, pathId } from '../respond.ts';
import type { AccountRow } from '../../store/control.ts';

/** The account with this id, as a path writes it. Throws a 404 when there is none. */
export const accountOf = async (deps: AdminDeps, written: string | undefined): Promise<AccountRow> => {
  const id = pathId(written, 'account');
  const account = id <= mostId ? await deps.control.account(id) : null;
  if (!account) throw notFound(`account ${written}`);
  return account;
};

/** Of paths that begin with `/accounts/:account`. */
export const ofAccount: Scope<{ account: AccountRow }> = {
  params: { account: idIn('account') },
  find: async ({ deps, written }) => ({ account: await accountOf(deps, written['account']) }),
};
