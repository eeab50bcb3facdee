/** The questions that all small tables of an account are asked alike; their keys are the account and an id of their own. */
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { AccountRow } from '../store/control.ts';
import type { AdminDoor } from './door.ts';
import { AdminError } from './respond.ts';

/** What is used of a model of Prisma's. */
interface Model<Row> {
  findUnique(asked: {
    where: { account_id_id: { account_id: number; id: number } };
  }): PromiseLike<Row | null>;
  findMany(asked: {
    where: { account_id: number; id?: { gt: number } };
    orderBy: { id: 'asc' };
    take?: number;
  }): PromiseLike<Row[]>;
  count(asked: { where: { account_id: number } }): PromiseLike<number>;
  deleteMany(asked: { where: { account_id: number; id: number } }): PromiseLike<{ count: number }>;
}

interface OfAccount {
  door: AdminDoor;
  account: AccountRow;
}

/** `model`: the table in the database of a shard. */
export const accountTable = <Row>(model: (database: PrismaClient) => Model<Row>) => {
  const of = ({ door, account }: OfAccount) => model(door.database(account.shard));
  return {
    /** Null: the account has none with this id. */
    find: (asked: OfAccount, id: number): PromiseLike<Row | null> =>
      of(asked).findUnique({ where: { account_id_id: { account_id: asked.account.id, id } } }),
    /** By id, ascending; `most`: at most so many, `after`: only greater ids. */
    rows: (asked: OfAccount, most?: number, after?: number): PromiseLike<Row[]> =>
      of(asked).findMany({
        where: { account_id: asked.account.id, ...(after !== undefined && { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        ...(most !== undefined && { take: most }),
      }),
    /** Whether there was one. */
    remove: async (asked: OfAccount, id: number): Promise<boolean> =>
      (await of(asked).deleteMany({ where: { account_id: asked.account.id, id } })).count > 0,
    /** Throws a 409 when an account that has so many makes one more. `what`: e.g. `tariffs`. */
    checkRoom: async (asked: OfAccount, most: number, what: string): Promise<void> => {
      const count = await of(asked).count({ where: { account_id: asked.account.id } });
      if (count >= most) throw new AdminError(409, `an account has at most ${most} ${what}`);
    },
  };
};
