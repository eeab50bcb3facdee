/** Opening a database: one pool, for hand-written SQL and for Prisma alike. */
import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import { openDatabasePool, type ShardDatabaseLocation, type DatabaseOptions } from './pool.ts';

export interface Database extends ShardDatabaseLocation {
  /** bigint columns come as numbers: times and ids stay below 2^53. */
  pool: Pool;
  /** For ordinary reads and writes; bigint columns come as `bigint`. */
  prisma: PrismaClient;
  close(): Promise<void>;
}

/** Opens a database without talking to it yet. */
export function openDatabase(address: ShardDatabaseLocation, options: DatabaseOptions = {}): Database {
  const pool = openDatabasePool(address, options);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { schema: address.schema }) });
  return {
    ...address,
    pool,
    prisma,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
