/**
 * Who stands above whom: a reseller pays for the accounts below it, so no account stands above itself, and no chain is
 * longer than what a message's payers are looked up to.
 */
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';

/** Accounts that may stand one above the other. */
export const maxResellerChainLength = 10;

/** A reseller that an account cannot have; the message says why. */
export class ResellerChainError extends Error {}

/** Takes the lock on changes of resellers, until the end of the transaction it is called in. */
export const lockResellerChanges = async (db: Prisma.TransactionClient): Promise<void> => {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('resellers'))`;
};

/** `account`: who is to stand under `reseller`; null: a new one, with no account below. Throws `ResellerChainError`. */
export const checkResellerLoopAndDepth = async (
  db: PrismaClient | Prisma.TransactionClient,
  reseller: number,
  account: number | null,
): Promise<void> => {
  const [chain] = await db.$queryRaw<{ above: number; below: number; ring: boolean | null }[]>`
    WITH RECURSIVE above(id, next, depth) AS (
      SELECT id, reseller_id, 1 FROM accounts WHERE id = ${reseller}::int
      UNION ALL
      SELECT accounts.id, accounts.reseller_id, depth + 1 FROM accounts JOIN above ON accounts.id = above.next
      WHERE depth <= ${maxResellerChainLength}::int),
    below(id, depth) AS (
      SELECT ${account}::int, 1
      UNION ALL
      SELECT accounts.id, depth + 1 FROM accounts JOIN below ON accounts.reseller_id = below.id
      WHERE depth <= ${maxResellerChainLength}::int)
    SELECT (SELECT max(depth) FROM above) AS above, (SELECT max(depth) FROM below) AS below,
      (SELECT bool_or(id = ${account}::int) FROM above) AS ring`;
  if (chain!.ring) throw new ResellerChainError('it would pay for itself');
  if (chain!.above + chain!.below > maxResellerChainLength)
    throw new ResellerChainError(`at most ${maxResellerChainLength} accounts stand above each other`);
};
