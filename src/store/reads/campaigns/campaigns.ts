/**
 * Campaigns by the questions that are asked of them: the list of spec 4.5, one to change or to clone, and whether a
 * name is taken. An account has thousands at most; every question walks its part of the primary key backwards.
 */
import type { Pool } from 'pg';
import { unaccentSql } from '../../sql/unaccentSql.ts';

/** Whether a campaign is switched off; one that is unknown is not. */
export const isCampaignPaused = async (pool: Pool, account: number, campaign: number): Promise<boolean> => {
  const { rows } = await pool.query<{ active: boolean }>({
    name: 'campaign paused',
    text: 'SELECT active FROM campaigns WHERE account_id = $1 AND id = $2',
    values: [account, campaign],
  });
  return rows[0]?.active === false;
};

/** A campaign's record, with the name of its group. */
export interface CampaignRow {
  id: number;
  created_at: number;
  /** play, question, validate. */
  mode: string;
  correlation: string;
  list_id: number;
  name: string;
  detail: string;
  group_id: number | null;
  group_name: string | null;
  active: boolean;
  state: string;
  phase: string;
  reason: string;
  model: boolean;
  /** YYYY-MM-DD. */
  date_start: string;
  date_end: string;
  /** HH:MM:SS. */
  time_start: string;
  time_end: string;
  /** Null: max. */
  calls_per_minute: number | null;
  /** Null: no limit. */
  max_transfers: number | null;
  destinations: number;
  skipped: number;
  made: number;
  answered: number;
  transferred: number;
  ended: number;
  finished_at: number | null;
  /** Its calls may be transferred. */
  transfers: boolean;
}

export interface CampaignQuery {
  account: number;
  id?: number;
  correlation?: string;
  group?: number;
  /** Only those that are switched on. */
  active?: boolean;
  /** Only models. */
  model?: boolean;
  /** Only those that end on this day (YYYY-MM-DD) or later. */
  endsFrom?: string;
  /** Text in name, description, id or audio ids, whatever its case and accents. */
  search?: string;
  /** Only ids below. */
  belowId?: number;
  limit: number;
}

const columns = `c.id, c.created_at, c.mode, c.correlation, c.list_id, c.name, c.detail, c.group_id,
  g.name AS group_name, c.active, c.state, c.phase, c.reason, c.model, c.date_start, c.date_end, c.time_start,
  c.time_end, c.calls_per_minute, c.max_transfers, c.destinations, c.skipped, c.made, c.answered, c.transferred,
  c.ended, c.finished_at, c.definition->'call'->'transfer' IS NOT NULL AS transfers`;
const tables = 'campaigns c LEFT JOIN groups g ON g.account_id = c.account_id AND g.id = c.group_id';

/** Campaigns that match, newest first. */
export const findCampaigns = async (pool: Pool, query: CampaignQuery): Promise<CampaignRow[]> => {
  const values: unknown[] = [query.account];
  const where = ['c.account_id = $1'];
  const only = (value: unknown, clause: (written: string) => string): void => {
    if (value !== undefined) where.push(clause(`$${values.push(value)}`));
  };
  only(query.id, (id) => `c.id = ${id}`);
  only(query.belowId, (id) => `c.id < ${id}`);
  only(query.correlation, (correlation) => `c.correlation = ${correlation}`);
  only(query.group, (group) => `c.group_id = ${group}`);
  only(query.endsFrom, (date) => `c.date_end >= ${date}`);
  only(query.search, (search) => `strpos(${searched}, ${unaccentSql(`${search}::text`)}) > 0`);
  if (query.active) where.push('c.active');
  if (query.model) where.push('c.model');
  const { rows } = await pool.query<CampaignRow>(
    `SELECT ${columns} FROM ${tables} WHERE ${where.join(' AND ')}
      ORDER BY c.id DESC LIMIT $${values.push(query.limit)}`,
    values,
  );
  return rows;
};

/** What is searched, a line a field, so that nothing is found across two of them. */
const searched = unaccentSql(String.raw`concat_ws(E'\n', c.name, c.detail, c.id::text, c.audio)`);

export interface CampaignsOfAllAccountsQuery {
  /** Of one account only. */
  account?: number;
  /** `running`: those that are not over, without models; `over`; `model`. */
  which?: 'running' | 'over' | 'model';
  search?: string;
  belowId?: number;
  limit: number;
}

/** Campaigns of all accounts of a shard, newest first: ids are given out once. Reads the table; some thousands of rows. */
export const campaignsOfAllAccounts = async (
  pool: Pool,
  query: CampaignsOfAllAccountsQuery,
): Promise<(CampaignRow & { account_id: number })[]> => {
  const values: unknown[] = [];
  const where = ['true'];
  const only = (value: unknown, clause: (written: string) => string): void => {
    if (value !== undefined) where.push(clause(`$${values.push(value)}`));
  };
  only(query.account, (account) => `c.account_id = ${account}`);
  only(query.belowId, (id) => `c.id < ${id}`);
  only(query.search, (search) => `strpos(${searched}, ${unaccentSql(`${search}::text`)}) > 0`);
  if (query.which === 'model') where.push('c.model');
  if (query.which === 'running') where.push('NOT c.model AND c.finished_at IS NULL');
  if (query.which === 'over') where.push('c.finished_at IS NOT NULL');
  const { rows } = await pool.query<CampaignRow & { account_id: number }>(
    `SELECT c.account_id, ${columns} FROM ${tables} WHERE ${where.join(' AND ')}
      ORDER BY c.id DESC LIMIT $${values.push(query.limit)}`,
    values,
  );
  return rows;
};

/** One campaign of the account; undefined: it has none with this id. */
export const findCampaignById = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<CampaignRow | undefined> => (await findCampaigns(pool, { account, id, limit: 1 }))[0];

/** What a campaign was created with, as it was stored; undefined: the account has none with this id. */
export const readStoredCampaignDefinition = async (
  pool: Pool,
  account: number,
  id: number,
): Promise<unknown> => {
  const { rows } = await pool.query<{ definition: unknown }>({
    name: 'campaign definition',
    text: 'SELECT definition FROM campaigns WHERE account_id = $1 AND id = $2',
    values: [account, id],
  });
  return rows[0]?.definition;
};

/** States in which a campaign has dialled what it will, whatever its switch says. */
const over = ['completed', 'expired', 'limitReached', 'failed'];

export interface CampaignNameQuery {
  name: string;
  /** The campaign's first day. */
  dateStart: string;
  /** When the name was asked for, epoch milliseconds: a namesake that was over by then does not count. */
  since: number;
  /** Id of a campaign that does not count. */
  except?: number;
}

/**
 * Of the account's campaigns with this name and first day: the newest (0: none), and whether one of them is switched
 * on and could dial when the name was asked for. A campaign is over when it is completed, expired, at its limit or
 * failed. One that ended while the request waited counts: the same people would be called twice.
 */
export const findNewestCampaignByName = async (
  pool: Pool,
  account: number,
  { name, dateStart, since, except = 0 }: CampaignNameQuery,
): Promise<{ newest: number; active: boolean }> => {
  const { rows } = await pool.query<{ newest: number; active: boolean }>({
    name: 'campaign namesakes',
    text: `SELECT coalesce(max(id), 0) AS newest, 
        coalesce(bool_or(active AND (state <> ALL($5) OR finished_at > $6)), false) AS active
      FROM campaigns WHERE account_id = $1 AND name = $2 AND date_start = $3 AND id <> $4`,
    values: [account, name, dateStart, except, over, since],
  });
  return rows[0]!;
};
