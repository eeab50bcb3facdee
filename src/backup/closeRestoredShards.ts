/** Rows of a copy know nothing of what was done after it: the shards that hold them are closed. */
import type { ClientBase, Pool } from 'pg';
import { qualifiedSqlName } from './databaseSchemaCatalogue.ts';

export interface BackupTakenAndRestoredAt {
  /** When the backup was taken, epoch milliseconds; null: a whole machine was restored, and nothing says how old it is. */
  takenAt: number | null;
  /** Now, epoch milliseconds. */
  at: number;
}

/** The engine knows such a shard by these words (`RESTORED_WITH_MACHINE_REASON` of `engine/contract/store.ts`; `test/compose/restoredMachine.test.ts`). */
const restoredWithMachine = 'restored with its machine (start --restored)';

/** Closes the shard whose rows are in this schema; false when its tables have no state of shards yet. */
export const markRestoredShardsClosed = async (
  client: ClientBase | Pool,
  schema: string,
  { takenAt, at }: BackupTakenAndRestoredAt,
): Promise<boolean> => {
  const table = qualifiedSqlName(schema, 'shard_state');
  // Of releases before, the table has fewer columns.
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  if (rows.length === 0) return false;
  const waits = rows.some(({ name }) => name === 'restored');
  const reason =
    takenAt === null ? restoredWithMachine : `restored from a backup of ${new Date(takenAt).toISOString()}`;
  const also = waits ? ', restored' : '';
  // The rows come from another server now: the node that opens the shard writes down which. What nodes confirmed
  // before the backup does not hold for these rows.
  await client.query(
    `INSERT INTO ${table} AS s ("only", state, reason, since, doubt, system_identifier, timeline${also})
     VALUES (true, 'closed', $1, $2, 1, NULL, NULL${waits ? ', true' : ''})
     ON CONFLICT ("only") DO UPDATE SET state = excluded.state, reason = excluded.reason, since = excluded.since,
       doubt = s.doubt + 1, system_identifier = NULL, timeline = NULL${waits ? ', restored = true' : ''}`,
    [reason, at],
  );
  return true;
};
