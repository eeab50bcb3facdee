/** The records of a campaign's list, one by one: those left out and why, and those that are dialled. */
import type { Pool } from 'pg';

export interface SkippedDestinationRow {
  row: number;
  /** duplicate, blocklist, mobile, filter, name. */
  reason: string;
  numbers: string;
  name: string;
}

export interface CampaignDestinationsQuery {
  account: number;
  campaign: number;
  list: number;
  limit: number;
}

/** How many records were left out, by reason. */
export const countSkippedDestinations = async (
  pool: Pool,
  account: number,
  campaign: number,
): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ reason: string; count: number }>({
    name: 'skip counts',
    text: `SELECT reason, count(*)::int AS count FROM skipped_destinations WHERE account_id = $1 AND campaign_id = $2
      GROUP BY reason ORDER BY reason`,
    values: [account, campaign],
  });
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
};

/** Records that were left out, in the order of the list, from after row `after`. */
export const readSkippedDestinations = async (
  pool: Pool,
  query: CampaignDestinationsQuery & { after: number },
): Promise<SkippedDestinationRow[]> => {
  const { rows } = await pool.query<SkippedDestinationRow>({
    name: 'skipped rows',
    text: `SELECT s.row, s.reason, coalesce(r.numbers, '') AS numbers, coalesce(r.name, '') AS name
      FROM skipped_destinations s LEFT JOIN list_records r ON r.account_id = $1 AND r.list_id = $3 AND r.row = s.row
      WHERE s.account_id = $1 AND s.campaign_id = $2 AND s.row > $4 ORDER BY s.row LIMIT $5`,
    values: [query.account, query.campaign, query.list, query.after, query.limit],
  });
  return rows;
};

export interface DialledDestinationRow {
  region: string;
  seq: number;
  row: number;
  numbers: string;
  name: string;
  /** Its call; null: it waits. */
  call_id: number | null;
  status: string | null;
  reason: string | null;
  attempt: number | null;
  finished: boolean | null;
}

/** Destinations by region and place in it, from after this place, each with its call if it has one. */
export const readDestinationsWithCalls = async (
  pool: Pool,
  query: CampaignDestinationsQuery & { after: { region: string; seq: number } | undefined },
): Promise<DialledDestinationRow[]> => {
  const { region, seq } = query.after ?? { region: '', seq: -1 };
  const { rows } = await pool.query<DialledDestinationRow>({
    name: 'dialled rows',
    // The page comes first: the campaign's calls are gone through once for it.
    text: `WITH page AS MATERIALIZED (
        SELECT region, seq, row, numbers FROM destinations
        WHERE account_id = $1 AND campaign_id = $2 AND (region, seq) > ($4, $5) ORDER BY region, seq LIMIT $6)
      SELECT p.region, p.seq, p.row, p.numbers, coalesce(r.name, '') AS name,
        c.id AS call_id, c.status, c.reason, c.attempt, c.finished
      FROM page p
      LEFT JOIN list_records r ON r.account_id = $1 AND r.list_id = $3 AND r.row = p.row
      LEFT JOIN calls c ON c.account_id = $1 AND c.campaign_id = $2 AND c.campaign_row = p.row
      ORDER BY p.region, p.seq`,
    values: [query.account, query.campaign, query.list, region, seq, query.limit],
  });
  return rows;
};
