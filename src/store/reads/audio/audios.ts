/** Audio assets: the page that is listed, and the one question "what does this id play". */
import type { Pool } from 'pg';
import type { PromptSource } from '../../../../machines/call/input.ts';
import { unaccentSql } from '../../sql/unaccentSql.ts';

export interface AudioRow {
  id: number;
  name: string;
  file_name: string;
  /** tts, upload, rec, ttsvar. */
  type: string;
  text: string;
  voice: string;
  rate: number;
  /** Media ids; empty: none. */
  wav: string;
  mp3: string;
  sample: string;
  seconds: number;
  group_id: number | null;
  visible: boolean;
  /** Epoch milliseconds. */
  created_at: number;
  expires_at: number;
  /** Last day of an active campaign that plays it, YYYY-MM-DD: until then it stays, whatever `expires_at` says. */
  kept_until: string | null;
}

export interface AudioListQuery {
  account: number;
  /** Epoch milliseconds: what has gone by then is not found. */
  at: number;
  id?: number;
  type?: string | undefined;
  /** In name, id or text, whatever case and accents. */
  search?: string | undefined;
  /** Hidden ones too. Default false. */
  hidden?: boolean;
  /** Ids below this one, for the next page. */
  belowId?: number | undefined;
  limit: number;
}

/** The campaigns that may keep an asset: those that go on. They name their assets as `tf<id>`, with blanks between. */
const playing = `playing AS MATERIALIZED (SELECT audio, date_end FROM campaigns
    WHERE account_id = $1 AND active AND finished_at IS NULL)`;

/** Last day of those that play asset `a`. */
const keptUntil = `(SELECT max(date_end) FROM playing WHERE strpos(' ' || audio || ' ', ' tf' || a.id || ' ') > 0)`;

/** A campaign's last day may be over in one zone and not in another: a day more does no harm. */
const lastDay = (at: number): string => new Date(at - 86_400_000).toISOString().slice(0, 10);

const columns = `a.id, a.name, a.file_name, a.type, a.text, a.voice, a.rate, a.wav, a.mp3, a.sample,
  a.seconds::float8 AS seconds, a.group_id, a.visible, a.created_at, a.expires_at, kept.until AS kept_until`;

/** Asks for campaigns only where `when` holds. */
const tables = (when: string): string =>
  `audios a CROSS JOIN LATERAL (SELECT CASE WHEN ${when} THEN ${keptUntil} END AS until) kept`;

/** What is searched, a line a field, so that nothing is found across two of them. */
const searched = unaccentSql(String.raw`concat_ws(E'\n', a.name, 'tf' || a.id, a.text)`);

/** Assets that have not gone, newest first. */
export const findAudios = async (pool: Pool, query: AudioListQuery): Promise<AudioRow[]> => {
  const values: unknown[] = [query.account, query.at, lastDay(query.at)];
  const where = ['a.account_id = $1', '(a.expires_at > $2 OR kept.until >= $3)'];
  const only = (value: unknown, clause: (written: string) => string): void => {
    if (value !== undefined) where.push(clause(`$${values.push(value)}`));
  };
  if (query.hidden !== true) where.push('a.visible');
  only(query.id, (id) => `a.id = ${id}`);
  only(query.type, (type) => `a.type = ${type}`);
  only(query.belowId, (id) => `a.id < ${id}`);
  only(query.search, (search) => `strpos(${searched}, ${unaccentSql(`${search}::text`)}) > 0`);
  const { rows } = await pool.query<AudioRow>(
    `WITH ${playing} SELECT ${columns} FROM ${tables('true')} WHERE ${where.join(' AND ')} ORDER BY a.id DESC LIMIT $${values.push(query.limit)}`,
    values,
  );
  return rows;
};

/**
 * What a campaign should play and cannot any more: assets and files that were deleted, or that went a week after they
 * expired while it was paused. By their ids as the interface writes them.
 */
export const findMissingCampaignAudio = async (
  pool: Pool,
  account: number,
  campaign: number,
): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>({
    name: 'gone audio',
    text: `SELECT named.id FROM campaigns c, regexp_split_to_table(c.audio, ' ') AS named (id)
      WHERE c.account_id = $1 AND c.id = $2 AND named.id <> ''
        AND NOT EXISTS (SELECT FROM audios a
          WHERE a.account_id = $1 AND a.id = substring(named.id FROM '^tf([0-9]+)t?$')::bigint)
        AND NOT EXISTS (SELECT FROM media m WHERE m.account_id = $1 AND m.id = named.id)`,
    values: [account, campaign],
  });
  return rows.map(({ id }) => id);
};

