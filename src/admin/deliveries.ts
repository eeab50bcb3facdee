/** Deliveries: their records, and dead letters sent again. One by itself is a machine (`/machines/:id/events`). */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { deadLetters } from '../store/reads/deliveries/deliveries.ts';
import { type DeliveryRow, findDeliveries } from '../store/reads/deliveries/deliveryRecords.ts';
import { readCallId, writeCallId } from '../wire/callId.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { pendingSentence } from './explained/callbacks.ts';
import { moment } from './fields.ts';
import { pathId, read } from './respond.ts';

const pageSize = 200;
/** Dead letters sent again at a time, and by one request. */
const replayPage = 500;
const replayMost = 10_000;

/** A moment in a query, where numbers are digits. */
const queryMoment = z
  .string()
  .transform((text) => (/^\d{9,15}$/.test(text) ? Number(text) : text))
  .pipe(moment);

const states = [
  ...['pending', 'attempting', 'idle', 'retrying', 'deferred'],
  ...['deadLetter', 'delivered', 'givenUp'],
] as const;

const filters = z.object({
  state: z.enum(states).optional(),
  /** The call, message or campaign that it is about: `a_123`, or its number. */
  about: z.string().max(40).optional(),
  since: queryMoment.optional(),
  until: queryMoment.optional(),
  cursor: z.string().optional(),
});

const replay = z.object({ since: moment.optional(), until: moment.optional() });

export const deliveryRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/accounts/:account/deliveries', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const { about, cursor, ...filter } = read(filters, ctx.query);
    const rows = await findDeliveries(door.pool(shard), {
      ...{ account, at: door.engine.now(shard), limit: pageSize + 1, ...filter },
      about: about === undefined ? undefined : aboutId(about),
      belowId: cursor === undefined ? undefined : pathId(cursor, 'cursor'),
    });
    const page = rows.slice(0, pageSize);
    ctx.body = {
      deliveries: page.map((row) => shown(shard, account, row)),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  /**
   * Dead letters of the account, oldest first, all or those that began between two moments; `more` when there are more
   * than one request takes. One that is on its way already is not sent beside itself.
   */
  router.post('/accounts/:account/deliveries/replay', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const { since = 0, until = Number.MAX_SAFE_INTEGER } = read(replay, ctx.request.body);
    let replayed = 0;
    let after = 0;
    for (let taken = 0; taken < replayMost; taken += replayPage) {
      const query = { account, since, until, after, limit: replayPage };
      const found = await deadLetters(door.pool(shard), query);
      const sent = await Promise.all(
        found.map((id) => door.engine.send({ shard, account, id }, { type: 'replay' })),
      );
      replayed += sent.filter(({ outcome }) => outcome !== 'gone').length;
      if (found.length < replayPage) {
        ctx.body = { replayed, more: false };
        return;
      }
      after = found.at(-1)!;
    }
    ctx.body = { replayed, more: true };
  });
};

/** `reason`: why it has not begun; empty: it has. */
const shown = (shard: string, cdcs_id: number, { id, ...row }: DeliveryRow) => ({
  ...{ delivery_id: writeCallId(shard, id), cdcs_id, ...row },
  reason: row.state === 'pending' ? pendingSentence(row.last_error) : '',
});

/** What is no id is about nothing. */
const aboutId = (text: string): number => readCallId(text, '')?.id ?? -1;
