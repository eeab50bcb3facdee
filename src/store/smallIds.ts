/** Small consecutive ids: of accounts, tokens, lists, campaigns. */
import type { Prisma } from '../generated/prisma/client.ts';
import { journalReservedIds } from './rowChanges/journaledPrismaClient.ts';

/** Reserves `count` of them and answers the first. Counters start at `from`. */
export const reserveIds = async (
  db: Prisma.TransactionClient,
  name: string,
  count: number,
  from = 1,
): Promise<number> => {
  const next = await journalReservedIds(
    db,
    (inner) => reserve(inner, name, count, from),
    (id) => ({ counter: name, next: id }),
  );
  return next - count;
};

const reserve = async (
  db: Prisma.TransactionClient,
  name: string,
  count: number,
  from: number,
): Promise<number> => {
  const rows = await db.$queryRaw<{ next: number }[]>`
    INSERT INTO small_ids (name, next) VALUES (${name}, ${from + count}::int)
    ON CONFLICT (name) DO UPDATE SET next = small_ids.next + ${count}::int RETURNING next`;
  return rows[0]!.next;
};