/** What an id plays. */
export interface PlayableAudio {
  /** As the interface writes it: `tf<id>` for an asset, else the media id. */
  id: string;
  prompt: PromptSource;
  /** Epoch milliseconds; null: it does not expire. */
  expiresAt: number | null;
}

/**
 * What these ids play, by the id as it was written: assets of the account (with or without `tf`; with a `t` at the end
 * the sample of a ttsvar), and files of its own. What is missing has gone, or is not the account's. `at`: epoch
 * milliseconds.
 */
export const findPlayableAudio = async (
  pool: Pool,
  account: number,
  written: readonly string[],
  at: number,
): Promise<Map<string, PlayableAudio>> => {
  const names = written.map((text) => ({ text, name: assetName(text) }));
  const assets = await assetsOf(
    pool,
    account,
    names.flatMap(({ name }) => (name ? [name.id] : [])),
    at,
  );
  const found = new Map<string, PlayableAudio>();
  for (const { text, name } of names) {
    const row = name && assets.get(name.id);
    const asset = row && playable(row, name.sample);
    if (asset) found.set(text, asset);
  }
  const others = written.filter((text) => !found.has(text));
  return new Map([...found, ...(await filesOf(pool, account, others, at))]);
};

/** Undefined: names no asset. */
const assetName = (written: string): { id: number; sample: boolean } | undefined => {
  const [, digits, sample] = /^(?:tf)?(\d{1,10})(t?)$/i.exec(written) ?? [];
  const id = Number(digits);
  return id < 2 ** 31 ? { id, sample: sample !== '' } : undefined;
};

const assetsOf = async (
  pool: Pool,
  account: number,
  ids: readonly number[],
  at: number,
): Promise<Map<number, AudioRow>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<AudioRow>({
    name: 'playable audio',
    // Most assets last longer than any campaign: every call asks this, and then no campaign is looked at.
    text: `WITH ${playing} SELECT ${columns} FROM ${tables('a.expires_at <= $5')}
      WHERE a.account_id = $1 AND a.id = ANY($2::int[]) AND (a.expires_at > $3 OR kept.until >= $4)`,
    values: [account, ids, at, lastDay(at), at + 2 * 86_400_000],
  });
  return new Map(rows.map((row) => [row.id, row]));
};

const playable = (row: AudioRow, sample: boolean): PlayableAudio | undefined => {
  const prompt = sample ? fileOf(row, row.sample) : promptOf(row);
  return (
    prompt && {
      id: `tf${row.id}${sample ? 't' : ''}`,
      prompt,
      expiresAt: row.kept_until === null ? row.expires_at : null,
    }
  );
};

const promptOf = (row: AudioRow): PromptSource | undefined => {
  const { type, text, voice, rate } = row;
  if (type === 'ttsvar') return { text, voice, ...(rate !== 0 && { rate }) };
  return fileOf(row, row.wav);
};

const fileOf = ({ seconds }: AudioRow, media: string): PromptSource | undefined =>
  media === '' ? undefined : { media, seconds };

/** Files that are no assets: what an operator put there. */
const filesOf = async (
  pool: Pool,
  account: number,
  written: readonly string[],
  at: number,
): Promise<Map<string, PlayableAudio>> => {
  if (written.length === 0) return new Map();
  const spellings = new Map(written.map((text) => [text, [text, withOrWithoutPrefix(text)]]));
  const { rows } = await pool.query<{ id: string; expires_at: number | null }>({
    name: 'playable files',
    text: `SELECT id, expires_at FROM media
      WHERE account_id = $1 AND id = ANY($2::text[]) AND (expires_at IS NULL OR expires_at > $3)`,
    values: [account, [...spellings.values()].flat(), at],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    [...spellings].flatMap(([text, ids]) => {
      const row = ids.map((id) => byId.get(id)).find((one) => one !== undefined);
      return row
        ? [[text, { id: row.id, prompt: { media: row.id }, expiresAt: row.expires_at }] as const]
        : [];
    }),
  );
};

const withOrWithoutPrefix = (id: string): string => (id.startsWith('tf') ? id.slice(2) : `tf${id}`);
