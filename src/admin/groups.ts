/** Groups of campaigns and audio assets (`cdg_id`, `group`). */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { Group } from '../generated/prisma/client.ts';
import { groupInUse } from '../store/reads/campaigns/groups.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { name } from './fields.ts';
import { AdminError, notFound, pathId, read } from './respond.ts';

const fields = z.strictObject({ name });
const pageSize = 500;

export const groupRoutes = (router: Router, door: AdminDoor): void => {
  const groupsOf = (shard: string) => door.database(shard).group;

  router.post('/accounts/:account/groups', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const asked = read(fields, ctx.request.body);
    const id = await door.control.reserveIds('group', 1);
    const group = await groupsOf(shard).create({
      data: { ...asked, account_id, id, created_at: door.now() },
    });
    ctx.status = 201;
    ctx.body = show(group);
  });

  router.get('/accounts/:account/groups', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const after = idOf(String(ctx.query['cursor'] ?? '0'));
    const where = { account_id, id: { gt: after } };
    const rows = await groupsOf(shard).findMany({ where, orderBy: { id: 'asc' }, take: pageSize + 1 });
    const page = rows.slice(0, pageSize);
    ctx.body = {
      groups: page.map(show),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  router.get('/accounts/:account/groups/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id_id: { account_id, id: idOf(ctx.params['id']) } };
    const group = await groupsOf(shard).findUnique({ where });
    if (!group) throw notFound(`group ${ctx.params['id']}`);
    ctx.body = show(group);
  });

  router.patch('/accounts/:account/groups/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id, id: idOf(ctx.params['id']) };
    const [group] = await groupsOf(shard).updateManyAndReturn({
      where,
      data: read(fields, ctx.request.body),
    });
    if (!group) throw notFound(`group ${ctx.params['id']}`);
    ctx.body = show(group);
  });

  router.delete('/accounts/:account/groups/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const id = idOf(ctx.params['id']);
    if (await groupInUse(door.pool(shard), account_id, id))
      throw new AdminError(409, `campaigns or audio belong to group ${id}`);
    const { count } = await groupsOf(shard).deleteMany({ where: { account_id, id } });
    if (count === 0) throw notFound(`group ${id}`);
    ctx.status = 204;
  });
};

const idOf = (text: string | undefined): number => {
  const id = pathId(text, 'group');
  if (id >= 2 ** 31) throw notFound(`group ${text}`);
  return id;
};

const show = ({ account_id, id, ...group }: Group) => ({ cdg_id: id, cdcs_id: account_id, ...group });
