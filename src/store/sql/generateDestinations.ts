/**
 * Generation: the records of a list become the destinations of a campaign, and every record that is left out keeps
 * its reason. One transaction; a broken try leaves nothing, a repeated one replaces what stood.
 *
 * Reasons, the first that fits: filter, mobile, blocklist, duplicate, name (spec 4.3 `fdtmf`, `mobile`, `no_block`,
 * `limit_name`; docs/decisions "What a campaign dials").
 */
import type { Pool, PoolClient } from 'pg';
import type { ListRecordColumn, ListRecordSelection } from '../../../machines/campaign/input.ts';
import { REGIONS } from '../../rules/voice/areaCodeTimeZones.ts';

export interface GenerateDestinationsQuery {
  account: number;
  campaign: number;
  list: number;
  selection: ListRecordSelection;
  /** Numbers that no account may call. */
  globalBlocks: readonly string[];
}

export interface DestinationsFromListResult {
  destinations: number;
  skipped: Record<string, number>;
  regions: Record<string, number>;
}

const COLUMNS: Readonly<Record<ListRecordColumn, string>> = {
  name: 'name',
  cod_cli: 'client_code',
  extra1: 'extra_1',
  extra2: 'extra_2',
  extra3: 'extra_3',
  extra4: 'extra_4',
};

/** Brazilian mobile numbers: country, area, nine digits that begin with 9. */
const MOBILE = String.raw`'^55[1-9][0-9]9[0-9]{8}$'`;

/** Throws what the database throws; then nothing was written. */
export const createDestinationsFromList = async (
  pool: Pool,
  query: GenerateDestinationsQuery,
  signal?: AbortSignal,
): Promise<DestinationsFromListResult> => {
  signal?.throwIfAborted();
  const client = await pool.connect();
  // An aborted effect is tried again: its statement must not go on beside the next one.
  const cancel = (): void => client.release(new Error('generation was aborted'));
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await client.query('BEGIN');
    // Half a million records take their time; the effect's own time is the limit.
    await client.query('SET LOCAL statement_timeout = 0');
    await clear(client, query);
    const result = await insert(client, query);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    if (!signal?.aborted) client.release();
  }
};

const clear = async (client: PoolClient, { account, campaign }: GenerateDestinationsQuery): Promise<void> => {
  // Two nodes that generate at the same time take turns; the second replaces what the first made, which is the same.
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [account, campaign]);
  await client.query('DELETE FROM destinations WHERE account_id = $1 AND campaign_id = $2', [
    account,
    campaign,
  ]);
  await client.query('DELETE FROM skipped_destinations WHERE account_id = $1 AND campaign_id = $2', [
    account,
    campaign,
  ]);
};

const insert = async (
  client: PoolClient,
  query: GenerateDestinationsQuery,
): Promise<DestinationsFromListResult> => {
  const { selection } = query;
  const { rows } = await client.query<{ part: string; name: string; count: number }>(statement(selection), [
    query.account,
    query.campaign,
    query.list,
    selection.recordsPerName,
    query.globalBlocks,
    [...REGIONS.keys()],
    [...REGIONS.values()].map(({ state }) => state),
    ...(selection.filter ? [selection.filter.value] : []),
  ]);
  const counts = (part: string): Record<string, number> =>
    Object.fromEntries(rows.filter((row) => row.part === part).map(({ name, count }) => [name, count]));
  const regions = counts('region');
  return {
    destinations: Object.values(regions).reduce((sum, count) => sum + count, 0),
    skipped: counts('skip'),
    regions,
  };
};

