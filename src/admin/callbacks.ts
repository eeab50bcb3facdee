/** An account's callbacks: the secret that signs them, a test, and how their targets are. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { TargetView } from '../providers/delivery/webhook.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { text } from './fields.ts';
import { AdminError, checkUrl, read } from './respond.ts';

const HOUR = 3_600_000;

const rotation = z.strictObject({ overlap_hours: z.number().min(0).max(720).default(24) });

export const callbackRoutes = (router: Router, door: AdminDoor): void => {
  /** From now on the new secret signs, and the old one beside it for a while. */
  router.post('/accounts/:account/webhook-secret', async (ctx) => {
    const { id, webhook_secret } = await accountOf(door, ctx.params['account']);
    const { overlap_hours: hours } = read(rotation, ctx.request.body);
    const until = hours === 0 ? null : door.now() + Math.round(hours * HOUR);
    const next = {
      webhook_secret: door.callbacks.newSecret(id),
      webhook_secret_before: until === null ? '' : webhook_secret,
      webhook_secret_before_until: until,
    };
    const changed = await door.control.updateAccount(id, next, { webhook_secret });
    if (!changed) throw new AdminError(409, 'the secret was changed at this very moment: look at it again');
    ctx.body = {
      cdcs_id: id,
      webhook_secret: door.callbacks.openSecret(id, changed.webhook_secret),
      webhook_secret_before_until: changed.webhook_secret_before_until,
    };
  });

  /** A signed test event, sent now. */
  router.post('/accounts/:account/callback-test', async (ctx) => {
    const { id: account, shard, callback_url } = await accountOf(door, ctx.params['account']);
    const { url } = read(trial, ctx.request.body);
    checkUrl(door, 'url', url);
    if ((url ?? callback_url) === '')
      throw new AdminError(400, 'the account has no callback_url: set one, or name a url', { field: 'url' });
    ctx.body = await door.callbacks.test({ shard, account }, url);
  });

  /** As the process that answers knows them. */
  router.get('/accounts/:account/callback-targets', async (ctx) => {
    const { id } = await accountOf(door, ctx.params['account']);
    ctx.body = { targets: door.callbacks.targetsOf(id).map((target) => show(target, door.now())) };
  });
};

const trial = z.strictObject({
  url: text(2_000)
    .transform((url) => url.trim())
    .pipe(z.string().min(1))
    .optional(),
});

const show = ({ opensInMs, lastErrorAt, ...target }: TargetView, now: number) => ({
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
