/** The life of a console session: half a day from its last use, a week at most. */
import type { Context } from 'koa';
import { newSessionSecret, type SessionRow } from '../../store/adminOperatorsAndSessions.ts';
import type { AdminAuthDeps, AuthenticatedAdministrator } from './identifyAdministrator.ts';
import { readSessionCookie, tieSessionToAdminToken, writeSessionCookie } from './sessionCookie.ts';

const hourMs = 3_600_000;
const idleMs = 12 * hourMs;
const longestMs = 7 * 24 * hourMs;
/** Its end is moved when it comes so much nearer: not with every request. */
const movedByMs = 5 * 60_000;

/** Opens a session for the holder of a key, and gives the browser its cookie. */
export const openConsoleSession = async (
  access: AdminAuthDeps,
  ctx: Context,
  { role, operator }: AuthenticatedAdministrator,
  address: string,
): Promise<SessionRow> => {
  const now = access.now();
  const expires = now + idleMs;
  const secret = newSessionSecret();
  const value = operator === null ? tieSessionToAdminToken(access.adminToken, secret) : secret;
  const about = { operator_id: operator?.id ?? null, role, address };
  const session = await access.operators.openSession(value, about, expires);
  writeSessionCookie(ctx, access, value, { now, expires });
  return session;
};

/** A session that is used lives on. */
export const prolongConsoleSession = async (
  access: AdminAuthDeps,
  ctx: Context,
  { hash, created_at, expires_at }: SessionRow,
): Promise<void> => {
  const now = access.now();
  const expires = Math.min(now + idleMs, Number(created_at) + longestMs);
  const cookie = readSessionCookie(ctx);
  if (cookie === undefined || expires < Number(expires_at) + movedByMs) return;
  await access.operators.prolong(hash, expires);
  writeSessionCookie(ctx, access, cookie, { now, expires });
};

/** Ends it here and in the browser. */
export const endConsoleSession = async (
  access: AdminAuthDeps,
  ctx: Context,
  { hash }: SessionRow,
): Promise<void> => {
  await access.operators.endSessions(hash);
  writeSessionCookie(ctx, access, '', { now: access.now() });
};
