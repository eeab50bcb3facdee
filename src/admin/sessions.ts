/** Sessions of the console. A browser opens one with the admin token or an operator's key, and holds a cookie then. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import * as z from 'zod';
import { type Administrator, actorOf, byKey } from '../access/admin/administrator.ts';
import { provenanceOf } from '../access/admin/sameOrigin.ts';
import { endSession, openSession } from '../access/admin/session.ts';
import type { SessionRow } from '../store/operators.ts';
import { administratorOf, markOutcome, turnAway } from './admit.ts';
import type { AdminDoor } from './api.ts';
import { text } from './fields.ts';
import { AdminError, notFound, read } from './respond.ts';

const fields = z.strictObject({ token: text(200) });

const mostListed = 1_000;
/** So much of a session's digest names it. */
const idLength = 16;

export const sessionRoutes = (router: Router, door: AdminDoor): void => {
  router.post('/sessions', async (ctx) => {
    const { token } = read(fields, ctx.request.body);
    // Another site must not log an operator in under its own key.
    if (provenanceOf(ctx, door.publicUrl) === 'foreign') {
      markOutcome(ctx, { kind: 'session', action: 'refused' });
      throw new AdminError(403, 'a session is opened from the console’s own page');
    }
    const address = door.addressOf(ctx);
    const counted = door.countedAs(ctx);
    const who = await byKey(door, token, counted);
    if (typeof who === 'string') throw await turnAway(door, ctx, who, 'the token is wrong', counted);
    const session = await openSession(door, ctx, who, address);
    markOutcome(ctx, { kind: 'session', actor: actorOf(who), action: 'opened' });
    ctx.status = 201;
    ctx.body = { ...showAdministrator(who), expires: session.expires_at };
  });

  router.get('/sessions', async (ctx) => {
    const own = administratorOf(ctx).session?.hash;
    const sessions = await door.operators.sessions(mostListed);
    ctx.body = { sessions: sessions.map((session) => ({ ...show(session), current: session.hash === own })) };
  });

  router.get('/sessions/current', (ctx) => {
    const who = administratorOf(ctx);
    ctx.body = { ...showAdministrator(who), expires: who.session?.expires_at ?? null };
  });

  router.delete('/sessions/current', async (ctx) => {
    const { session } = administratorOf(ctx);
    if (!session) throw new AdminError(409, 'there is no session to end: this request showed a key');
    await end(ctx, session);
  });

  const end = async (ctx: Context, session: SessionRow): Promise<void> => {
    await endSession(door, ctx, session);
    markOutcome(ctx, { kind: 'session', action: 'ended' });
    ctx.status = 204;
  };

  router.delete('/sessions/:session', async (ctx) => {
    const id = ctx.params['session'] ?? '';
    const found = /^[0-9a-f]{16}$/.test(id) ? await door.operators.endSessions(id) : 0;
    if (found === 0) throw notFound(`session ${id}`);
    markOutcome(ctx, { kind: 'session', action: `ended ${id}` });
    ctx.status = 204;
  });
};

const showAdministrator = ({ role, operator }: Administrator) => ({
  role,
  name: operator?.name ?? 'admin',
  operator_id: operator?.id ?? null,
});

const show = ({ hash, ended_at: _, expires_at, ...session }: SessionRow) => ({
  session_id: hash.slice(0, idLength),
  ...session,
  expires: expires_at,
});
