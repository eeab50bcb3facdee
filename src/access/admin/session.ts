/** The life of a console session: half a day from its last use, a week at most. */
import type { Context } from 'koa';
import { newSessionSecret, type SessionRow } from '../../store/operators.ts';
import type { AdminAccess, Administrator } from './administrator.ts';
import { readCookie, tiedTo, writeCookie } from './sessionCookie.ts';

const hourMs = 3_600_000;
const idleMs = 12 * hourMs;
const longestMs = 7 * 24 * hourMs;
/** Its end is moved when it comes so much nearer: not with every request. */
const movedByMs = 5 * 60_000;

/** Opens a session for the holder of a key, and gives the browser its cookie. */
export const openSession = async (
  access: AdminAccess,
  ctx: Context,
  { role, operator }: Administrator,
  address: string,
): Promise<SessionRow> => {
  const now = access.now();
  const expires = now + idleMs;
  const secret = newSessionSecret();
  const value = operator === null ? tiedTo(access.adminToken, secret) : secret;
  const about = { operator_id: operator?.id ?? null, role, address };
  const session = await access.operators.openSession(value, about, expires);
  writeCookie(ctx, access, value, { now, expires });
  return session;
};

/** A session that is used lives on. */
export const prolongSession = async (
  access: AdminAccess,
  ctx: Context,
  { hash, created_at, expires_at }: SessionRow,
): Promise<void> => {
  const now = access.now();
  const expires = Math.min(now + idleMs, Number(created_at) + longestMs);
  const cookie = readCookie(ctx);
  if (cookie === undefined || expires < Number(expires_at) + movedByMs) return;
  await access.operators.prolong(hash, expires);
  writeCookie(ctx, access, cookie, { now, expires });
};

/** Ends it here and in the browser. */
export const endSession = async (access: AdminAccess, ctx: Context, { hash }: SessionRow): Promise<void> => {
  await access.operators.endSessions(hash);
  writeCookie(ctx, access, '', { now: access.now() });
};
