/** Texts that may name a bank (spec 7, code 270); `*` stands for anything. */
import * as z from 'zod';
import type { ApprovedModel } from '../../generated/prisma/client.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import { at, text, booleanFieldSchema } from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { omitUndefined, notFound } from '../adminErrorsAndRequestParsing.ts';

const fields = z.strictObject({
  name: text(120).optional(),
  text: text(2_000).refine((value) => /[^\s*]/.test(value), 'must say something beside *'),
  active: booleanFieldSchema.optional(),
});

const record = z.object({
  id: z.int(),
  name: z.string(),
  text: z.string().describe('What a message may say; `*` stands for anything.'),
  active: z.boolean(),
  created_at: at,
  cdcs_id: z.int(),
});

/** Models of an account; each message that names a bank is compared with all of them. */
const most = 500;

const table = accountScopedTable((database) => database.approvedModel);

const show = ({ account_id: cdcs_id, ...model }: ApprovedModel) => ({ ...model, cdcs_id });

export const approvedModelRoutes = defineCrudRoutes({
  at: '/accounts/:account/approved-models',
  id: 'id',
  what: 'approved model',
  many: 'approved_models',
  scope: accountInPath,
  record,
  example: {
    ...{ id: 1, name: 'invoice', text: 'Banco Exemplo: your invoice of * is due on *' },
    ...{ active: true, created_at: 1_795_325_744_421, cdcs_id: 3 },
  },
  show,
  find: table.find,
  create: {
    summary: 'Approves a text that names a bank.',
    body: fields,
    refuses: { 409: 'The account has 500 approved models.' },
    example: { body: { name: 'invoice', text: 'Banco Exemplo: your invoice of * is due on *' } },
    handle: async (request) => {
      const { deps, account, body } = request;
      await table.checkRoom(request, most, 'approved models');
      const { text: said, ...rest } = body;
      const id = await deps.control.reserveIds('approvedModel', 1);
      return show(
        await deps.database(account.shard).approvedModel.create({
          data: { ...omitUndefined(rest), text: said, account_id: account.id, id, created_at: deps.now() },
        }),
      );
    },
  },
  list: {
    summary: 'Lists the approved texts of an account by id.',
    rows: async (request) => ({ rows: await table.rows(request, most) }),
  },
  change: {
    summary: 'Changes an approved text.',
    body: fields.partial(),
    example: { body: { active: false } },
    handle: async ({ deps, account, id, body, written }) => {
      const where = { account_id: account.id, id };
      const [model] = await deps
        .database(account.shard)
        .approvedModel.updateManyAndReturn({ where, data: omitUndefined(body) });
      if (!model) throw notFound(`approved model ${written['id']}`);
      return show(model);
    },
  },
  remove: { summary: 'Deletes an approved text.', handle: (request, { id }) => table.remove(request, id) },
});
