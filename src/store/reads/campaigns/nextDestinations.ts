/** The destinations of a campaign, as its dialler reads them. */
import type { Pool } from 'pg';

export interface DestinationRow {
  region: string;
  seq: number;
  row: number;
  /** Separated by a space. */
  numbers: string;
  name: string;
  client_code: string;
  extra_1: string;
  extra_2: string;
  extra_3: string;
  extra_4: string;
}

export interface NextDestinationsQuery {
  account: number;
  campaign: number;
  list: number;
  /** Regions to read, and the last `seq` that was claimed in each. */
  cursors: Readonly<Record<string, number>>;
  limit: number;
}

/** The next destinations over all given regions, in the order of the list. */
export const nextDestinations = async (
  pool: Pool,
  query: NextDestinationsQuery,
): Promise<DestinationRow[]> => {
  const { rows } = await pool.query<DestinationRow>({
    name: 'next destinations',
    text: `SELECT d.region, d.seq, d.row, d.numbers, r.name, r.client_code, r.extra_1, r.extra_2, r.extra_3, r.extra_4
      FROM unnest($4::text[], $5::int[]) AS cursor (region, seq)
      CROSS JOIN LATERAL (
        SELECT region, seq, row, numbers FROM destinations
        WHERE account_id = $1 AND campaign_id = $2 AND region = cursor.region AND destinations.seq > cursor.seq
        ORDER BY seq LIMIT $6
      ) AS d
      JOIN list_records r ON r.account_id = $1 AND r.list_id = $3 AND r.row = d.row
      ORDER BY d.row LIMIT $6`,
    values: [
      query.account,
      query.campaign,
      query.list,
      Object.keys(query.cursors),
      Object.values(query.cursors),
      query.limit,
    ],
  });
  return rows;
};
