/** Rows of a backup know nothing of what was done after it: the shards that hold them are closed. */
import type { ClientBase, Pool } from 'pg';
import { qualified } from './catalogue.ts';

/**
 * Closes the shard whose rows are in this schema; false when its tables have no state of shards yet. `takenAt`: when the
 * backup was taken; `at`: now; epoch milliseconds.
 */
export const closeShards = async (
  client: ClientBase | Pool,
  schema: string,
  { takenAt, at }: { takenAt: number; at: number },
): Promise<boolean> => {
  const table = qualified(schema, 'shard_state');
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    table,
  ]);
  if (!rows[0]!.found) return false;
  const reason = `restored from a backup of ${new Date(takenAt).toISOString()}`;
  // Of which server the rows came is no longer so: the node that opens the shard writes where it stands.
  await client.query(
    `INSERT INTO ${table} ("only", state, reason, since, system_identifier, timeline)
     VALUES (true, 'closed', $1, $2, NULL, NULL)
     ON CONFLICT ("only") DO UPDATE SET state = excluded.state, reason = excluded.reason, since = excluded.since,
       system_identifier = NULL, timeline = NULL`,
    [reason, at],
  );
  return true;
};
