/**
 * Writes of audio assets. An asset begins as a draft, a row that no read finds; its files are made; then it is settled,
 * in one statement with the claim of its Idempotency-Key. A draft that was left behind goes like an asset that expired.
 */
import type { Pool } from 'pg';
import type { ExclusiveKeyClaimRequest } from '../engine/contract/api.ts';
import { runJournaledTransaction } from './rowChanges/journaledPoolTransaction.ts';

/** What is known of an asset before its files are made. */
export interface PendingAudioAsset {
  account: number;
  id: number;
  name: string;
  fileName: string;
  type: 'tts' | 'upload' | 'rec' | 'ttsvar';
  text: string;
  voice: string;
  rate: number;
  group: number | null;
  /** Epoch milliseconds. */
  at: number;
}

/** What makes it an asset. */
export interface FinishedAudio {
  account: number;
  id: number;
  /** Media ids; empty: none. */
  wav: string;
  mp3: string;
  sample: string;
  seconds: number;
  visible: boolean;
  /** Epoch milliseconds. */
  expiresAt: number;
  at: number;
}

export const insertPendingAudioAsset = async (pool: Pool, draft: PendingAudioAsset): Promise<void> => {
  const { account, id, name, fileName, type, text, voice, rate, group, at } = draft;
  await pool.query({
    name: 'draft audio',
    text: `INSERT INTO audios (account_id, id, name, file_name, type, text, voice, rate, group_id, visible,
        created_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, $10, $10)`,
    values: [account, id, name, fileName, type, text, voice, rate, group, at],
  });
};

/** The database went back to before the draft was written: its caller asks again (503). */
class DraftLost extends Error {
  override readonly name = 'DraftLost';
  /** As the driver names a server that is not the one that was connected to. */
  readonly code = '08001';

  constructor(id: number) {
    super(`the draft of audio ${id} is not in the database, which went back to before it was written`);
  }
}

/** False: another request holds the claim, and nothing was written. Throws `DraftLost`. */
export const finishPendingAudioAsset = (
  pool: Pool,
  asset: FinishedAudio,
  claim: ExclusiveKeyClaimRequest | undefined,
): Promise<boolean> =>
  runJournaledTransaction(pool, async (client, touch) => {
    const { account, id, wav, mp3, sample, seconds, visible, expiresAt, at } = asset;
    // Of its draft nothing was kept.
    await touch('audios', [{ account_id: account, id }], true);
    const { rows } = await client.query<{ isThere: boolean; settled: boolean }>({
      name: 'settle audio',
      text: `WITH draft AS (SELECT 1 FROM audios WHERE account_id = $1 AND id = $2),
      claimed AS (INSERT INTO claims (account_id, key, until, owner, answer)
        SELECT $1, $10::text, $11, $2::int::text, $12 WHERE $10::text IS NOT NULL AND EXISTS (SELECT 1 FROM draft)
        ON CONFLICT (account_id, key) DO UPDATE
          SET until = excluded.until, owner = excluded.owner, answer = excluded.answer WHERE claims.until <= $9
        RETURNING 1),
      settled AS (UPDATE audios SET wav = $3, mp3 = $4, sample = $5, seconds = $6, visible = $7, expires_at = $8
        WHERE account_id = $1 AND id = $2 AND ($10::text IS NULL OR EXISTS (SELECT 1 FROM claimed)) RETURNING 1)
      SELECT EXISTS (SELECT 1 FROM draft) AS "isThere", EXISTS (SELECT 1 FROM settled) AS settled`,
      values: [
        ...[account, id, wav, mp3, sample, seconds, visible, expiresAt, at],
        ...[claim?.key ?? null, claim ? at + claim.forMs : null, claim?.answer ?? null],
      ],
    });
    const [{ isThere, settled }] = rows as [{ isThere: boolean; settled: boolean }];
    if (!isThere) throw new DraftLost(id);
    return settled;
  });

/** What of an asset can be changed; absent: it stays. */
export interface AudioAssetChange {
  name?: string | undefined;
  visible?: boolean | undefined;
  /** Epoch milliseconds. */
  expiresAt?: number | undefined;
}

/** Changes an asset that has not gone by `at` (epoch milliseconds); false: the account has none with this id. */
export const changeAudio = (
  pool: Pool,
  { account, id, at }: { account: number; id: number; at: number },
  { name, visible, expiresAt }: AudioAssetChange,
): Promise<boolean> =>
  runJournaledTransaction(pool, async (client, touch) => {
    await touch('audios', [{ account_id: account, id }]);
    const { rowCount } = await client.query({
      name: 'change audio',
      text: `UPDATE audios SET name = coalesce($4, name), visible = coalesce($5, visible),
          expires_at = coalesce($6, expires_at)
        WHERE account_id = $1 AND id = $2 AND expires_at > $3`,
      values: [account, id, at, name ?? null, visible ?? null, expiresAt ?? null],
    });
    return rowCount === 1;
  });

/** Removes an asset or a draft; false: the account has none with this id. Its files go first (`mediaIdsOfAudioAsset`). */
export const removeAudio = (pool: Pool, account: number, id: number): Promise<boolean> =>
  runJournaledTransaction(pool, async (client, touch) => {
    await touch('audios', [{ account_id: account, id }]);
    const { rowCount } = await client.query({
      name: 'remove audio',
      text: 'DELETE FROM audios WHERE account_id = $1 AND id = $2',
      values: [account, id],
    });
    return rowCount === 1;
  });

/** Media ids that an asset may have, whether it has them or not: also what a crash left behind is found by its row. */
export const mediaIdsOfAudioAsset = (id: number): { wav: string; sample: string; all: string[] } => {
  const wav = `audio-${id}`;
  const sample = `${wav}-sample`;
  return { wav, sample, all: [wav, sample].flatMap((file) => [file, `${file}.mp3`]) };
};

/** Assets and drafts of any account that had gone before `before` (epoch milliseconds), unless a campaign plays them. */
export const expiredAudios = async (
  pool: Pool,
  before: number,
  limit: number,
): Promise<{ account: number; id: number }[]> => {
  const { rows } = await pool.query<{ account: number; id: number }>({
    name: 'gone audios',
    text: `SELECT a.account_id AS account, a.id FROM audios a
      WHERE a.expires_at <= $1 AND NOT EXISTS (SELECT 1 FROM campaigns c
        WHERE c.account_id = a.account_id AND c.finished_at IS NULL
          AND strpos(' ' || c.audio || ' ', ' tf' || a.id || ' ') > 0)
      ORDER BY a.expires_at LIMIT $2`,
    values: [before, limit],
  });
  return rows;
};
