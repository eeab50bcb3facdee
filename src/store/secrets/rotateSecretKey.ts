/** Everything that an older `SECRET_KEY` sealed, sealed with the first one. */
import type { Pool } from 'pg';
import { firstSealedTextCursor, updateResealedTexts, readSealedTextsPage } from '../sql/sealedColumnPages.ts';
import { secretKeyInUseSince, secretKeyStatus, writeKeyCheck } from '../secretKeyCheckRow.ts';
import type { ControlAndShardPools, PoolsOfOneShard } from '../pools.ts';
import { type SealedColumnWithBox, sealedOfControl, sealedOfShard } from './sealedColumns.ts';

/** What a change of the key came to. */
export interface KeyRotationResult {
  /** How many texts were sealed anew, by table. */
  resealed: Record<string, number>;
  /** How many the first key had sealed already. */
  current: number;
  /** What no key opens: `<table>.<column> of account 3, 17`. */
  unopened: string[];
  /** Until when what the older keys signed or sealed elsewhere may be needed, epoch milliseconds. */
  oldKeysUntil: number;
}

const PAGE = 500;
const DAY = 86_400_000;
/** A link to a recording is good for a week and up to a day longer. */
const LINK_DAYS = 8;

/** How a change of the key is made. */
export interface ResealSecretsOptions {
  /** The first key, then those before it. */
  secretKey: string;
  /** The key of before is gone: what it sealed is named, and the first key is the installation's from now on. */
  lost: boolean;
  /** How long deliveries may go on that carry what was signed before, days. */
  deliveryDays: number;
}

/** Seals with the first key everything that an older one sealed; to be repeated as often as one likes. */
export const resealAllSecrets = async (
  { control: { pool }, shards }: ControlAndShardPools<Pick<PoolsOfOneShard, 'pool'>>,
  { secretKey, lost, deliveryDays }: ResealSecretsOptions,
): Promise<KeyRotationResult> => {
  const rotation: KeyRotationResult = { resealed: {}, current: 0, unopened: [], oldKeysUntil: 0 };
  for (const column of sealedOfControl(secretKey)) await reseal(pool, column, rotation);
  for (const shard of shards.values())
    for (const column of sealedOfShard(secretKey)) await reseal(shard.pool, column, rotation);
  // Last: as long as something is left, the start says that it is to be done.
  const isDone = (await secretKeyStatus(pool, secretKey, Date.now())) === 'first';
  if (!isDone && (lost || rotation.unopened.length === 0)) await writeKeyCheck(pool, secretKey, Date.now());
  const days = Math.max(LINK_DAYS, deliveryDays);
  return { ...rotation, oldKeysUntil: (await secretKeyInUseSince(pool)) + days * DAY };
};

/** One column, page by page; each page is written before the next is read. */
const reseal = async (
  pool: Pool,
  column: SealedColumnWithBox,
  rotation: KeyRotationResult,
): Promise<void> => {
  const { table, box, about } = column;
  for (let after = firstSealedTextCursor; ;) {
    const texts = await readSealedTextsPage(pool, column, after, PAGE);
    const next = texts.flatMap(({ account, id, sealed }) => {
      try {
        const resealed = box.reseal(sealed, about(account, id));
        if (resealed === undefined) rotation.current += 1;
        return resealed === undefined ? [] : [{ account, id, sealed, resealed }];
      } catch {
        const place = column.key.length === 1 ? `account ${account}` : `account ${account}, ${id}`;
        rotation.unopened.push(`${table}.${column.column} of ${place}`);
        return [];
      }
    });
    rotation.resealed[table] =
      (rotation.resealed[table] ?? 0) + (await updateResealedTexts(pool, column, next));
    const last = texts.at(-1);
    if (!last || texts.length < PAGE) return;
    after = last;
  }
};
