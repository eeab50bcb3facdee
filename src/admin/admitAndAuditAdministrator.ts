/** Who comes in at the admin door, what they may do here, and what of it stands in the audit log afterwards. */
import type { Context } from 'koa';
import {
  auditActorName,
  type AuthenticatedAdministrator,
  identifyAdministrator,
  type AdminAuthFailure,
} from '../access/admin/identifyAdministrator.ts';
import { type Need, isRoleSufficient } from '../access/admin/roles.ts';
import { classifyBrowserRequestOrigin } from '../access/admin/sameOrigin.ts';
import { prolongConsoleSession } from '../access/admin/session.ts';
import { redactedAuditDetailJson } from '../access/audit/changes.ts';
import { tellWhenLockoutEnds } from '../access/keptOut.ts';
import { setAccessRecord } from '../access/accessRecord.ts';
import { LOOPBACK_CLIENT_NAME } from '../lib/ipAddressRanges.ts';
import type { AuditEntry } from '../store/auditLog.ts';
import { UNLOCK_ADDRESS_ROUTE } from './access/lockoutRoutes.ts';
import type { AdminDeps } from './deps.ts';
import { AdminError } from './adminErrorsAndRequestParsing.ts';

/** What is known of a request while it is served. */
interface Guest {
  administrator?: AuthenticatedAdministrator;
  /** What its entry in the audit log says otherwise than usual. */
  entry?: Partial<AuditEntry>;
  /** Whose record it is about, where its path found one. */
  account?: number;
  /** It changes nothing, whatever its method. */
  changesNothing?: boolean;
}

const guestOf = ({ state }: Pick<Context, 'state'>): Guest => (state['guest'] ??= {}) as Guest;

/** Who sends a request; for handlers of routes that strangers do not reach. */
export const getRequestAdministrator = (ctx: Pick<Context, 'state'>): AuthenticatedAdministrator => {
  const { administrator } = guestOf(ctx);
  if (!administrator) throw new Error('the request was not admitted');
  return administrator;
};

/** Who sends a request; undefined: a stranger. */
export const findRequestAdministrator = (
  ctx: Pick<Context, 'state'>,
): AuthenticatedAdministrator | undefined => guestOf(ctx).administrator;

/** A read of what is private: it stands in the audit log as a change does. */
export const markReadForAudit = (ctx: Pick<Context, 'state'>): void => {
  guestOf(ctx).entry ??= {};
};

/** What the request's entry in the audit log says besides, or instead. */
export const noteInAudit = (ctx: Pick<Context, 'state'>, entry: Partial<AuditEntry>): void => {
  guestOf(ctx).entry = entry;
};

/** Whose record the path of a request names; its entry in the audit log, where it leaves one, stands with that account. */
export const noteAccountOfRequest = (ctx: Pick<Context, 'state'>, account: number): void => {
  guestOf(ctx).account = account;
};

/** A question that is asked by POST, for what it takes: it changes nothing, and leaves no entry in the audit log. */
export const markChangesNothing = (ctx: Pick<Context, 'state'>): void => {
  guestOf(ctx).changesNothing = true;
};

/** The route that will serve a request, and the role that it needs. */
export interface RequestedAdminRoute {
  /** Undefined: there is no such route. */
  route: string | undefined;
  need: Need;
}

/** Finds out who sends a request. Throws a 401 or 429, unless the route is anybody's. */
export const admitAdministrator = async (
  deps: AdminDeps,
  ctx: Context,
  { route, need }: RequestedAdminRoute,
): Promise<void> => {
  if (need === 'anybody') return;
  const counted = countedFor(deps, ctx, route);
  const who = await identifyAdministrator(deps, ctx, counted);
  if (typeof who === 'string')
    throw await refuseAdminAccess(deps, ctx, who, 'the admin token, or key, is missing or wrong', counted);
  guestOf(ctx).administrator = who;
  if (who.session) await prolongConsoleSession(deps, ctx, who.session);
};

