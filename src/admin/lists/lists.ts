/** Destination lists, and the records of them that were refused. */
import * as z from 'zod';
import type { AccountRow } from '../../store/control.ts';
import { usesOfList } from '../../store/reads/uses.ts';
import { removeList } from '../../store/sql/removeList.ts';
import { findLists, listRejects, type ListRow } from '../../store/reads/lists/lists.ts';
import { ofAccount } from '../accounts/ofAccount.ts';
import { route, type Scope } from '../declare.ts';
import { byId, idCursor, idIn, mostId } from '../fields.ts';
import { AdminError, notFound, pathId } from '../respond.ts';
import { refuseInUse } from '../uses.ts';
import { listExample, listRecord, rejectRecord, showList } from './shapes.ts';

const pageSize = 500;

interface List {
  list: ListRow;
  account: AccountRow;
}

/** A list, and the account that has it. */
export const ofList: Scope<List> = {
  params: { ...ofAccount.params, list: idIn('list') },
  find: async (request) => {
    const { account } = await ofAccount.find(request);
    const written = request.written['list'];
    const id = pathId(written, 'list');
    const query = { account: account.id, id, limit: 1 };
    const [list] = id > mostId ? [] : await findLists(request.deps.pool(account.shard), query);
    if (!list) throw notFound(`list ${written}`);
    return { list, account };
  },
};

const next = z.object({
  cursor: z.int().nullable().describe('As `?cursor=` takes it; null: the last page.'),
});

export const listRoutes = {
  'GET /accounts/:account/lists': route({
    role: 'operator',
    summary: 'Lists the destination lists of an account, newest first.',
    scope: ofAccount,
    query: z.object({ cursor: idCursor() }),
    answer: z.object({ lists: z.array(listRecord), ...next.shape }),
    example: { answer: { lists: [listExample], cursor: null } },
    handle: async ({ deps, account: { id: account, shard }, query: { cursor } }) => {
      const rows = await findLists(deps.pool(shard), {
        account,
        ...(cursor !== undefined && { belowId: Math.min(cursor, mostId) }),
        limit: pageSize + 1,
      });
      const page = rows.slice(0, pageSize);
      return { lists: page.map(showList), cursor: rows.length > pageSize ? page.at(-1)!.id : null };
    },
  }),
  'GET /accounts/:account/lists/:list': route({
    role: 'operator',
    summary: 'Shows a destination list.',
    scope: ofList,
    answer: listRecord,
    example: { answer: listExample },
    handle: ({ list }) => showList(list),
  }),
  // What ended keeps its counts, its calls and what was left out; names and extras of its records are gone with the list.
  'DELETE /accounts/:account/lists/:list': route({
    role: 'admin',
    summary: 'Deletes a list that nothing needs any more, with names and extras of its records.',
    scope: ofList,
    refuses: { 409: 'It is in use; the answer says by what.' },
    example: {},
    handle: async ({ deps, list, account: { id: account, shard } }) => {
      const pool = deps.pool(shard);
      refuseInUse(`list ${list.id}`, await usesOfList(pool, account, list.id), shard);
      if (!(await removeList(pool, account, list.id)))
        throw new AdminError(409, `list ${list.id} is in use: a campaign of it was made just now`);
    },
  }),
  'GET /accounts/:account/lists/:list/rejects': route({
    role: 'operator',
    summary: 'Lists the records of a list that were refused, and why.',
    scope: ofList,
    query: byId(),
    answer: z.object({
      rejects: z.array(rejectRecord),
      ...next.shape,
    }),
    example: { answer: { rejects: [{ row: 4, reason: 'phone', content: 'x;Ana' }], cursor: null } },
    handle: async ({ deps, list, account: { id: account, shard }, query }) => {
      const after = Math.min(query.cursor ?? 0, mostId);
      const filter = { account, list: list.id, after, limit: pageSize + 1 };
      const rows = await listRejects(deps.pool(shard), filter);
      const page = rows.slice(0, pageSize);
      return { rejects: page, cursor: rows.length > pageSize ? page.at(-1)!.row : null };
    },
  }),
};
