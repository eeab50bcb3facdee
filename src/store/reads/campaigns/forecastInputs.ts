/** What a forecast looks up: how calls went of late, what a campaign has still to dial, how long its audio lasts. */
import type { Pool } from 'pg';

/** Of whose calls: one campaign's, all campaigns', all. */
export type CallHistoryScope = { campaign: number } | 'campaigns' | 'calls';

/** How calls went. Means are null when there was nothing to measure. */
export interface CallHistoryFigures {
  answered: number;
  busy: number;
  noAnswer: number;
  failed: number;
  /** Mean time from dial to answer. */
  ringSeconds: number | null;
  /** Calls that were answered in the end; of those: how many were transferred, pressed something, hung up early. */
  answeredCalls: number;
  transferred: number;
  pressed: number;
  leftEarly: number;
  /** Mean length of the talk after a transfer. */
  talkSeconds: number | null;
}

/** Calls looked at, the newest first. */
const LOOKED_AT = 20_000;

/** Calls with ids from `fromId` on, and all that was dialled for them so far; at most 20,000 of them. */
export const readCallHistoryFigures = async (
  pool: Pool,
  { account, fromId, of }: { account: number; fromId: number; of: CallHistoryScope },
): Promise<CallHistoryFigures> => {
  const campaign = typeof of === 'object' ? of.campaign : null;
  const only = campaign === null ? '' : 'AND campaign_id = $3';
  const { rows } = await pool.query<CallHistoryFigures>(
    `WITH recent AS (
      SELECT * FROM (
        SELECT attempts, campaign_id, status, reason, response_1, ended_at, transferred_at FROM calls
        WHERE account_id = $1 AND id >= $2 ${only} ORDER BY id DESC LIMIT ${LOOKED_AT}
      ) AS newest ${of === 'campaigns' ? 'WHERE campaign_id > 0' : ''}
    ), dials AS (
      SELECT one->>'status' AS status, (one->>'answeredAt')::bigint - (one->>'dialedAt')::bigint AS rang
      FROM recent CROSS JOIN LATERAL json_array_elements(attempts::json) AS one
    )
    SELECT dialled.*, ended.* FROM (
      SELECT count(*) FILTER (WHERE status = 'OK')::int AS answered,
        count(*) FILTER (WHERE status = 'BUSY')::int AS busy,
        count(*) FILTER (WHERE status = 'NOANSWER')::int AS "noAnswer",
        count(*) FILTER (WHERE status IN ('CONGESTION', 'CHANUNAVAIL'))::int AS failed,
        (avg(rang) FILTER (WHERE status = 'OK') / 1000)::float AS "ringSeconds"
      FROM dials
    ) AS dialled, (
      SELECT count(*) FILTER (WHERE status = 'OK')::int AS "answeredCalls",
        count(transferred_at)::int AS transferred,
        count(*) FILTER (WHERE status = 'OK' AND response_1 <> '')::int AS pressed,
        count(*) FILTER (WHERE status = 'OK' AND reason = 'hungUp')::int AS "leftEarly",
        (avg(ended_at - transferred_at) / 1000)::float AS "talkSeconds"
      FROM recent
    ) AS ended`,
    campaign === null ? [account, fromId] : [account, fromId, campaign],
  );
  return rows[0]!;
};

/** Destinations read at a time. */
const PAGE = 20_000;

export interface UnclaimedDestinationRow {
  region: string;
  seq: number;
  row: number;
  /** With blanks between them. */
  numbers: string;
}

/** The destinations of one region from after a cursor, in order, a page at a time. */
export async function* unclaimedDestinationPages(
  pool: Pool,
  query: { account: number; campaign: number; region: string; cursor: number },
): AsyncGenerator<UnclaimedDestinationRow[]> {
  let { cursor } = query;
  for (;;) {
    const { rows } = await pool.query<UnclaimedDestinationRow>({
      name: 'unclaimed destinations',
      text: `SELECT region, seq, row, numbers FROM destinations WHERE account_id = $1 AND campaign_id = $2 AND region = $3
          AND seq > $4 ORDER BY seq LIMIT ${PAGE}`,
      values: [query.account, query.campaign, query.region, cursor],
    });
    yield rows;
    if (rows.length < PAGE) return;
    cursor = rows.at(-1)!.seq;
  }
}

export interface LivingCallRow {
  id: number;
  row: number;
  region: string;
  attempt: number;
  /** How its last attempt ended; empty while it is dialled or up. */
  status: string;
  /** When its last attempt was dialled; null before the first. */
  dialed_at: number | null;
  answered_at: number | null;
  ended_at: number | null;
  /** The number that was dialled, or is to be. */
  destination: string;
}

/** Calls of a campaign that have not ended: they wait for another attempt, are dialled, or are up. At most `limit`. */
export const readUnfinishedCampaignCalls = async (
  pool: Pool,
  { account, campaign, limit }: { account: number; campaign: number; limit: number },
): Promise<LivingCallRow[]> => {
  const { rows } = await pool.query<LivingCallRow>({
    name: 'living calls of a campaign',
    text: `SELECT c.id, c.campaign_row AS row, coalesce(d.region, '') AS region, c.attempt, c.status, c.dialed_at,
        c.answered_at, c.ended_at, c.destination
      FROM calls c LEFT JOIN destinations d ON d.account_id = c.account_id AND d.campaign_id = c.campaign_id
        AND d.row = c.campaign_row
      WHERE c.account_id = $1 AND c.campaign_id = $2 AND NOT c.finished ORDER BY c.id LIMIT $3`,
    values: [account, campaign, limit],
  });
  return rows;
};

/** How long files of the media store last, seconds; what is not known is left out. */
export const readMediaDurations = async (
  pool: Pool,
  account: number,
  media: readonly string[],
): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ id: string; seconds: number }>({
    name: 'media seconds',
    text: `SELECT wav AS id, seconds::float FROM audios WHERE account_id = $1 AND wav = ANY($2)
      UNION ALL SELECT id, seconds::float FROM media WHERE account_id = $1 AND id = ANY($2)`,
    values: [account, media],
  });
  return Object.fromEntries(rows.map(({ id, seconds }) => [id, seconds]));
};

/** The accounts that have a campaign of this number: one. */
export const findAccountsByCampaignId = async (pool: Pool, id: number): Promise<number[]> => {
  const { rows } = await pool.query<{ account_id: number }>({
    name: 'accounts of a campaign',
    text: 'SELECT account_id FROM campaigns WHERE id = $1 ORDER BY account_id LIMIT 2',
    values: [id],
  });
  return rows.map((row) => row.account_id);
};
