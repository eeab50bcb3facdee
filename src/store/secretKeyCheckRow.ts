/** Whether `SECRET_KEY` is the one that this installation seals with: a row of the control database that it sealed. */
import type { Pool } from 'pg';
import { type SecretBox, secretBoxOf } from '../lib/secretBox.ts';

/** `unknown`: no key opens it. `older`: an older key does, the first one does not. */
export type SecretKeyCheckVerdict = 'first' | 'older' | 'unknown';

const about = 'key check';
const text = 'Ramal';

const checkSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'key check');

/**
 * Where the key stands. A database without a check takes this key for its own; of nodes that begin at once, one writes
 * and all compare. `secret`: `SECRET_KEY`; `now`: epoch milliseconds.
 */
export const secretKeyStatus = async (
  pool: Pool,
  secret: string,
  now: number,
): Promise<SecretKeyCheckVerdict> => {
  const secretBox = checkSecretBox(secret);
  await pool.query(
    'INSERT INTO key_checks (id, sealed, changed_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING',
    [secretBox.seal(text, about), now],
  );
  const { rows } = await pool.query<{ sealed: string }>('SELECT sealed FROM key_checks WHERE id = 1');
  try {
    return secretBox.reseal(rows[0]!.sealed, about) === undefined ? 'first' : 'older';
  } catch {
    return 'unknown';
  }
};

/** Whether one of the keys is the installation's; true as well where nothing was sealed yet. Changes nothing. */
export const doesSecretKeyMatchDatabase = async (pool: Pool, secret: string): Promise<boolean> => {
  const { rows } = await pool.query<{ sealed: string }>('SELECT sealed FROM key_checks WHERE id = 1');
  try {
    if (rows[0]) checkSecretBox(secret).reseal(rows[0].sealed, about);
    return true;
  } catch {
    return false;
  }
};

/** From now on the first key is the one that is asked for. */
export const writeKeyCheck = async (pool: Pool, secret: string, now: number): Promise<void> => {
  await pool.query(
    `INSERT INTO key_checks (id, sealed, changed_at) VALUES (1, $1, $2)
     ON CONFLICT (id) DO UPDATE SET sealed = EXCLUDED.sealed, changed_at = EXCLUDED.changed_at`,
    [checkSecretBox(secret).seal(text, about), now],
  );
};

/** Since when this key is the installation's, epoch milliseconds. */
export const secretKeyInUseSince = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ changed_at: number }>('SELECT changed_at FROM key_checks WHERE id = 1');
  return rows[0]!.changed_at;
};

/** Whether there is a check at all: earlier releases had none. */
export const hasKeyCheck = async (pool: Pool): Promise<boolean> =>
  (await pool.query('SELECT FROM key_checks')).rowCount === 1;
