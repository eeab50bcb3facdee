/**
 * `SECRET_KEY` at the start, and its change. A key that is another than the one before would be found out one credential
 * at a time, when it is needed; so the start compares, and `ramal rotate-key` seals everything anew.
 */
import type { Pool } from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { keepSecrets } from '../secrets.ts';
import { hasKeyCheck, keyCheckedSince, keyStanding, writeKeyCheck } from '../store/keyCheck.ts';
import { beforeAll, putResealed, sealedTexts } from '../store/sql/reseal.ts';
import { prepareDataFolder } from './dataFolder.ts';
import { type Databases, openDatabases } from './databases.ts';
import { type Sealed, sealedOfControl, sealedOfShard } from './sealedColumns.ts';

const isAnother =
  'SECRET_KEY is not the one that this database was sealed with: start with that key (it stands in the file secret-key of the DATA_DIR of before, or in the settings of the other nodes), or with SECRET_KEY=<new>,<old> to change it. If it is lost for good, run `npx ramal rotate-key --lost` and set the credentials that it names again';

/** Throws a sentence when `SECRET_KEY` is not this installation's; says so when it is to be changed. */
export const checkSecretKey = async (databases: Databases, secret: string, log: Log): Promise<void> => {
  const { pool } = databases.control;
  // An earlier release wrote no check: then what it sealed tells.
  if (!(await hasKeyCheck(pool)) && (await opensNothing(pool, secret))) throw new Error(isAnother);
  const standing = await keyStanding(pool, secret, Date.now());
  if (standing === 'unknown') throw new Error(isAnother);
  if (standing === 'older')
    log.warn('SECRET_KEY begins with a new key: run `npx ramal rotate-key` when all nodes have it');
};

/** Texts that are looked at in a database of an earlier release. */
const SAMPLE = 20;

/** Whether there is something sealed, and the key opens none of it. */
const opensNothing = async (pool: Pool, secret: string): Promise<boolean> => {
  for (const column of sealedOfControl(secret)) {
    const texts = await sealedTexts(pool, column, beforeAll, SAMPLE);
    const opened = texts.filter(({ account, id, sealed }) => opens(column, account, id, sealed));
    if (texts.length > 0) return opened.length === 0;
  }
  return false;
};

const opens = ({ vault, about }: Sealed, account: number, id: number, sealed: string): boolean => {
  try {
    vault.open(sealed, about(account, id));
    return true;
  } catch {
    return false;
  }
};

export interface Rotation {
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

/**
 * Seals with the first key everything that an older one sealed; to be repeated as often as one likes. `lost`: the key
 * of before is gone; what it sealed is named, and the first key is the installation's from now on.
 */
export const rotateSecretKey = async (
  config: Config,
  log: Log,
  { lost = false }: { lost?: boolean } = {},
): Promise<Rotation> => {
  prepareDataFolder(config.dataDir);
  const { secretKey } = keepSecrets(config.dataDir, config.given);
  const databases = await openDatabases(config, log);
  try {
    if (!lost) await checkSecretKey(databases, secretKey, log);
    const rotation: Rotation = { resealed: {}, current: 0, unopened: [], oldKeysUntil: 0 };
    for (const column of sealedOfControl(secretKey)) await reseal(databases.control.pool, column, rotation);
    for (const { pool } of databases.shards.values())
      for (const column of sealedOfShard(secretKey)) await reseal(pool, column, rotation);
    // Last: as long as something is left, the start says that it is to be done.
    const { pool } = databases.control;
    const isDone = (await keyStanding(pool, secretKey, Date.now())) === 'first';
    if (!isDone && (lost || rotation.unopened.length === 0)) await writeKeyCheck(pool, secretKey, Date.now());
    const days = Math.max(LINK_DAYS, config.limits.deliveryDays);
    return { ...rotation, oldKeysUntil: (await keyCheckedSince(pool)) + days * DAY };
  } finally {
    await databases.close();
  }
};

/** One column, page by page; each page is written before the next is read. */
const reseal = async (pool: Pool, column: Sealed, rotation: Rotation): Promise<void> => {
  const { table, vault, about } = column;
  for (let after = beforeAll; ;) {
    const texts = await sealedTexts(pool, column, after, PAGE);
    const next = texts.flatMap(({ account, id, sealed }) => {
      try {
        const resealed = vault.reseal(sealed, about(account, id));
        if (resealed === undefined) rotation.current += 1;
        return resealed === undefined ? [] : [{ account, id, sealed, resealed }];
      } catch {
        const place = column.key.length === 1 ? `account ${account}` : `account ${account}, ${id}`;
        rotation.unopened.push(`${table}.${column.column} of ${place}`);
        return [];
      }
    });
    rotation.resealed[table] = (rotation.resealed[table] ?? 0) + (await putResealed(pool, column, next));
    const last = texts.at(-1);
    if (!last || texts.length < PAGE) return;
    after = last;
  }
};
