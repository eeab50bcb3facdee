/** An account's callbacks: the secret that signs them, a test, and how their targets are. */
import * as z from 'zod';
import type { WebhookEndpointHealthView } from '../../providers/delivery/webhook.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { at, text } from '../fieldSchemas.ts';
import { AdminError, checkOutboundUrl } from '../adminErrorsAndRequestParsing.ts';

const HOUR = 3_600_000;

const rotation = z.strictObject({ overlap_hours: z.number().min(0).max(720).default(24) });

const trial = z.strictObject({
  url: text(2_000)
    .transform((url) => url.trim())
    .pipe(z.string().min(1))
    .optional(),
});

export const callbackRoutes = {
  'POST /accounts/:account/webhook-secret': defineRoute({
    role: 'admin',
    summary: 'Makes a new secret for the callbacks of an account; the old one signs beside it for a while.',
    scope: accountInPath,
    body: rotation,
    answer: z.object({
      cdcs_id: z.int(),
      webhook_secret: z.string().nullable(),
      webhook_secret_before_until: at.nullable().describe('How long the old one signs too; null: no more.'),
    }),
    refuses: { 409: 'It was changed at this very moment.' },
    example: {
      body: { overlap_hours: 24 },
      answer: {
        ...{ cdcs_id: 3, webhook_secret: 'whsec_c2VjcmV0' },
        webhook_secret_before_until: 1_795_412_144_421,
      },
    },
    handle: async ({ deps, account: { id, webhook_secret }, body: { overlap_hours: hours } }) => {
      const until = hours === 0 ? null : deps.now() + Math.round(hours * HOUR);
      const next = {
        webhook_secret: deps.callbacks.newSecret(id),
        webhook_secret_before: until === null ? '' : webhook_secret,
        webhook_secret_before_until: until,
      };
      const changed = await deps.control.updateAccount(id, next, { webhook_secret });
      if (!changed) throw new AdminError(409, 'the secret was changed at this very moment: look at it again');
      return {
        cdcs_id: id,
        webhook_secret: deps.callbacks.openSecret(id, changed.webhook_secret),
        webhook_secret_before_until: changed.webhook_secret_before_until,
      };
    },
  }),
  'POST /accounts/:account/callback-test': defineRoute({
    role: 'admin',
    summary: 'Sends a signed test event now, and says what came of it.',
    scope: accountInPath,
    body: trial,
    answer: z.object({
      delivered: z.boolean(),
      reason: z.string().optional().describe('Why not; `notNow` when it may work later.'),
      message: z.string().optional(),
      http_status: z.int().describe('0: there was no answer.'),
      answer: z.string().describe('The beginning of it.'),
      took_ms: z.number(),
    }),
    example: {
      body: { url: 'https://crm.example/ramal' },
      answer: { delivered: true, http_status: 200, answer: 'ok', took_ms: 12 },
    },
    handle: ({ deps, account: { id: account, shard, callback_url }, body: { url } }) => {
      checkOutboundUrl(deps, 'url', url);
      if ((url ?? callback_url) === '')
        throw new AdminError(400, 'the account has no callback_url: set one, or name a url', {
          field: 'url',
        });
      return deps.callbacks.test({ shard, account }, url);
    },
  }),
  'GET /accounts/:account/callback-targets': defineRoute({
    role: 'operator',
    summary: 'Shows how the targets of callbacks are, as the process that answers knows them.',
    scope: accountInPath,
    answer: z.object({
      targets: z.array(
        z.object({
          target: z.string(),
          state: z.enum(['closed', 'open', 'half']).describe('open: nothing is sent until `next_at`.'),
          failures: z.int().describe('Since the last success.'),
          waiting: z.int(),
          in_flight: z.int(),
          usual_ms: z.number(),
          next_at: at.nullable(),
          last_error: z.string(),
          last_error_at: at.nullable(),
        }),
      ),
    }),
    example: {
      answer: {
        targets: [
          {
            ...{ target: 'https://crm.example', state: 'closed', failures: 0, waiting: 0, in_flight: 0 },
            ...{ usual_ms: 12, next_at: null, last_error: '', last_error_at: null },
          },
        ],
      },
    },
    handle: ({ deps, account: { id } }) => ({
      targets: deps.callbacks.targetsOf(id).map((target) => show(target, deps.now())),
    }),
  }),
};

const show = ({ opensInMs, lastErrorAt, ...target }: WebhookEndpointHealthView, now: number) => ({
  target: target.origin,
  state: target.state,
  failures: target.failures,
  waiting: target.waiting,
  in_flight: target.inFlight,
  usual_ms: target.usualMs,
  next_at: opensInMs === 0 ? null : now + opensInMs,
  last_error: target.lastError,
  last_error_at: lastErrorAt || null,
});
