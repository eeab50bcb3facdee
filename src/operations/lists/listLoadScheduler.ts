/**
 * Loads lists a few at a time: small ones here, large ones in a process each, with a heap that is small and
 * gone with it, so that neither the calls of this process nor its memory feel half a million records.
 */
import type { Pool } from 'pg';
import { loadListFile } from './loadListFile.ts';
import { loadListInChildProcess } from './loadListInChildProcess.ts';
import { ListLoadSemaphore } from './semaphore.ts';
import type { MakeKeyClaimsForList, ListLoadFailure, ListLoadJob, ListLoadSuccess } from './job.ts';

export interface DestinationListLoader {
  /** Throws `Unavailable` when too many wait, and when the database fails. */
  load(
    shard: string,
    job: ListLoadJob & { file: { bytes: number } },
    claimsOf: MakeKeyClaimsForList,
  ): Promise<ListLoadSuccess | ListLoadFailure>;
}

export interface DestinationListLoaderDeps {
  /** Connections of a shard for long statements. */
  pool(shard: string): Pool;
  /** Where a process connects to a shard. */
  address(shard: string): { url: string; schema: string };
  /** Lists at a time. Default 2: each takes a connection, and much of a processor. */
  atOnce?: number;
  /** Lists that may wait for their turn. Default 16. */
  waiting?: number;
  /** Files of this size and above are loaded in a process, bytes. Default 1,000,000. */
  largeBytes?: number;
}

export const createDestinationListLoader = (needs: DestinationListLoaderDeps): DestinationListLoader => {
  const { pool, address, atOnce = 2, waiting = 16, largeBytes = 1_000_000 } = needs;
  const turns = new ListLoadSemaphore(atOnce, waiting);
  return {
    load: (shard, job, claimsOf) =>
      turns.take(() =>
        job.file.bytes < largeBytes
          ? loadHere(pool(shard), job, claimsOf)
          : loadListInChildProcess(address(shard), job, claimsOf),
      ),
  };
};

const loadHere = async (
  pool: Pool,
  job: ListLoadJob,
  claimsOf: MakeKeyClaimsForList,
): Promise<ListLoadSuccess | ListLoadFailure> => {
  const client = await pool.connect();
  let lost: Error | undefined;
  try {
    return await loadListFile(client, job, claimsOf, (error) => (lost = error));
  } finally {
    client.release(lost);
  }
};
