/** Who comes in at the admin door, what they may do here, and what of it stands in the audit log afterwards. */
import type { Context } from 'koa';
import { actorOf, type Administrator, identify, type Stranger } from '../access/admin/administrator.ts';
import { type Need, suffices } from '../access/admin/roles.ts';
import { provenanceOf } from '../access/admin/sameOrigin.ts';
import { prolongSession } from '../access/admin/session.ts';
import { detailOf } from '../access/audit/changes.ts';
import { tellKeptOut } from '../access/keptOut.ts';
import { recordAccess } from '../access/accessRecord.ts';
import { LOOPBACK } from '../lib/addresses.ts';
import { withoutSecrets } from '../lib/secretFields.ts';
import type { AuditEntry } from '../store/auditLog.ts';
import { UNLOCK } from './access/lockouts.ts';
import type { AdminDoor } from './door.ts';
import { AdminError, toJson } from './respond.ts';

/** What is known of a request while it is served. */
interface Guest {
  administrator?: Administrator;
  /** What its entry in the audit log says otherwise than usual. */
  entry?: Partial<AuditEntry>;
}

const guestOf = ({ state }: Pick<Context, 'state'>): Guest => (state['guest'] ??= {}) as Guest;

/** Who sends a request; for handlers of routes that strangers do not reach. */
export const administratorOf = (ctx: Pick<Context, 'state'>): Administrator => {
  const { administrator } = guestOf(ctx);
  if (!administrator) throw new Error('nobody was admitted here');
  return administrator;
};

/** What the request's entry in the audit log says besides, or instead. */
export const markOutcome = (ctx: Pick<Context, 'state'>, entry: Partial<AuditEntry>): void => {
  guestOf(ctx).entry = entry;
};

/** The route that will serve a request, and the role that it needs. */
export interface Wanted {
  /** Undefined: there is no such route. */
  route: string | undefined;
  need: Need;
}

/** Finds out who sends a request. Throws a 401 or 429, unless the route is anybody's. */
export const admit = async (door: AdminDoor, ctx: Context, { route, need }: Wanted): Promise<void> => {
  if (need === 'anybody') return;
  const counted = countedFor(door, ctx, route);
  const who = await identify(door, ctx, counted);
  if (typeof who === 'string')
    throw await turnAway(door, ctx, who, 'the admin token, or key, is missing or wrong', counted);
  guestOf(ctx).administrator = who;
  if (who.session) await prolongSession(door, ctx, who.session);
};

/**
 * On the machine itself lock-outs are lifted whoever locked it out: wrong keys that are shown for that count by themselves,
 * so that it is no way to try out more of them.
 */
const countedFor = (door: AdminDoor, ctx: Context, route: string | undefined): string => {
  const counted = door.countedAs(ctx);
  return counted === LOOPBACK && route === UNLOCK ? `${LOOPBACK} unlock` : counted;
};

/** A refusal to a stranger, counted in the audit log unless nothing was shown. `counted`: as whom it failed. */
export const turnAway = async (
  door: AdminDoor,
  ctx: Context,
  why: Stranger,
  sentence: string,
  counted: string,
): Promise<AdminError> => {
  if (why !== 'nobody') noteStranger(ctx, door.addressOf(ctx));
  if (why === 'keptOut') {
    const until = await tellKeptOut(door.limits, ctx, counted);
    return new AdminError(429, `too many failed authentications from this address: ${until}`);
  }
  ctx.set('WWW-Authenticate', 'Bearer');
  return new AdminError(401, sentence);
};

const noteStranger = (ctx: Context, address: string): void =>
  recordAccess(ctx, { kind: 'session', actor: 'unknown', account: null, address, action: 'refused' });

/** Throws a 403 for what the role does not allow, and for what another site's page sends with our cookie. */
export const checkMay = (door: AdminDoor, ctx: Context, { need }: Wanted): void => {
  const { administrator } = guestOf(ctx);
  if (!administrator) return;
  const { role, session } = administrator;
  if (session && isChange(ctx) && provenanceOf(ctx, door.publicUrl) !== 'own')
    throw new AdminError(
      403,
      'a session changes things from the console’s own pages only; programs show a key',
    );
  if (!suffices(role, need)) throw new AdminError(403, `role ${role} may not do this: it needs role admin`);
};

const isChange = ({ method }: Pick<Context, 'method'>): boolean => !/^(GET|HEAD|OPTIONS)$/.test(method);

/** An answer as its reader may have it: role operator sees no secrets. */
export const shownTo = (ctx: Context, body: unknown): unknown =>
  guestOf(ctx).administrator?.role === 'admin' ? body : withoutSecrets(JSON.parse(toJson(body)));

/** Writes to the audit log that somebody read what is not everybody's: results, recordings. Rejects when it cannot. */
export const recordReading = async (door: AdminDoor, ctx: Context): Promise<void> =>
  door.audit.add([entryOf(door, ctx, 200)]);

/** Writes a change, refused or made, to the audit log. Called before it is answered. Rejects when it cannot. */
export const record = async (door: AdminDoor, ctx: Context): Promise<void> => {
  const { administrator, entry } = guestOf(ctx);
  if (!isChange(ctx) || (!administrator && !entry)) return;
  await door.audit.add([{ ...entryOf(door, ctx, ctx.status), ...entry }]);
};

const entryOf = (door: AdminDoor, ctx: Context, outcome: number): AuditEntry => {
  const { administrator } = guestOf(ctx);
  return {
    at: door.now(),
    kind: 'change',
    actor: administrator ? actorOf(administrator) : 'unknown',
    address: door.addressOf(ctx),
    action: `${ctx.method} ${ctx.path.slice('/admin/api'.length)}`.slice(0, longestAction),
    account: accountIn(ctx.path),
    outcome,
    count: 1,
    detail: detailOf({ query: { ...ctx.query }, body: (ctx.request as { body?: unknown }).body }),
  };
};

const longestAction = 300;

const accountIn = (path: string): number | null => {
  const [, id] = /^\/admin\/api\/accounts\/(\d{1,9})(\/|$)/.exec(path) ?? [];
  return id === undefined ? null : Number(id);
};