/**
 * On the machine itself lock-outs of any client are lifted: wrong keys that are shown for that count by themselves, so
 * that it is no way to try out more of them.
 */
const countedFor = (deps: AdminDeps, ctx: Context, route: string | undefined): string => {
  const counted = deps.countedAs(ctx);
  return counted === LOOPBACK_CLIENT_NAME && route === UNLOCK_ADDRESS_ROUTE
    ? `${LOOPBACK_CLIENT_NAME} unlock`
    : counted;
};

/** A refusal to a stranger, counted in the audit log unless nothing was shown. `counted`: as whom it failed. */
export const refuseAdminAccess = async (
  deps: AdminDeps,
  ctx: Context,
  why: AdminAuthFailure,
  sentence: string,
  counted: string,
): Promise<AdminError> => {
  if (why !== 'anonymous') noteStranger(ctx, deps.addressOf(ctx));
  if (why === 'keptOut') {
    const until = await tellWhenLockoutEnds(deps.limits, ctx, counted);
    return new AdminError(429, `too many failed authentications from this address: ${until}`);
  }
  ctx.set('WWW-Authenticate', 'Bearer');
  return new AdminError(401, sentence);
};

const noteStranger = (ctx: Context, address: string): void =>
  setAccessRecord(ctx, { kind: 'session', actor: 'unknown', account: null, address, action: 'refused' });

/** Throws a 403 for what the role does not allow, and for what another site's page sends with our cookie. */
export const checkRoutePermission = (deps: AdminDeps, ctx: Context, { need }: RequestedAdminRoute): void => {
  const { administrator } = guestOf(ctx);
  if (!administrator) return;
  const { role, session } = administrator;
  if (session && isChange(ctx) && classifyBrowserRequestOrigin(ctx, deps.publicUrl) !== 'own')
    throw new AdminError(
      403,
      'a session changes things from the console’s own pages only; programs show a key',
    );
  if (!isRoleSufficient(role, need))
    throw new AdminError(403, `role ${role} may not do this: it needs role admin`);
};

const isChange = ({ method }: Pick<Context, 'method'>): boolean => !/^(GET|HEAD|OPTIONS)$/.test(method);

/** Writes a change, refused or made, and a private read to the audit log. Called before it is answered. Rejects when it cannot. */
export const recordAuditEntry = async (deps: AdminDeps, ctx: Context): Promise<void> => {
  const { administrator, entry, changesNothing = false } = guestOf(ctx);
  if (!entry && (!isChange(ctx) || !administrator || changesNothing)) return;
  await deps.audit.add([{ ...entryOf(deps, ctx), ...entry }]);
};

/** Writes a private read to the audit log before its answer begins to stream. Rejects when it cannot. */
export const recordPrivateRead = (
  deps: AdminDeps,
  ctx: Context,
  { account, action }: { account: number; action: string },
): Promise<void> =>
  deps.audit.add([{ ...entryOf(deps, ctx), account, action: action.slice(0, longestAction), outcome: 200 }]);

const entryOf = (deps: AdminDeps, ctx: Context): AuditEntry => {
  const { administrator, account = accountIn(ctx.path) } = guestOf(ctx);
  return {
    at: deps.now(),
    kind: 'change',
    actor: administrator ? auditActorName(administrator) : 'unknown',
    address: deps.addressOf(ctx),
    action: `${ctx.method} ${ctx.path.slice('/admin/api'.length)}`.slice(0, longestAction),
    account,
    outcome: ctx.status,
    count: 1,
    detail: redactedAuditDetailJson({
      query: { ...ctx.query },
      body: (ctx.request as { body?: unknown }).body,
    }),
  };
};

const longestAction = 300;

/** Of one that was refused before its account was looked for. */
const accountIn = (path: string): number | null => {
  const [, id] = /^\/admin\/api\/accounts\/(\d{1,9})(\/|$)/.exec(path) ?? [];
  return id === undefined ? null : Number(id);
};
