/** Groups of campaigns and audio assets (`cdg_id`, `group`). */
import * as z from 'zod';
import type { Group } from '../../generated/prisma/client.ts';
import { isCampaignOrAudioGroupInUse } from '../../store/reads/campaigns/groups.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import { at, byId, maxRecordId, name, nextPageFieldsSchema, pageWithCursor } from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';

const fields = z.strictObject({ name });
const pageSize = 500;

const table = accountScopedTable((database) => database.group);

const show = ({ account_id, id, ...group }: Group) => ({ cdg_id: id, cdcs_id: account_id, ...group });

export const campaignGroupRoutes = defineCrudRoutes({
  at: '/accounts/:account/groups',
  id: 'id',
  what: 'group',
  many: 'groups',
  scope: accountInPath,
  record: z.object({ cdg_id: z.int(), cdcs_id: z.int(), name: z.string(), created_at: at }),
  example: { cdg_id: 1, cdcs_id: 3, name: 'spring', created_at: 1_795_325_744_421 },
  show,
  find: table.find,
  create: {
    summary: 'Makes a group of campaigns and audio.',
    body: fields,
    example: { body: { name: 'spring' } },
    handle: async ({ deps, account, body }) => {
      const id = await deps.control.reserveIds('group', 1);
      const data = { ...body, account_id: account.id, id, created_at: deps.now() };
      return show(await deps.database(account.shard).group.create({ data }));
    },
  },
  list: {
    summary: 'Lists the groups of an account by id.',
    query: byId('group', maxRecordId),
    beside: nextPageFieldsSchema,
    rows: async (request) =>
      pageWithCursor(await table.rows(request, pageSize + 1, request.query.cursor), pageSize),
  },
  change: {
    summary: 'Renames a group.',
    body: fields,
    example: { body: { name: 'autumn' } },
    handle: async ({ deps, account, id, body, written }) => {
      const where = { account_id: account.id, id };
      const [group] = await deps.database(account.shard).group.updateManyAndReturn({ where, data: body });
      if (!group) throw notFound(`group ${written['id']}`);
      return show(group);
    },
  },
  remove: {
    summary: 'Deletes a group that nothing belongs to.',
    refuses: { 409: 'Campaigns or audio belong to it.' },
    handle: async (request, { account_id, id }) => {
      if (await isCampaignOrAudioGroupInUse(request.deps.pool(request.account.shard), account_id, id))
        throw new AdminError(409, `campaigns or audio belong to group ${id}`);
      return table.remove(request, id);
    },
  },
});
