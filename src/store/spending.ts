/** What the calls of a day cost so far. In the control database. */
import type { Pool } from 'pg';
import type { DailyCallCost } from '../rules/trunks/spent.ts';

const EXCHANGE = `WITH given AS (SELECT * FROM json_to_recordset($1) AS one(owner text, id int, day text, units bigint)),
  gone AS (DELETE FROM spending WHERE day < $2),
  put AS (INSERT INTO spending (owner, owner_id, day, units) SELECT owner, id, day, units FROM given ORDER BY owner, id, day
    ON CONFLICT (owner, owner_id, day) DO UPDATE SET units = spending.units + excluded.units
    RETURNING owner, owner_id, day, units)
  SELECT owner, owner_id AS id, day, units::float8 AS units FROM put
  UNION ALL SELECT owner, owner_id, day, units::float8 FROM spending s
  WHERE day >= $2 AND NOT EXISTS (SELECT 1 FROM given g WHERE g.owner = s.owner AND g.id = s.owner_id AND g.day = s.day)`;

/** Adds what was spent; answers what all processes spent since that day, and forgets what is older. */
export const addAndReadCallSpending = async (
  pool: Pool,
  added: readonly DailyCallCost[],
  since: string,
): Promise<DailyCallCost[]> => {
  const { rows } = await pool.query<DailyCallCost>({
    name: 'exchange spending',
    text: EXCHANGE,
    values: [JSON.stringify(added), since],
  });
  return rows;
};
