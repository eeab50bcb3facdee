/** No row without a reason: whatever stands in the tables was told to a caller, or belongs to something that was. */
import type { Pool } from 'pg';

/** Ids that answers named, by the key under which they stand there. */
export type ToldIds = Readonly<Record<'cd_id' | 'cp_id' | 'cdlc_id' | 'cdw_file' | 'cdls_id', Set<string>>>;

export interface Told {
  ids: ToldIds;
  /** Answers that said that records are pushed. */
  pushes: number;
}

export const nothingTold = (): Told => ({
  ids: { cd_id: new Set(), cp_id: new Set(), cdlc_id: new Set(), cdw_file: new Set(), cdls_id: new Set() },
  pushes: 0,
});

/** Remembers what an answer named. */
export const hear = (told: Told, fields: Readonly<Record<string, unknown>>): void => {
  if (fields['queued'] !== undefined) told.pushes += 1;
  for (const [key, ids] of Object.entries(told.ids)) {
    const id = fields[key] as string | number | undefined;
    if (id !== undefined && String(id) !== '0') ids.add(String(id).replace(/^(a_|tf)/, ''));
  }
};

/** What each table may hold; `$1` is the account, `$2` the ids that were told. */
const questions: readonly { about: string; ids: (told: ToldIds) => Set<string>; sql: string }[] = [
  {
    about: 'a call that nobody asked for',
    ids: ({ cd_id }) => cd_id,
    sql: `SELECT m.id FROM machines m LEFT JOIN calls c USING (account_id, id) WHERE m.account_id = $1 AND m.kind = 'call'
      AND m.id <> ALL ($2::bigint[]) AND coalesce(c.campaign_id, 0) = 0`,
  },
  {
    about: 'a record of a call that nobody asked for',
    ids: ({ cd_id }) => cd_id,
    sql: `SELECT id FROM calls WHERE account_id = $1 AND campaign_id = 0 AND id <> ALL ($2::bigint[])`,
  },
  {
    about: 'a call that has no machine',
    ids: ({ cd_id }) => cd_id,
    sql: `SELECT id FROM unnest($2::bigint[]) AS told (id) WHERE NOT EXISTS
      (SELECT FROM machines m WHERE m.account_id = $1 AND m.id = told.id AND m.kind = 'call')`,
  },
  {
    about: 'a campaign that nobody asked for',
    ids: ({ cp_id }) => cp_id,
    sql: `SELECT id FROM machines WHERE account_id = $1 AND kind = 'campaign' AND id <> ALL ($2::bigint[])
      UNION SELECT id FROM campaigns WHERE account_id = $1 AND id <> ALL ($2::bigint[])`,
  },
  {
    about: 'a campaign without machine and record',
    ids: ({ cp_id }) => cp_id,
    sql: `SELECT id FROM unnest($2::bigint[]) AS told (id) WHERE NOT EXISTS
      (SELECT FROM machines m JOIN campaigns c USING (account_id, id) WHERE m.account_id = $1 AND m.id = told.id)`,
  },
  {
    about: 'destinations of no campaign',
    ids: ({ cp_id }) => cp_id,
    sql: `SELECT campaign_id AS id FROM destinations WHERE account_id = $1 AND campaign_id <> ALL ($2::bigint[])
      UNION SELECT campaign_id FROM skipped_destinations WHERE account_id = $1 AND campaign_id <> ALL ($2::bigint[])`,
  },
  {
    about: 'a list that nobody sent',
    ids: ({ cdlc_id }) => cdlc_id,
    sql: `SELECT id FROM lists WHERE account_id = $1 AND id <> ALL ($2::bigint[])
      AND id NOT IN (SELECT list_id FROM campaigns WHERE account_id = $1)`,
  },
  {
    about: 'a list that was told of and is not there',
    ids: ({ cdlc_id }) => cdlc_id,
    sql: `SELECT id FROM unnest($2::bigint[]) AS told (id) WHERE id NOT IN (SELECT id FROM lists WHERE account_id = $1)`,
  },
  {
    about: 'records of no list',
    ids: ({ cdlc_id }) => cdlc_id,
    sql: `SELECT list_id AS id FROM list_records WHERE account_id = $1 AND list_id NOT IN (SELECT id FROM lists WHERE account_id = $1)
      UNION SELECT list_id FROM list_rejects WHERE account_id = $1 AND list_id NOT IN (SELECT id FROM lists WHERE account_id = $1)
      UNION SELECT 0 WHERE $2::bigint[] IS NULL`,
  },
  {
    about: 'an audio that nobody made',
    ids: ({ cdw_file }) => cdw_file,
    sql: `SELECT id FROM audios WHERE account_id = $1 AND id <> ALL ($2::bigint[]) AND NOT EXISTS
      (SELECT FROM campaigns c WHERE c.account_id = $1 AND audios.id::text = ANY (string_to_array(replace(c.audio, 'tf', ''), ' ')))`,
  },
  {
    about: 'an audio that was told of and is not there',
    ids: ({ cdw_file }) => cdw_file,
    sql: `SELECT id FROM unnest($2::bigint[]) AS told (id) WHERE id NOT IN (SELECT id FROM audios WHERE account_id = $1)`,
  },
  {
    about: 'a message that nobody sent',
    ids: ({ cdls_id }) => cdls_id,
    sql: `SELECT id FROM machines m WHERE account_id = $1 AND kind = 'message' AND id <> ALL ($2::bigint[]) AND NOT EXISTS
      (SELECT FROM messages s JOIN calls c ON c.account_id = $1 AND 'a_' || c.id = s.call_id WHERE s.account_id = $1 AND s.id = m.id)`,
  },
  {
    about: 'a message without machine and log',
    ids: ({ cdls_id }) => cdls_id,
    sql: `SELECT id FROM unnest($2::bigint[]) AS told (id) WHERE NOT EXISTS
      (SELECT FROM machines m JOIN messages s USING (account_id, id) WHERE m.account_id = $1 AND m.id = told.id)`,
  },
  {
    about: 'a movement of money for no message',
    ids: ({ cdls_id }) => cdls_id,
    sql: `SELECT machine_id AS id FROM ledger WHERE account_id = $1 AND machine_id IS NOT NULL AND machine_id <> ALL ($2::bigint[])
      AND machine_id NOT IN (SELECT id FROM messages WHERE account_id = $1 AND call_id <> '')`,
  },
  {
    about: 'a delivery about nothing',
    ids: ({ cp_id }) => cp_id,
    sql: `SELECT id FROM deliveries WHERE account_id = $1 AND about_id <> 0 AND about_id <> ALL ($2::bigint[])
      AND about_id NOT IN (SELECT id FROM machines WHERE account_id = $1)`,
  },
  {
    about: 'a machine of nothing',
    ids: () => new Set(),
    sql: `SELECT id FROM machines m WHERE account_id = $1 AND $2::bigint[] IS NOT NULL AND CASE kind
      WHEN 'call' THEN false WHEN 'campaign' THEN false WHEN 'message' THEN false
      WHEN 'delivery' THEN id NOT IN (SELECT id FROM deliveries WHERE account_id = $1)
      WHEN 'template' THEN id NOT IN (SELECT id FROM templates WHERE account_id = $1)
        AND ended_at IS NULL
      WHEN 'line' THEN id NOT IN (SELECT id FROM queues WHERE account_id = $1 UNION SELECT id FROM agents WHERE account_id = $1)
      ELSE true END`,
  },
  {
    about: 'a claim of nothing',
    ids: ({ cdlc_id }) => cdlc_id,
    sql: `SELECT key AS id FROM claims WHERE account_id = $1 AND owner NOT IN (SELECT id::text FROM machines WHERE account_id = $1
      UNION SELECT id::text FROM audios WHERE account_id = $1 UNION SELECT 'list ' || id FROM unnest($2::bigint[]) AS told (id))`,
  },
];

