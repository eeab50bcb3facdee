/**
 * Who administers: the holder of the admin token, an operator with a key, or a session that one of them opened. Wrong
 * keys count against an address as wrong tokens do at the other doors; a session cannot be guessed at.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { RequestLimitsOfAllEndpoints } from '../../providers/contracts/rateLimitsAndLockouts.ts';
import type {
  AdminOperatorRow,
  AdminOperatorStore,
  Role,
  SessionRow,
} from '../../store/adminOperatorsAndSessions.ts';
import type { SignInCodes } from '../../store/signInCodes.ts';
import { isPlaceholderToken } from '../placeholder.ts';
import { type SessionCookieSettings, isSessionTiedToAdminToken, readSessionCookie } from './sessionCookie.ts';

export interface AuthenticatedAdministrator {
  role: Role;
  /** Null: the holder of the admin token. */
  operator: { id: number; name: string } | null;
  /** Telephone numbers are masked in what it is shown. */
  masksNumbers: boolean;
  /** Absent: it showed a key. */
  session?: SessionRow;
}

export interface AdminAuthDeps extends SessionCookieSettings {
  adminToken: string;
  operators: AdminOperatorStore;
  codes: SignInCodes;
  limits: RequestLimitsOfAllEndpoints;
  /** Epoch milliseconds. */
  now(): number;
}

/** `anonymous`: no credential was shown; `wrong`: none that opens; `keptOut`: the address failed too often. */
export type AdminAuthFailure = 'anonymous' | 'wrong' | 'keptOut';

/** As it stands in the audit log. */
export const auditActorName = ({ operator }: AuthenticatedAdministrator): string =>
  operator === null ? 'admin' : `operator ${operator.id} ${operator.name}`;

/** Who sends this request: by `Authorization: Bearer`, else by cookie. */
export const identifyAdministrator = async (
  access: AdminAuthDeps,
  ctx: Context,
  address: string,
): Promise<AuthenticatedAdministrator | AdminAuthFailure> => {
  const [, key] = /^Bearer +(\S+) *$/i.exec(ctx.get('authorization')) ?? [];
  if (key !== undefined) return administratorByKey(access, key, address);
  const cookie = readSessionCookie(ctx);
  return cookie === undefined ? 'anonymous' : ((await bySession(access, cookie)) ?? 'wrong');
};

/** A client that is kept out learns nothing of the key that it tried. `address`: as whom wrong keys are counted. */
export const administratorByKey = (
  access: AdminAuthDeps,
  key: string,
  address: string,
): Promise<AuthenticatedAdministrator | AdminAuthFailure> =>
  access.limits.oneByOne(address, () => look(access, key, address));

const look = async (
  { adminToken, operators, limits }: AdminAuthDeps,
  key: string,
  address: string,
): Promise<AuthenticatedAdministrator | AdminAuthFailure> => {
  const standing = await limits.standing(address);
  if (standing === 'blocked') return 'keptOut';
  const isAdmin = timingSafeEqual(digest(key), digest(adminToken));
  const operator = isAdmin ? undefined : await operators.ownerOf(key);
  const isRight = isAdmin || operator !== undefined;
  if (!isRight && !isPlaceholderToken(key)) await limits.failed(address);
  if (standing !== 'free') return 'keptOut';
  if (!isRight) return 'wrong';
  return operator ? administratorFromOperator(operator) : adminTokenAdministrator;
};

const bySession = async (
  { adminToken, operators }: AdminAuthDeps,
  cookie: string,
): Promise<AuthenticatedAdministrator | undefined> => {
  const open = await operators.session(cookie);
  if (!open) return undefined;
  const { session, operator } = open;
  if (operator) return { ...administratorFromOperator(operator), session };
  return isSessionTiedToAdminToken(adminToken, cookie) ? { ...adminTokenAdministrator, session } : undefined;
};

/** Who shows the admin token. */
export const adminTokenAdministrator: AuthenticatedAdministrator = {
  role: 'admin',
  operator: null,
  masksNumbers: false,
};

/** Who shows an operator's key. Role admin sees all numbers, whatever its record says. */
export const administratorFromOperator = ({
  id,
  name,
  role,
  masked_numbers,
}: AdminOperatorRow): AuthenticatedAdministrator => ({
  role: role === 'admin' ? 'admin' : 'operator',
  operator: { id, name },
  masksNumbers: masked_numbers && role !== 'admin',
});

/** Digests are compared, so that neither length nor content can be learned from the time it takes. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
