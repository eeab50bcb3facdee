/** Prices of SMS by prefix of the number; the longest prefix counts. */
import * as z from 'zod';
import type { Tariff } from '../../generated/prisma/client.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import {
  at,
  byId,
  maxRecordId,
  nextPageFieldsSchema,
  pageWithCursor,
  priceFieldSchema,
} from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, omitUndefined, notFound } from '../adminErrorsAndRequestParsing.ts';

const prefix = z.string().regex(/^\d{0,15}$/, 'must be at most 15 digits; empty stands for every number');
const fields = z.strictObject({ prefix, price: priceFieldSchema });

const record = z.object({
  id: z.int(),
  prefix: z.string().describe('The first digits of numbers; empty: every number.'),
  created_at: at,
  cdcs_id: z.int(),
  price: z.number().describe('Of one segment.'),
});

const pageSize = 500;
/** Tariffs of an account. */
const most = 5_000;

const table = accountScopedTable((database) => database.tariff);

const show = ({ account_id: cdcs_id, price: amount, ...tariff }: Tariff) => ({
  ...tariff,
  cdcs_id,
  price: Number(amount),
});

export const tariffRoutes = defineCrudRoutes({
  at: '/accounts/:account/tariffs',
  id: 'id',
  what: 'tariff',
  many: 'tariffs',
  scope: accountInPath,
  record,
  example: { id: 1, prefix: '5511', created_at: 1_795_325_744_421, cdcs_id: 3, price: 0.08 },
  show,
  find: table.find,
  create: {
    summary: 'Sets a price for numbers with a prefix.',
    body: fields,
    refuses: { 409: 'There is a tariff for the prefix, or the account has 5000.' },
    example: { body: { prefix: '5511', price: '0.08' } },
    handle: async (request) => {
      const { deps, account, body } = request;
      await table.checkRoom(request, most, 'tariffs');
      const id = await deps.control.reserveIds('tariff', 1);
      const tariff = await unlessTaken(body.prefix, () =>
        deps.database(account.shard).tariff.create({
          data: { ...body, account_id: account.id, id, created_at: deps.now() },
        }),
      );
      return show(tariff);
    },
  },
  list: {
    summary: 'Lists the prices of an account by id.',
    query: byId('tariff', maxRecordId),
    beside: nextPageFieldsSchema,
    rows: async (request) =>
      pageWithCursor(await table.rows(request, pageSize + 1, request.query.cursor), pageSize),
  },
  change: {
    summary: 'Changes a price, or its prefix.',
    body: fields.partial(),
    refuses: { 409: 'There is a tariff for the prefix.' },
    example: { body: { price: '0.075' } },
    handle: async ({ deps, account, id, body, written }) => {
      const data = omitUndefined(body);
      const [tariff] = await unlessTaken(data.prefix, () =>
        deps
          .database(account.shard)
          .tariff.updateManyAndReturn({ where: { account_id: account.id, id }, data }),
      );
      if (!tariff) throw notFound(`tariff ${written['id']}`);
      return show(tariff);
    },
  },
  remove: {
    summary: 'Deletes a price.',
    handle: (request, { id }) => table.remove(request, id),
  },
});

/** A prefix has one price. */
const unlessTaken = async <T>(prefix: string | undefined, write: () => Promise<T>): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    if ((error as { code?: string }).code !== 'P2002') throw error;
    throw new AdminError(409, `there is a tariff for the prefix "${prefix}" already`, { field: 'prefix' });
  }
};
