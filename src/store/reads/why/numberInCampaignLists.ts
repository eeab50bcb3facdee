/** A number in the lists of campaigns: rows that were not called (yet), and what became of them. */
import type { Pool, PoolClient } from 'pg';
import type { CallsToNumberQuery } from './callsToNumber.ts';

export interface CampaignListNumber {
  account_id: number;
  campaign_id: number;
  campaign: string;
  state: string;
  campaign_created_at: number;
  list_id: number;
  list: string;
  list_file: string;
  list_created_at: number;
  row: number;
  /** The state where it rings; empty: no region. */
  region: string;
  name: string;
  /** Why it was left out; null: it is a destination. */
  skipped: string | null;
  /** A call was made of the row. */
  called: boolean;
}

/** Lists are read from their beginning to their end: of so many campaigns, and no longer than this. */
const mostCampaigns = 50;
const mostMs = 2_000;
const mostFound = 50;
/** Campaigns that ended longer ago say nothing of why a number was not called. */
export const recentCampaignMs = 30 * 86_400_000;

const timedOut = '57014';

/**
 * Rows of a number in the lists of the newest campaigns that go on, or ended lately. Undefined: the lists are too long to be
 * read while a request waits.
 */
export const findNumberInCampaignLists = async (
  pool: Pool,
  query: CallsToNumberQuery & { since: number },
): Promise<CampaignListNumber[] | undefined> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`SET LOCAL statement_timeout = ${mostMs}`);
    return await search(client, query);
  } catch (error) {
    if ((error as { code?: string }).code === timedOut) return undefined;
    throw error;
  } finally {
    await client.query('ROLLBACK').catch(() => {});
    client.release();
  }
};

const search = async (
  client: PoolClient,
  { accounts, numbers, since }: CallsToNumberQuery & { since: number },
): Promise<CampaignListNumber[]> => {
  const { rows } = await client.query<CampaignListNumber>(
    `WITH recent AS MATERIALIZED (
        SELECT account_id, id, name, state, created_at, list_id FROM campaigns
        WHERE account_id = ANY($1::int[]) AND NOT model AND (finished_at IS NULL OR finished_at > $3)
        ORDER BY id DESC LIMIT ${mostCampaigns}),
      found AS MATERIALIZED (
        SELECT r.account_id, r.list_id, r.row, r.region, r.name
        FROM (SELECT DISTINCT account_id, list_id FROM recent) AS of
        CROSS JOIN LATERAL (SELECT * FROM list_records WHERE account_id = of.account_id AND list_id = of.list_id
          AND string_to_array(numbers, ' ') && $2::text[]) AS r
        LIMIT ${mostFound})
      SELECT c.account_id, c.id AS campaign_id, c.name AS campaign, c.state, c.created_at AS campaign_created_at,
        c.list_id, l.name AS list, l.file AS list_file, l.created_at AS list_created_at, f.row, f.region, f.name,
        s.reason AS skipped,
        EXISTS (SELECT FROM calls k WHERE k.account_id = c.account_id AND k.destination = ANY($2::text[])
          AND k.campaign_id = c.id AND k.campaign_row = f.row) AS called
      FROM found f
      JOIN recent c ON c.account_id = f.account_id AND c.list_id = f.list_id
      JOIN lists l ON l.account_id = c.account_id AND l.id = c.list_id
      LEFT JOIN skipped_destinations s ON s.account_id = c.account_id AND s.campaign_id = c.id AND s.row = f.row
      ORDER BY c.id DESC, f.row LIMIT ${mostFound}`,
    [accounts, numbers, since],
  );
  return rows;
};
