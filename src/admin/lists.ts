/** Destination lists, and the records of them that were refused. */
import type { Router } from '@koa/router';
import { usesOfList } from '../store/reads/uses.ts';
import { removeList } from '../store/sql/removeList.ts';
import { findLists, listRejects, type ListRow } from '../store/reads/lists/lists.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { AdminError, notFound, pathId } from './respond.ts';
import { refuseInUse } from './uses.ts';

const pageSize = 500;

export const listRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/accounts/:account/lists', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const cursor = ctx.query['cursor'];
    const rows = await findLists(door.pool(shard), {
      account,
      ...(cursor !== undefined && { belowId: pathId(String(cursor), 'cursor') }),
      limit: pageSize + 1,
    });
    const page = rows.slice(0, pageSize);
    ctx.body = { lists: page.map(show), cursor: rows.length > pageSize ? page.at(-1)!.id : null };
  });

  router.get('/accounts/:account/lists/:list', async (ctx) => {
    ctx.body = show((await listOf(door, ctx.params)).list);
  });

  // What ended keeps its counts, its calls and what was left out; names and extras of its records are gone with the list.
  router.delete('/accounts/:account/lists/:list', async (ctx) => {
    const { list, account, shard } = await listOf(door, ctx.params);
    const pool = door.pool(shard);
    refuseInUse(`list ${list.id}`, await usesOfList(pool, account, list.id), shard);
    if (!(await removeList(pool, account, list.id)))
      throw new AdminError(409, `list ${list.id} is in use: a campaign of it was made just now`);
    ctx.status = 204;
  });

  router.get('/accounts/:account/lists/:list/rejects', async (ctx) => {
    const { list, account, shard } = await listOf(door, ctx.params);
    const after = pathId(String(ctx.query['cursor'] ?? '0'), 'cursor');
    const where = { account, list: list.id, after: Math.min(after, largestId), limit: pageSize + 1 };
    const rows = await listRejects(door.pool(shard), where);
    const page = rows.slice(0, pageSize);
    ctx.body = { rejects: page, cursor: rows.length > pageSize ? page.at(-1)!.row : null };
  });
};

/** Ids and rows fit 31 bits. */
const largestId = 2 ** 31 - 1;

const listOf = async (
  door: AdminDoor,
  path: Readonly<Record<string, string | undefined>>,
): Promise<{ list: ListRow; account: number; shard: string }> => {
  const { id: account, shard } = await accountOf(door, path['account']);
  const id = pathId(path['list'], 'list');
  const [list] = id > largestId ? [] : await findLists(door.pool(shard), { account, id, limit: 1 });
  if (!list) throw notFound(`list ${path['list']}`);
  return { list, account, shard };
};

const show = ({ id, name, file, correlation, records, ...list }: ListRow) => ({
  cdlc_id: id,
  cdlc_name: name,
  cdlc_file: file,
  cdlc_ctid: correlation,
  cdlc_num: records,
  ...list,
});