/** Sentences for what stands there without a reason, and for what is missing. */
export const unexplained = async (pool: Pool, account: number, told: Told): Promise<string[]> => {
  const sentences: string[] = [];
  for (const { about, ids, sql } of questions) {
    const { rows } = await pool.query<{ id: string }>(sql, [account, [...ids(told.ids)]]);
    if (rows.length > 0)
      sentences.push(
        `${about}: ${rows
          .map(({ id }) => id)
          .slice(0, 5)
          .join(', ')}`,
      );
  }
  const pushed = await pool.query<{ pushes: string }>(
    'SELECT count(*) AS pushes FROM deliveries WHERE account_id = $1 AND about_id = 0',
    [account],
  );
  if (Number(pushed.rows[0]!.pushes) > told.pushes)
    sentences.push(`${pushed.rows[0]!.pushes} pushes, and ${told.pushes} were told of`);
  const { rows } = await pool.query<{ missing: string }>(
    `SELECT (SELECT coalesce(sum(amount), 0) FROM ledger WHERE account_id = $1)
      - (SELECT amount FROM balances WHERE account_id = $1 AND name = 'balance') AS missing`,
    [account],
  );
  if (Number(rows[0]!.missing) !== 0)
    sentences.push(`the ledger and the balance differ by ${rows[0]!.missing}`);
  return sentences;
};
