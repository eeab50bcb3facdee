/** What happened to an account's calls and messages, in the order in which it happened. */
import type { Pool } from 'pg';

export interface AccountEventRow {
  id: number;
  kind: string;
  revision: number;
  /** Epoch milliseconds. */
  at: number;
  event: string;
  state: string;
  /** `sms`, `msgapp` …; empty: a call. */
  channel: string;
  destination: string;
  /** How it stands now: a call's status, a message's state; empty: not known yet. */
  outcome: string;
}

export interface AccountEventsQuery {
  account: number;
  /** Only what came after this entry. */
  after: { at: number; machine: number; revision: number };
  limit: number;
}

/** So many of the newest calls and messages are looked at: an index knows them, and no index knows when something happened. */
const mostMachines = 2_000;
const dayMs = 86_400_000;

export const readAccountEventsAfter = async (
  pool: Pool,
  { account, after, limit }: AccountEventsQuery,
): Promise<AccountEventRow[]> => {
  const { rows } = await pool.query<AccountEventRow>({
    name: 'happened after',
    text: `WITH newest AS (SELECT id, kind FROM machines WHERE account_id = $1 AND kind IN ('call', 'message')
        ORDER BY id DESC LIMIT ${mostMachines})
      SELECT newest.id, kind, history.revision, history.at, history.event, history.state,
        coalesce(messages.channel, '') AS channel,
        coalesce(calls.destination, messages.destination, '') AS destination,
        coalesce(calls.status, messages.state, '') AS outcome
      FROM newest JOIN history ON history.account_id = $1 AND history.machine_id = newest.id
        AND history.day >= $5 AND history.at >= $2
      LEFT JOIN calls ON kind = 'call' AND calls.account_id = $1 AND calls.id = newest.id
      LEFT JOIN messages ON kind = 'message' AND messages.account_id = $1 AND messages.id = newest.id
      WHERE (history.at, newest.id, history.revision) > ($2::bigint, $3::bigint, $4::int)
      ORDER BY history.at, newest.id, history.revision LIMIT $6`,
    values: [account, after.at, after.machine, after.revision, Math.floor(after.at / dayMs), limit],
  });
  return rows;
};
