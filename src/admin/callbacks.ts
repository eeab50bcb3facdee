/** The secret that signs an account's callbacks. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { AdminError, read } from './respond.ts';

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
};
