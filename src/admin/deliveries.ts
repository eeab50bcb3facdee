/** Deliveries: their records, and dead letters sent again. One by itself is a machine (`/machines/:id/events`). */
import type { Router } from '@koa/router';
import { findMachines } from '../store/reads/machines.ts';
import { writeCallId } from '../wire/callId.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { pathId } from './respond.ts';

const pageSize = 200;
/** Dead letters sent again by one request. */
const replaySize = 500;

export const deliveryRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/accounts/:account/deliveries', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { cursor } = ctx.query;
    const below = cursor === undefined ? {} : { id: { lt: pathId(String(cursor), 'cursor') } };
    const rows = await door.database(shard).delivery.findMany({
      where: { account_id, ...below },
      orderBy: { id: 'desc' },
      take: pageSize + 1,
    });
    const page = rows.slice(0, pageSize);
    ctx.body = {
      deliveries: page.map(({ id, account_id: cdcs_id, ...row }) => ({
        delivery_id: writeCallId(shard, Number(id)),
        cdcs_id,
        ...row,
      })),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  /** All dead letters of the account; `more` when there are more than one request takes. */
  router.post('/accounts/:account/deliveries/replay', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const query = { account, kind: 'delivery', state: 'deadLetter', limit: replaySize + 1 };
    const found = await findMachines(door.pool(shard), query);
    const taken = found.slice(0, replaySize);
    const sent = await Promise.all(
      taken.map(({ id }) => door.engine.send({ shard, account, id }, { type: 'replay' })),
    );
    const replayed = sent.filter(({ outcome }) => outcome !== 'gone').length;
    ctx.body = { replayed, more: found.length > replaySize };
  });
};