/** $1 account, $2 campaign, $3 list, $4 records per name, $5 global blocks, $6 area codes, $7 their states, $8 filter. */
const statement = ({ filter, mobile, skipBlocklist, severalNumbers }: ListRecordSelection): string => `
WITH everywhere AS (SELECT unnest($5::text[]) AS number), records AS (
  SELECT row, name, numbers, ${filter ? `${COLUMNS[filter.column]} IS DISTINCT FROM $8::text` : 'false'} AS filtered
  FROM list_records WHERE account_id = $1 AND list_id = $3
), ${severalNumbers ? everyNumber(mobile, skipBlocklist) : firstNumber(mobile, skipBlocklist)},
ranked AS (
  SELECT row, name, number, numbers,
    row_number() OVER same_number AS nth, first_value(name) OVER same_number AS first_name
  FROM callable WHERE reason IS NULL
  WINDOW same_number AS (PARTITION BY number ORDER BY row)
), single AS (
  SELECT *, nth > 1 AND (name = '' OR name <> first_name OR $4 = 1) AS duplicate FROM ranked
), named AS (
  SELECT row, number, numbers, duplicate,
    name <> '' AND $4 > 0 AND NOT duplicate
      AND row_number() OVER (PARTITION BY lower(name), duplicate ORDER BY row) > $4 AS too_many
  FROM single
), kept AS (
  SELECT row, numbers, coalesce(area.state, '') AS region FROM named
  LEFT JOIN unnest($6::text[], $7::text[]) AS area (code, state)
    ON number ~ '^55[0-9]{10,11}$' AND area.code = substr(number, 3, 2)
  WHERE NOT duplicate AND NOT too_many
), dialled AS (
  INSERT INTO destinations (account_id, campaign_id, region, seq, row, numbers)
  SELECT $1, $2, region, row_number() OVER (PARTITION BY region ORDER BY row), row, numbers FROM kept
  RETURNING region
), skipped AS (
  INSERT INTO skipped_destinations (account_id, campaign_id, row, reason)
  SELECT $1, $2, row, reason FROM callable WHERE reason IS NOT NULL
  UNION ALL
  SELECT $1, $2, row, CASE WHEN duplicate THEN 'duplicate' ELSE 'name' END FROM named WHERE duplicate OR too_many
  RETURNING reason
)
SELECT 'region' AS part, region AS name, count(*)::int AS count FROM dialled GROUP BY region
UNION ALL SELECT 'skip', reason, count(*)::int FROM skipped GROUP BY reason`;

const blocked = (number: string): string =>
  `(EXISTS (SELECT 1 FROM blocklist b WHERE b.account_id = $1 AND b.number = ${number})
      OR EXISTS (SELECT 1 FROM everywhere e WHERE e.number = ${number}))`;

/** Only the first number of a record counts. */
const firstNumber = (mobile: boolean, skipBlocklist: boolean): string => `
first AS (SELECT row, name, filtered, split_part(numbers, ' ', 1) AS number FROM records),
callable AS (
  SELECT row, name, number, number AS numbers, CASE
    WHEN filtered THEN 'filter'
    ${mobile ? '' : `WHEN number ~ ${MOBILE} THEN 'mobile'`}
    ${skipBlocklist ? '' : `WHEN ${blocked('first.number')} THEN 'blocklist'`}
  END AS reason FROM first
)`;

/** Every number is judged by itself; a record is left out when none of its numbers is left. */
const everyNumber = (mobile: boolean, skipBlocklist: boolean): string => `
each AS (
  SELECT row, name, filtered, number, nth, CASE
    WHEN filtered THEN 'filter'
    ${mobile ? '' : `WHEN number ~ ${MOBILE} THEN 'mobile'`}
    ${skipBlocklist ? '' : `WHEN ${blocked('one.number')} THEN 'blocklist'`}
  END AS reason
  FROM records CROSS JOIN LATERAL unnest(string_to_array(numbers, ' ')) WITH ORDINALITY AS one (number, nth)
), callable AS (
  SELECT row, name,
    (array_agg(number ORDER BY nth) FILTER (WHERE reason IS NULL))[1] AS number,
    string_agg(number, ' ' ORDER BY nth) FILTER (WHERE reason IS NULL) AS numbers,
    CASE WHEN bool_and(reason IS NOT NULL) THEN (array_agg(reason ORDER BY nth))[1] END AS reason
  FROM each GROUP BY row, name
)`;
