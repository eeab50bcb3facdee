/**
 * Counters of small ids, raised above what shards hold: a control database that went back would give ids away again that
 * were given before, to other lists and campaigns.
 */
import type { Pool } from 'pg';

/** Columns of a shard with ids of each counter (`ControlDatabase.reserveIds`). */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  account: ['balances.account_id'],
  line: ['campaigns.id', 'agents.id', 'queues.id', 'templates.id'],
  list: ['lists.id', 'campaigns.list_id'],
  audio: ['audios.id'],
  group: ['groups.id'],
  tariff: ['tariffs.id'],
  smsRoute: ['sms_routes.id'],
  chatLine: ['chat_lines.id'],
  approvedModel: ['approved_models.id'],
  deliveryProfile: ['delivery_profiles.id'],
  templateMedia: ['template_media.id'],
};

/** Counters are 32 bits; ids of machines are larger. */
const MOST = 2 ** 31 - 2;

export const raiseIdCountersAboveUsed = async (control: Pool, shards: readonly Pool[]): Promise<void> => {
  const highest = new Map<string, number>();
  for (const pool of shards)
    for (const { name, id } of await highestIds(pool))
      highest.set(name, Math.max(highest.get(name) ?? 0, id));
  await control.query(
    `UPDATE small_ids s SET next = t.id + 1 FROM unnest($1::text[], $2::int[]) AS t(name, id)
     WHERE s.name = t.name AND s.next <= t.id`,
    [[...highest.keys()], [...highest.values()]],
  );
};

const highestIds = async (pool: Pool): Promise<{ name: string; id: number }[]> => {
  const parts = Object.entries(COLUMNS).flatMap(([name, columns]) =>
    columns.map((column) => {
      const [table, id] = column.split('.');
      return `SELECT '${name}' AS name, (SELECT max(${id}) FROM ${table} WHERE ${id} <= ${MOST})::int AS id`;
    }),
  );
  const { rows } = await pool.query<{ name: string; id: number }>(
    `SELECT name, max(id) AS id FROM (${parts.join(' UNION ALL ')}) ids WHERE id IS NOT NULL GROUP BY name`,
  );
  return rows;
};
