/** Destination lists, and the records of them that were refused. */
import * as z from 'zod';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { usesOfList } from '../../store/reads/listAndAudioUses.ts';
import { deleteDestinationList } from '../../store/sql/deleteDestinationList.ts';
import {
  findDestinationLists,
  readListRejects,
  type DestinationListRow,
} from '../../store/reads/lists/lists.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute, type PathResourceLookup } from '../routeDeclaration.ts';
import { byId, idCursorField, idIn, maxRecordId } from '../fieldSchemas.ts';
import { AdminError, notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import { refuseInUse } from '../uses.ts';
import {
  destinationListExample,
  destinationListSchema,
  rejectedRowSchema,
  toDestinationListAnswer,
  toRejectedRowAnswer,
} from './destinationListSchemas.ts';

const pageSize = 500;

interface List {
  list: DestinationListRow;
  account: AccountRow;
}

/** A list, and the account that has it. */
export const listPathLookup: PathResourceLookup<List> = {
  params: { ...accountInPath.params, list: idIn('list') },
  find: async (request) => {
    const { account } = await accountInPath.find(request);
    const written = request.written['list'];
    const id = parsePathId(written, 'list');
    const query = { account: account.id, id, limit: 1 };
    const [list] =
      id > maxRecordId ? [] : await findDestinationLists(request.deps.pool(account.shard), query);
    if (!list) throw notFound(`list ${written}`);
    return { list, account };
  },
};

const next = z.object({
  cursor: z.int().nullable().describe('As `?cursor=` takes it; null: the last page.'),
});

export const destinationListRoutes = {
  'GET /accounts/:account/lists': defineRoute({
    role: 'operator',
    summary: 'Lists the destination lists of an account, newest first.',
    scope: accountInPath,
    query: z.object({ cursor: idCursorField() }),
    answer: z.object({ lists: z.array(destinationListSchema), ...next.shape }),
    example: { answer: { lists: [destinationListExample], cursor: null } },
    handle: async ({ deps, account: { id: account, shard }, query: { cursor } }) => {
      const rows = await findDestinationLists(deps.pool(shard), {
        account,
        ...(cursor !== undefined && { belowId: Math.min(cursor, maxRecordId) }),
        limit: pageSize + 1,
      });
      const page = rows.slice(0, pageSize);
      return {
        lists: page.map(toDestinationListAnswer),
        cursor: rows.length > pageSize ? page.at(-1)!.id : null,
      };
    },
  }),
  'GET /accounts/:account/lists/:list': defineRoute({
    role: 'operator',
    summary: 'Shows a destination list.',
    scope: listPathLookup,
    answer: destinationListSchema,
    example: { answer: destinationListExample },
    handle: ({ list }) => toDestinationListAnswer(list),
  }),
  // What ended keeps its counts, its calls and what was left out; names and extras of its records are gone with the list.
  'DELETE /accounts/:account/lists/:list': defineRoute({
    role: 'admin',
    summary: 'Deletes a list that nothing needs any more, with names and extras of its records.',
    scope: listPathLookup,
    refuses: { 409: 'It is in use; the answer says by what.' },
    example: {},
    handle: async ({ deps, list, account: { id: account, shard } }) => {
      const pool = deps.pool(shard);
      refuseInUse(`list ${list.id}`, await usesOfList(pool, account, list.id), shard);
      if (!(await deleteDestinationList(pool, account, list.id)))
        throw new AdminError(409, `list ${list.id} is in use: a campaign of it was made just now`);
    },
  }),
  'GET /accounts/:account/lists/:list/rejects': defineRoute({
    role: 'operator',
    summary: 'Lists the records of a list that were refused, and why.',
    scope: listPathLookup,
    query: byId(),
    answer: z.object({
      rejects: z.array(rejectedRowSchema),
      ...next.shape,
    }),
    example: {
      answer: { rejects: [{ row: 4, line: 5, reason: 'phone is missing', content: ';Ana' }], cursor: null },
    },
    handle: async ({ deps, list, account: { id: account, shard }, query }) => {
      const after = Math.min(query.cursor ?? 0, maxRecordId);
      const filter = { account, list: list.id, after, limit: pageSize + 1 };
      const rows = await readListRejects(deps.pool(shard), filter);
      const page = rows.slice(0, pageSize);
      return {
        rejects: page.map((one) => toRejectedRowAnswer(list.file, one)),
        cursor: rows.length > pageSize ? page.at(-1)!.row : null,
      };
    },
  }),
};
