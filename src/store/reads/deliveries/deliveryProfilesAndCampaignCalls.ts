/** What deliveries read: their profiles, the calls of a campaign beside the records that were called, and dead letters. */
import type { Pool } from 'pg';
import type { CallRow } from '../voice/calls.ts';

export interface FileDeliveryProfileRow {
  id: number;
  kind: string;
  settings: unknown;
  /** Sealed; empty: none. */
  secret: string;
  active: boolean;
}

/** A delivery profile; undefined: the account has none with this id. */
export const findDeliveryProfile = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<FileDeliveryProfileRow | undefined> => {
  const { rows } = await pool.query<FileDeliveryProfileRow>({
    name: 'delivery profile',
    text: 'SELECT id, kind, settings, secret, active FROM delivery_profiles WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows[0];
};

/** A campaign's name and list; undefined: the account has none with this id. */
export const findCampaignNameAndList = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<{ name: string; list_id: number } | undefined> => {
  const { rows } = await pool.query<{ name: string; list_id: number }>({
    name: 'campaign of results',
    text: 'SELECT name, list_id FROM campaigns WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows[0];
};

/** A call, and what its list says of whom it called; empty where the list is gone. */
export interface CampaignResultRow extends CallRow {
  name: string;
  client_code: string;
  extra_1: string;
  extra_2: string;
  extra_3: string;
  extra_4: string;
}

export interface CampaignResultsQuery {
  account: number;
  campaign: number;
  list: number;
  /** Only calls with larger ids. */
  afterId: number;
  limit: number;
}

/** A page of a campaign's calls, oldest first. */
export const readCampaignResultsPage = async (
  pool: Pool,
  query: CampaignResultsQuery,
): Promise<CampaignResultRow[]> => {
  const { account, campaign, list, afterId, limit } = query;
  const { rows } = await pool.query<CampaignResultRow>({
    name: 'results',
    text: pageText,
    values: [account, campaign, list, afterId, limit],
  });
  return rows;
};

/** The page is cut before the records are joined, so that each of them is one look at its key. */
const pageText = `SELECT page.*,
    coalesce(record.name, '') AS name, coalesce(record.client_code, '') AS client_code,
    coalesce(record.extra_1, '') AS extra_1, coalesce(record.extra_2, '') AS extra_2,
    coalesce(record.extra_3, '') AS extra_3, coalesce(record.extra_4, '') AS extra_4
  FROM (SELECT id, requested_at, destination, customer_campaign, campaign_id, correlation, status, reason,
      answered_by, called_at, answered_at, ended_at, response_1, response_2, response_3, route, recording,
      recording_seconds, campaign_row
    FROM calls WHERE account_id = $1 AND campaign_id = $2 AND id > $4 ORDER BY id LIMIT $5) AS page
  LEFT JOIN list_records record
    ON record.account_id = $1 AND record.list_id = $3 AND record.row = page.campaign_row
  ORDER BY page.id`;

export interface DeadLetterQuery {
  account: number;
  /** When it began, epoch milliseconds: from, and before. */
  since: number;
  until: number;
  /** Where they go, as their records say; undefined: anywhere. */
  target?: string | undefined;
  /** Only larger ids. */
  after: number;
  limit: number;
}

/** Ids of dead letters, ascending. */
export const findDeadLetterIds = async (pool: Pool, query: DeadLetterQuery): Promise<number[]> => {
  const { account, since, until, target, after, limit } = query;
  const { rows } = await pool.query<{ id: number }>({
    name: 'dead letters',
    text: `SELECT id FROM machines WHERE account_id = $1 AND id > $2 AND kind = 'delivery' AND state = 'deadLetter'
      AND created_at >= $3 AND created_at < $4
      AND ($6::text IS NULL OR EXISTS (SELECT FROM deliveries
        WHERE account_id = machines.account_id AND id = machines.id AND target = $6))
      ORDER BY id LIMIT $5`,
    values: [account, after, since, until, limit, target ?? null],
  });
  return rows.map(({ id }) => id);
};
