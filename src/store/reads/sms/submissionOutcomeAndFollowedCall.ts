/** What operations and doors ask of the message log. */
import type { Pool } from 'pg';
import { batchLoaderOn } from '../batchLoader.ts';

/** The answer of a request that sends a message. One that was accepted stays so, whatever its receipts say later. */
export interface MessageSubmissionOutcome {
  state: string;
  /** `0` taken, `1` slow, else why not; empty: nothing was heard of it yet. */
  code: string;
  text: string;
  providerId: string;
  /** A sandbox has it: it reaches no real recipient. */
  sandbox: boolean;
}

/** Undefined: there is no such message. */
export const loadMessageOutcome = batchLoaderOn<MessageKey, MessageSubmissionOutcome | undefined>(
  async (pool, keys) => {
    const { rows } = await pool.query<MessageSubmissionOutcome & { nth: number }>({
      name: 'message outcomes',
      // Codes of providers may be the same as ours for one that is taken, slow, or not heard of: 'refused' is none of those.
      text: `SELECT nth::int AS nth, state,
        CASE WHEN acknowledged_at IS NOT NULL THEN '0'
          WHEN failed_at IS NOT NULL AND outcome_code IN ('', '0', '1') THEN 'refused'
          ELSE outcome_code END AS code,
        CASE WHEN acknowledged_at IS NULL THEN outcome_text ELSE 'OK' END AS text, provider_id AS "providerId", sandbox
      FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS asked (account_id, id, nth)
      JOIN messages USING (account_id, id)`,
      values: [keys.map(({ account }) => account), keys.map(({ id }) => id)],
    });
    const found = new Map(rows.map(({ nth, ...outcome }) => [nth, outcome]));
    return keys.map((_, index) => found.get(index + 1));
  },
);

interface MessageKey {
  account: number;
  id: number;
}

/** What a message that follows a call says of where it came from. */
export interface CallOfMessage {
  correlation: string;
  /** 0: it belongs to none. */
  campaign: number;
  customerCampaign: string;
}

export const readCallCorrelationAndCampaign = async (
  pool: Pool,
  account: number,
  call: number,
): Promise<CallOfMessage | undefined> => {
  const { rows } = await pool.query<CallOfMessage>({
    name: 'call of message',
    text: `SELECT correlation, campaign_id AS campaign, customer_campaign AS "customerCampaign" FROM calls
      WHERE account_id = $1 AND id = $2`,
    values: [account, call],
  });
  return rows[0];
};
