/** Writes of trunks, their servers and routes, one at a time: what a check has read stays so until its write is done. */
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';

/** For a connection, and for the whole with waiting for other writes, milliseconds. */
const patience = { maxWait: 5_000, timeout: 15_000 };

/** `work` may throw: then nothing is written. */
export const withTrunkWriteLock = <Answer>(
  db: PrismaClient,
  work: (db: Prisma.TransactionClient) => Promise<Answer>,
): Promise<Answer> =>
  db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('trunks'))`;
    return work(tx);
  }, patience);
