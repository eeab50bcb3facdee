/** How a campaign stands, in figures: where its calls are, how they ended, and when. Each reads all calls of the campaign. */
import type { Pool } from 'pg';

export interface CallStateCount {
  state: string;
  count: number;
}

/** Unfinished calls of a campaign, by their whole state. */
export const countCampaignCallStates = async (
  pool: Pool,
  account: number,
  campaign: number,
): Promise<CallStateCount[]> => {
  const { rows } = await pool.query<CallStateCount>({
    name: 'states of a campaign',
    text: `SELECT m.state, count(*)::int AS count
      FROM calls c JOIN machines m ON m.account_id = c.account_id AND m.id = c.id
      WHERE c.account_id = $1 AND c.campaign_id = $2 AND m.kind = 'call' AND m.ended_at IS NULL
      GROUP BY 1 ORDER BY 1`,
    values: [account, campaign],
  });
  return rows;
};

/** What became of a destination whose call has ended. `notDialled`: a rule forbade it, or it was over before its turn. */
const outcome = `CASE WHEN status = 'OK' AND answered_by = 'MA' THEN 'machine'
  WHEN status = 'OK' THEN 'answered' WHEN status = 'NOANSWER' THEN 'noAnswer' WHEN status = 'BUSY' THEN 'busy'
  WHEN status IN ('CONGESTION', 'CHANUNAVAIL') THEN 'failed' WHEN dialed_at IS NULL THEN 'notDialled'
  ELSE 'cancelled' END`;

export interface CallOutcomeTimeBucket {
  /** Counted from `from`, in steps. */
  bucket: number;
  outcome: string;
  count: number;
  /**
   * What the talk was sold for, each call rounded as `value` of its record, and what trunks asked for it: ten-thousandths of
   * the currency, as PostgreSQL writes whole numbers.
   */
  sale: string;
  purchase: string;
  /** Answered calls without a purchase price. */
  unpriced: number;
}

export interface CampaignTimeBucketsQuery {
  account: number;
  campaign: number;
  /** Epoch milliseconds. */
  from: number;
  stepMs: number;
}

/**
 * Destinations whose call has ended, by outcome and when it ended. What ended before `from` is of the first bucket. `rate`: what
 * a minute is sold for, ten-thousandths of the currency.
 */
export const countCampaignCallOutcomes = async (
  pool: Pool,
  asked: CampaignTimeBucketsQuery & { rate: bigint },
): Promise<CallOutcomeTimeBucket[]> => {
  const { rows } = await pool.query<CallOutcomeTimeBucket>({
    name: 'outcomes of a campaign',
    text: `SELECT greatest(0, (coalesce(ended_at, called_at) - $3) / $4)::int AS bucket, ${outcome} AS outcome,
        count(*)::int AS count, sum(($5::bigint * ${talkSeconds} * 2 + 60) / 120)::text AS sale,
        coalesce(sum(purchase), 0)::text AS purchase,
        count(*) FILTER (WHERE purchase IS NULL AND ended_at > answered_at)::int AS unpriced
      FROM calls WHERE account_id = $1 AND campaign_id = $2 AND finished GROUP BY 1, 2 ORDER BY 1, 2`,
    values: [asked.account, asked.campaign, asked.from, asked.stepMs, String(asked.rate)],
  });
  return rows;
};

/** Seconds of talk that are paid for: whole ones, and none only where there was no answer. */
const talkSeconds = `(CASE WHEN ended_at > answered_at
  THEN greatest(1, round((ended_at - answered_at) / 1000.0))::bigint ELSE 0 END)`;

export interface DialAttemptTimeBucket {
  bucket: number;
  dials: number;
  answers: number;
}

/** Attempts by when they were dialled, and how many of them were answered. Earlier attempts of a call stand in its JSON. */
export const countCampaignDialsByTimeBucket = async (
  pool: Pool,
  asked: CampaignTimeBucketsQuery,
): Promise<DialAttemptTimeBucket[]> => {
  const { rows } = await pool.query<DialAttemptTimeBucket>({
    name: 'dials of a campaign',
    text: `WITH own AS (SELECT dialed_at, answered_at, attempt, attempts FROM calls
        WHERE account_id = $1 AND campaign_id = $2),
      dialled AS (SELECT dialed_at, answered_at FROM own WHERE dialed_at IS NOT NULL
        UNION ALL SELECT (one->>'dialedAt')::bigint, nullif((one->>'answeredAt')::bigint, 0)
        FROM own, json_array_elements(own.attempts::json) AS one
        WHERE own.attempt > 1 AND (one->>'attempt')::int < own.attempt)
      SELECT greatest(0, (dialed_at - $3) / $4)::int AS bucket, count(*)::int AS dials,
        count(answered_at)::int AS answers
      FROM dialled WHERE dialed_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
    values: [asked.account, asked.campaign, asked.from, asked.stepMs],
  });
  return rows;
};

/** When the first call of a campaign was made, epoch milliseconds; null: none was. */
export const readCampaignFirstCallTime = async (
  pool: Pool,
  account: number,
  campaign: number,
): Promise<number | null> => {
  const { rows } = await pool.query<{ at: number | null }>({
    name: 'first call of a campaign',
    text: `SELECT requested_at AS at FROM calls WHERE account_id = $1 AND campaign_id = $2 ORDER BY id LIMIT 1`,
    values: [account, campaign],
  });
  return rows[0]?.at ?? null;
};

export interface UnansweredDestinationRow {
  id: number;
  numbers: string;
  name: string;
  client_code: string;
  extra_1: string;
  extra_2: string;
  extra_3: string;
  extra_4: string;
}

/** Destinations whose call has ended and that did not answer, as their list has them, by the id of the call. */
export const readUnansweredDestinations = async (
  pool: Pool,
  asked: { account: number; campaign: number; list: number; after: number; limit: number },
): Promise<UnansweredDestinationRow[]> => {
  const { rows } = await pool.query<UnansweredDestinationRow>({
    name: 'unanswered of a campaign',
    text: `SELECT c.id, coalesce(r.numbers, c.destination) AS numbers, coalesce(r.name, '') AS name,
        coalesce(r.client_code, '') AS client_code, coalesce(r.extra_1, '') AS extra_1,
        coalesce(r.extra_2, '') AS extra_2, coalesce(r.extra_3, '') AS extra_3, coalesce(r.extra_4, '') AS extra_4
      FROM (SELECT id, destination, campaign_row FROM calls
        WHERE account_id = $1 AND campaign_id = $2 AND id > $4 AND finished AND status <> 'OK'
        ORDER BY id LIMIT $5) AS c
      LEFT JOIN list_records r ON r.account_id = $1 AND r.list_id = $3 AND r.row = c.campaign_row
      ORDER BY c.id`,
    values: [asked.account, asked.campaign, asked.list, asked.after, asked.limit],
  });
  return rows;
};

export interface RetryCampaignRow {
  id: number;
  name: string;
  created_at: number;
}

/** So many are told at most. */
const mostRetries = 10;

/** Campaigns that were made for those who did not answer this one, newest first. Reads those of the account made since. */
export const readRetriesOfCampaign = async (
  pool: Pool,
  account: number,
  campaign: number,
): Promise<RetryCampaignRow[]> => {
  const { rows } = await pool.query<RetryCampaignRow>({
    name: 'retries of a campaign',
    text: `SELECT id, name, created_at FROM campaigns
      WHERE account_id = $1 AND id > $2 AND definition->'parameters'->>'retryOf' = $2::bigint::text
      ORDER BY id DESC LIMIT ${mostRetries}`,
    values: [account, campaign],
  });
  return rows;
};
