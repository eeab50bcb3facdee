/**
 * Who administers: the holder of the admin token, an operator with a key, or a session that one of them opened. Wrong
 * keys count against an address as wrong tokens do at the other doors; a session cannot be guessed at.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { EndpointLimits } from '../../providers/requestLimits.ts';
import type { OperatorRow, Operators, Role, SessionRow } from '../../store/operators.ts';
import type { SignInCodes } from '../../store/signInCodes.ts';
import { isPlaceholder } from '../placeholder.ts';
import { type CookieRules, isTiedTo, readCookie } from './sessionCookie.ts';

export interface Administrator {
  role: Role;
  /** Null: the holder of the admin token. */
  operator: { id: number; name: string } | null;
  /** Telephone numbers are masked in what it is shown. */
  masksNumbers: boolean;
  /** Absent: it showed a key. */
  session?: SessionRow;
}

export interface AdminAccess extends CookieRules {
  adminToken: string;
  operators: Operators;
  codes: SignInCodes;
  limits: EndpointLimits;
  /** Epoch milliseconds. */
  now(): number;
}

/** `anonymous`: no credential was shown; `wrong`: none that opens; `keptOut`: the address failed too often. */
export type AdminAuthFailure = 'anonymous' | 'wrong' | 'keptOut';

/** As it stands in the audit log. */
export const actorOf = ({ operator }: Administrator): string =>
  operator === null ? 'admin' : `operator ${operator.id} ${operator.name}`;

/** Who sends this request: by `Authorization: Bearer`, else by cookie. */
export const identify = async (
  access: AdminAccess,
  ctx: Context,
  address: string,
): Promise<Administrator | AdminAuthFailure> => {
  const [, key] = /^Bearer +(\S+) *$/i.exec(ctx.get('authorization')) ?? [];
  if (key !== undefined) return byKey(access, key, address);
  const cookie = readCookie(ctx);
  return cookie === undefined ? 'anonymous' : ((await bySession(access, cookie)) ?? 'wrong');
};

/** A client that is kept out learns nothing of the key that it tried. `address`: as whom wrong keys are counted. */
export const byKey = (
  access: AdminAccess,
  key: string,
  address: string,
): Promise<Administrator | AdminAuthFailure> =>
  access.limits.oneByOne(address, () => look(access, key, address));

const look = async (
  { adminToken, operators, limits }: AdminAccess,
  key: string,
  address: string,
): Promise<Administrator | AdminAuthFailure> => {
  const standing = await limits.standing(address);
  if (standing === 'blocked') return 'keptOut';
  const isAdmin = timingSafeEqual(digest(key), digest(adminToken));
  const operator = isAdmin ? undefined : await operators.ownerOf(key);
  const isRight = isAdmin || operator !== undefined;
  if (!isRight && !isPlaceholder(key)) await limits.failed(address);
  if (standing !== 'free') return 'keptOut';
  if (!isRight) return 'wrong';
  return operator ? ofOperator(operator) : adminTokenHolder;
};

const bySession = async (
  { adminToken, operators }: AdminAccess,
  cookie: string,
): Promise<Administrator | undefined> => {
  const open = await operators.session(cookie);
  if (!open) return undefined;
  const { session, operator } = open;
  if (operator) return { ...ofOperator(operator), session };
  return isTiedTo(adminToken, cookie) ? { ...adminTokenHolder, session } : undefined;
};

/** Who shows the admin token. */
export const adminTokenHolder: Administrator = { role: 'admin', operator: null, masksNumbers: false };

/** Who shows an operator's key. Role admin sees all numbers, whatever its record says. */
export const ofOperator = ({ id, name, role, masked_numbers }: OperatorRow): Administrator => ({
  role: role === 'admin' ? 'admin' : 'operator',
  operator: { id, name },
  masksNumbers: masked_numbers && role !== 'admin',
});

/** Digests are compared, so that neither length nor content can be learned from the time it takes. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
