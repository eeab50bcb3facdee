/** A database that answers reads and refuses writes, as a demoted primary or a standby does (25006). */
import { expect, it } from 'vitest';
import { servicesWith } from './services.ts';
import { until } from '../helpers/patience.ts';

const services = servicesWith({ GRACE_SECONDS: '4' });

/** From now on every session of the database is of this kind; those that are open are ended. */
const makeReadOnly = async (isReadOnly: boolean): Promise<void> => {
  const { pool } = services.database;
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  const name = rows[0]!.name;
  await pool.query(
    `BEGIN READ WRITE; ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}; COMMIT`,
  );
  await pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
    [name],
  );
};

it('is not ready, says why, and is ready again when it takes writes', async () => {
  const service = await services.start();
  const readyz = async () => {
    const response = await fetch(`${service.url}/readyz`);
    return { status: response.status, body: (await response.json()) as { reasons: string[] } };
  };
  await makeReadOnly(true);
  const refused = await until(async () => {
    const answer = await readyz();
    return answer.status === 503 && answer;
  });
  expect(refused.body.reasons.join()).toMatch(/^shard a .*(25006|refuses writes)/);
  await makeReadOnly(false);
  await until(async () => (await readyz()).status === 200);
});
