/** Sessions of the console. A browser opens one with the admin token or an operator's key, and holds a cookie then. */
import * as z from 'zod';
import { type Administrator, actorOf, byKey } from '../../access/admin/administrator.ts';
import { provenanceOf } from '../../access/admin/sameOrigin.ts';
import { endSession, openSession } from '../../access/admin/session.ts';
import { roles, type SessionRow } from '../../store/operators.ts';
import { administratorOf, markOutcome, turnAway } from '../admit.ts';
import { route } from '../declare.ts';
import { at, text } from '../fields.ts';
import { AdminError, notFound } from '../respond.ts';

const fields = z.strictObject({ token: text(200) });

const mostListed = 1_000;
/** So much of a session's digest names it. */
const idLength = 16;

const administrator = z.object({
  role: z.enum(roles),
  name: z.string(),
  operator_id: z.int().nullable().describe('Null: the holder of the admin token.'),
  expires: at.nullable().describe('Null: a key was shown, and there is no session.'),
});

export const sessionRoutes = {
  'POST /sessions': route({
    role: 'anybody',
    summary:
      "Opens a session of the console, with the admin token or an operator's key; the answer sets a cookie.",
    body: fields,
    answer: administrator,
    http: 201,
    refuses: {
      401: 'The token is wrong.',
      403: "It does not come from the console's own page.",
      429: 'Too many wrong ones came from this address.',
    },
    example: {
      body: { token: 'O9OclMBkAzpM4aVt5O0vkJvOQY8Ar4VgT1zCZ2iC' },
      answer: { role: 'operator', name: 'Ana', operator_id: 1, expires: 1_795_368_944_421 },
    },
    handle: async ({ door, ctx, body: { token } }) => {
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
      return { ...showAdministrator(who), expires: session.expires_at };
    },
  }),
  'GET /sessions': route({
    role: 'admin',
    summary: 'Lists sessions that are open.',
    answer: z.object({
      sessions: z.array(
        z.object({
          session_id: z.string(),
          operator_id: z.int().nullable().describe('Null: of the admin token.'),
          role: z.string(),
          address: z.string(),
          created_at: at,
          expires: at,
          current: z.boolean().describe('The one that asks.'),
        }),
      ),
    }),
    example: {
      answer: {
        sessions: [
          {
            ...{ session_id: '0f1e2d3c4b5a6978', operator_id: 1, role: 'operator', address: '192.0.2.7' },
            ...{ created_at: 1_795_325_744_421, expires: 1_795_368_944_421, current: false },
          },
        ],
      },
    },
    handle: async ({ door, ctx }) => {
      const own = administratorOf(ctx).session?.hash;
      const sessions = await door.operators.sessions(mostListed);
      return { sessions: sessions.map((session) => ({ ...show(session), current: session.hash === own })) };
    },
  }),
  'GET /sessions/current': route({
    role: 'operator',
    summary: 'Says who asks, and until when the session lasts.',
    answer: administrator,
    example: { answer: { role: 'admin', name: 'admin', operator_id: null, expires: null } },
    handle: ({ ctx }) => {
      const who = administratorOf(ctx);
      return { ...showAdministrator(who), expires: who.session?.expires_at ?? null };
    },
  }),
  'DELETE /sessions/current': route({
    role: 'operator',
    summary: 'Ends the session that asks.',
    refuses: { 409: 'A key was shown, and there is no session.' },
    example: {},
    handle: async ({ door, ctx }) => {
      const { session } = administratorOf(ctx);
      if (!session) throw new AdminError(409, 'there is no session to end: this request showed a key');
      await endSession(door, ctx, session);
      markOutcome(ctx, { kind: 'session', action: 'ended' });
    },
  }),
  'DELETE /sessions/:session': route({
    role: 'admin',
    summary: 'Ends a session.',
    path: z.object({ session: z.string().meta({ json: { type: 'string', pattern: '^[0-9a-f]{16}$' } }) }),
    example: {},
    handle: async ({ door, ctx, path: { session: id } }) => {
      const found = /^[0-9a-f]{16}$/.test(id) ? await door.operators.endSessions(id) : 0;
      if (found === 0) throw notFound(`session ${id}`);
      markOutcome(ctx, { kind: 'session', action: `ended ${id}` });
    },
  }),
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
