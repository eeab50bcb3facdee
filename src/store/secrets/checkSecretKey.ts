/**
 * `SECRET_KEY` at the start. A key that is another than the one before would be found out one credential at a time, when
 * it is needed; so the start compares.
 */
import type { Pool } from 'pg';
import { hasKeyCheck, secretKeyStatus } from '../secretKeyCheckRow.ts';
import { firstSealedTextCursor, readSealedTextsPage } from '../sql/sealedColumnPages.ts';
import type { ControlAndShardPools } from '../pools.ts';
import { type SealedColumnWithBox, sealedOfControl } from './sealedColumns.ts';

const isAnother =
  'SECRET_KEY is not the one that this database was sealed with: start with that key (it stands in the file secret-key of the DATA_DIR of before, or in the settings of the other nodes), or with SECRET_KEY=<new>,<old> to change it. If it is lost for good, run `npx ramal rotate-key --lost` and set the credentials that it names again';

/** Throws a sentence when `SECRET_KEY` is not this installation's; says so when it is to be changed. */
export const checkSecretKey = async (
  { control: { pool } }: Pick<ControlAndShardPools, 'control'>,
  secret: string,
  log: { warn(sentence: string): void },
): Promise<void> => {
  // An earlier release wrote no check: then what it sealed tells.
  if (!(await hasKeyCheck(pool)) && (await opensNothing(pool, secret))) throw new Error(isAnother);
  const standing = await secretKeyStatus(pool, secret, Date.now());
  if (standing === 'unknown') throw new Error(isAnother);
  if (standing === 'older')
    log.warn('SECRET_KEY begins with a new key: run `npx ramal rotate-key` when all nodes have it');
};

/** Texts that are looked at in a database of an earlier release. */
const SAMPLE = 20;

/** Whether there is something sealed, and the key opens none of it. */
const opensNothing = async (pool: Pool, secret: string): Promise<boolean> => {
  for (const column of sealedOfControl(secret)) {
    const texts = await readSealedTextsPage(pool, column, firstSealedTextCursor, SAMPLE);
    const opened = texts.filter(({ account, id, sealed }) => opens(column, account, id, sealed));
    if (texts.length > 0) return opened.length === 0;
  }
  return false;
};

const opens = ({ box, about }: SealedColumnWithBox, account: number, id: number, sealed: string): boolean => {
  try {
    box.open(sealed, about(account, id));
    return true;
  } catch {
    return false;
  }
};
