/** The code of a link that opens the console. It stands for who made it, and ends with the key that made it. */
import { newSessionSecret } from '../../store/adminOperatorsAndSessions.ts';
import {
  type AdminAuthDeps,
  type AuthenticatedAdministrator,
  adminTokenAdministrator,
  administratorFromOperator,
} from './identifyAdministrator.ts';
import { isSessionTiedToAdminToken, tieSessionToAdminToken } from './sessionCookie.ts';

/** A code as it can be; everything else is not looked up. */
const shape = /^[\w-]{43}(\.[\w-]{43})?$/;

export interface IssuedSignInCode {
  code: string;
  /** Epoch milliseconds. */
  expires: number;
}

/** Makes a code for the holder of a key. Those of the admin token are tied to it. */
export const makeSignInCode = async (
  access: Pick<AdminAuthDeps, 'adminToken' | 'codes'>,
  operator: AuthenticatedAdministrator['operator'],
): Promise<IssuedSignInCode> => {
  const secret = newSessionSecret();
  const code = operator === null ? tieSessionToAdminToken(access.adminToken, secret) : secret;
  return { code, expires: await access.codes.add(code, { operator_id: operator?.id ?? null }) };
};

/** Uses up a code: the operator it was made for; undefined: the code is not valid. */
export const bySignInCode = async (
  access: AdminAuthDeps,
  code: string,
): Promise<AuthenticatedAdministrator | undefined> => {
  if (!shape.test(code)) return undefined;
  const owner = await access.codes.use(code);
  if (!owner) return undefined;
  if (owner.operator_id === null)
    return isSessionTiedToAdminToken(access.adminToken, code) ? adminTokenAdministrator : undefined;
  const operator = await access.operators.one(owner.operator_id);
  return !operator || operator.revoked_at !== null ? undefined : administratorFromOperator(operator);
};

/** Where a browser signs in with a code. Browsers send no fragment: it stands in no log of a proxy. */
export const signInAddress = (publicUrl: string, code: string): string =>
  `${publicUrl.replace(/\/+$/, '')}/admin#code=${code}`;
