/** The questions that all small tables of an account are asked alike; their keys are the account and an id of their own. */
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { AccountRow } from '../store/controlDatabase.ts';
import type { AdminDeps } from './deps.ts';
import { AdminError } from './adminErrorsAndRequestParsing.ts';

/** What is used of a model of Prisma's. */
interface Model<Row> {
  findUnique(request: {
    where: { account_id_id: { account_id: number; id: number } };
  }): PromiseLike<Row | null>;
  findMany(request: {
    where: { account_id: number; id?: { gt: number } };
    orderBy: { id: 'asc' };
    take?: number;
  }): PromiseLike<Row[]>;
  count(request: { where: { account_id: number } }): PromiseLike<number>;
  deleteMany(request: { where: { account_id: number; id: number } }): PromiseLike<{ count: number }>;
}

interface OfAccount {
  deps: AdminDeps;
  account: AccountRow;
}

/** `model`: the table in the database of a shard. */
export const accountScopedTable = <Row>(model: (database: PrismaClient) => Model<Row>) => {
  const of = ({ deps, account }: OfAccount) => model(deps.database(account.shard));
  return {
    /** Null: the account has none with this id. */
    find: (request: OfAccount, id: number): PromiseLike<Row | null> =>
      of(request).findUnique({ where: { account_id_id: { account_id: request.account.id, id } } }),
    /** By id, ascending; `most`: at most so many, `after`: only greater ids. */
    rows: (request: OfAccount, most?: number, after?: number): PromiseLike<Row[]> =>
      of(request).findMany({
        where: { account_id: request.account.id, ...(after !== undefined && { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        ...(most !== undefined && { take: most }),
      }),
    /** Whether there was one. */
    remove: async (request: OfAccount, id: number): Promise<boolean> =>
      (await of(request).deleteMany({ where: { account_id: request.account.id, id } })).count > 0,
    /** Throws a 409 when an account that has so many makes one more. `what`: e.g. `tariffs`. */
    checkRoom: async (request: OfAccount, most: number, what: string): Promise<void> => {
      const count = await of(request).count({ where: { account_id: request.account.id } });
      if (count >= most) throw new AdminError(409, `an account has at most ${most} ${what}`);
    },
  };
};
