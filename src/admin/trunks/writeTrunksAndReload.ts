/** Trunks, servers and routes are written one at a time, and this node goes by what was written when it is answered. */
import type { Prisma } from '../../generated/prisma/client.ts';
import { withTrunkWriteLock } from '../../store/trunkWrites.ts';
import type { AdminDeps } from '../deps.ts';

/** `work` throws an `AdminError` for what it refuses: then nothing is written. */
export const runTrunkTransactionAndReload = async <Answer>(
  { trunks }: AdminDeps,
  work: (db: Prisma.TransactionClient) => Promise<Answer>,
): Promise<Answer> => {
  const answer = await withTrunkWriteLock(trunks.database, work);
  await trunks.changed();
  return answer;
};
