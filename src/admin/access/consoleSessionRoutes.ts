/**
 * Sessions of the console. A browser opens one with the admin token, an operator's key or the code of a link, and holds a
 * cookie then.
 */
import type { Context } from 'koa';
import * as z from 'zod';
import {
  type AuthenticatedAdministrator,
  auditActorName,
  administratorByKey,
} from '../../access/admin/identifyAdministrator.ts';
import { classifyBrowserRequestOrigin } from '../../access/admin/sameOrigin.ts';
import { endConsoleSession, openConsoleSession } from '../../access/admin/session.ts';
import { bySignInCode, makeSignInCode, signInAddress } from '../../access/admin/consoleSignInLink.ts';
import { operatorRoles, type SessionRow } from '../../store/adminOperatorsAndSessions.ts';
import { getRequestAdministrator, noteInAudit, refuseAdminAccess } from '../admitAndAuditAdministrator.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { at, text } from '../fieldSchemas.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';

const fields = z.union(
  [z.strictObject({ token: text(200) }), z.strictObject({ code: text(200) })],
  'must hold token, or the code of a sign-in link',
);

const mostListed = 1_000;
/** So much of a session's digest names it. */
const idLength = 16;

const administrator = z.object({
  role: z.enum(operatorRoles),
  name: z.string(),
  operator_id: z.int().nullable().describe('Null: the holder of the admin token.'),
  masked_numbers: z.boolean().describe('Telephone numbers in answers are masked.'),
  expires: at.nullable().describe('Null: a key was shown, and there is no session.'),
});

export const sessionRoutes = {
  'POST /sessions': defineRoute({
    role: 'anybody',
    summary:
      "Opens a session of the console, with the admin token, an operator's key or the code of a sign-in link; the answer sets a cookie.",
    body: fields,
    answer: administrator,
    http: 201,
    refuses: {
      401: 'The token is wrong, or the code was used or is older than ten minutes.',
      403: "It does not come from the console's own page.",
      429: 'Too many wrong ones came from this address.',
    },
    example: {
      body: { token: 'O9OclMBkAzpM4aVt5O0vkJvOQY8Ar4VgT1zCZ2iC' },
      answer: {
        ...{ role: 'operator', name: 'Ana', operator_id: 1, masked_numbers: false },
        expires: 1_795_368_944_421,
      },
    },
    handle: async ({ deps, ctx, body }) => {
      // Another site must not log an operator in under its own key.
      if (classifyBrowserRequestOrigin(ctx, deps.publicUrl) === 'foreign') {
        // The token or code in its body is as good as before.
        noteInAudit(ctx, { kind: 'session', action: 'refused', detail: '' });
        throw new AdminError(403, 'a session is opened from the console’s own page');
      }
      const address = deps.addressOf(ctx);
      const who = 'code' in body ? await byCode(deps, ctx, body.code) : await byToken(deps, ctx, body.token);
      const session = await openConsoleSession(deps, ctx, who, address);
      const action = 'code' in body ? 'opened by a sign-in link' : 'opened';
      noteInAudit(ctx, { kind: 'session', actor: auditActorName(who), action, detail: '' });
      return { ...showAdministrator(who), expires: session.expires_at };
    },
  }),
  'POST /sign-in-codes': defineRoute({
    role: 'operator',
    summary: 'Makes an address that signs a browser in, once and within ten minutes, as who asks.',
    answer: z.object({
      code: z.string(),
      address: z
        .string()
        .describe('For a browser; the code stands in its fragment, which is sent to no server.'),
      expires: at,
    }),
    http: 201,
    refuses: { 403: 'It is asked for within a session: a link is made with a key.' },
    example: {
      answer: {
        code: 'Zr0nE8x2m4Q1k7W9bY3cV5tH6uJ8pL0sD2fG4hK6zXa',
        address: 'http://localhost:8080/admin#code=Zr0nE8x2m4Q1k7W9bY3cV5tH6uJ8pL0sD2fG4hK6zXa',
        expires: 1_795_326_344_421,
      },
    },
    handle: async ({ deps, ctx }) => {
      const who = getRequestAdministrator(ctx);
      if (who.session) throw new AdminError(403, 'a sign-in link is made with a key, not within a session');
      const { code, expires } = await makeSignInCode(deps, who.operator);
      noteInAudit(ctx, { kind: 'session', action: 'sign-in link made' });
      return { code, address: signInAddress(deps.publicUrl, code), expires };
    },
  }),
  'GET /sessions': defineRoute({
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
    handle: async ({ deps, ctx }) => {
      const own = getRequestAdministrator(ctx).session?.hash;
      const sessions = await deps.operators.sessions(mostListed);
      return { sessions: sessions.map((session) => ({ ...show(session), current: session.hash === own })) };
    },
  }),
  'GET /sessions/current': defineRoute({
    role: 'operator',
    summary: 'Says who asks, and until when the session lasts.',
    answer: administrator,
    example: {
      answer: { role: 'admin', name: 'admin', operator_id: null, masked_numbers: false, expires: null },
    },
    handle: ({ ctx }) => {
      const who = getRequestAdministrator(ctx);
      return { ...showAdministrator(who), expires: who.session?.expires_at ?? null };
    },
  }),
  'DELETE /sessions/current': defineRoute({
    role: 'operator',
    summary: 'Ends the session that asks.',
    refuses: { 409: 'A key was shown, and there is no session.' },
    example: {},
    handle: async ({ deps, ctx }) => {
      const { session } = getRequestAdministrator(ctx);
      if (!session) throw new AdminError(409, 'there is no session to end: this request showed a key');
      await endConsoleSession(deps, ctx, session);
      noteInAudit(ctx, { kind: 'session', action: 'ended' });
    },
  }),
  'DELETE /sessions/:session': defineRoute({
    role: 'admin',
    summary: 'Ends a session.',
    path: z.object({ session: z.string().meta({ json: { type: 'string', pattern: '^[0-9a-f]{16}$' } }) }),
    example: {},
    handle: async ({ deps, ctx, path: { session: id } }) => {
      const found = /^[0-9a-f]{16}$/.test(id) ? await deps.operators.endSessions(id) : 0;
      if (found === 0) throw notFound(`session ${id}`);
      noteInAudit(ctx, { kind: 'session', action: `ended ${id}` });
    },
  }),
};

const byToken = async (deps: AdminDeps, ctx: Context, token: string): Promise<AuthenticatedAdministrator> => {
  const counted = deps.countedAs(ctx);
  const who = await administratorByKey(deps, token, counted);
  if (typeof who === 'string') throw await refuseAdminAccess(deps, ctx, who, 'the token is wrong', counted);
  return who;
};

/** A code cannot be guessed, so one that opens nothing is not counted as a wrong key. Throws a 401. */
const byCode = async (deps: AdminDeps, ctx: Context, code: string): Promise<AuthenticatedAdministrator> => {
  const who = await bySignInCode(deps, code);
  if (who) return who;
  const why = 'this sign-in link was used, or is older than ten minutes';
  throw await refuseAdminAccess(deps, ctx, 'wrong', why, deps.countedAs(ctx));
};

const showAdministrator = ({ role, operator, masksNumbers }: AuthenticatedAdministrator) => ({
  role,
  name: operator?.name ?? 'admin',
  operator_id: operator?.id ?? null,
  masked_numbers: masksNumbers,
});

const show = ({ hash, ended_at: _, expires_at, ...session }: SessionRow) => ({
  session_id: hash.slice(0, idLength),
  ...session,
  expires: expires_at,
});
