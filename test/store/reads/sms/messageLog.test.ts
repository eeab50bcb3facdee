import { expect, test } from 'vitest';
import { readMessagePage } from '../../../../src/store/reads/sms/messageLog.ts';
import { withDatabase } from '../../../helpers/database.ts';

test('a search looks through 50,000 messages at a time, and goes on below them', () =>
  withDatabase(async ({ pool }) => {
    await pool.query(
      `INSERT INTO messages (account_id, id, created_at, channel, destination, state, body)
       SELECT 3, n, 0, 'sms', n::text, CASE WHEN n = 7 THEN 'failed' ELSE 'delivered' END,
         CASE WHEN n = 8 THEN 'needle' ELSE 'hay' END FROM generate_series(1, 50010) n`,
    );
    const query = { account: 3, before: Number.MAX_SAFE_INTEGER, limit: 10 };
    for (const [filter, found] of [
      [{ text: 'needle' }, 8],
      [{ state: 'failed' }, 7],
    ] as const) {
      const first = await readMessagePage(pool, { ...query, ...filter });
      expect(first).toEqual({ rows: [], before: 11 });
      const next = await readMessagePage(pool, { ...query, ...filter, before: first.before! });
      expect([next.rows.map(({ id }) => id), next.before]).toEqual([[found], null]);
    }
    const direct = await readMessagePage(pool, { ...query, destination: '7', state: 'failed' });
    expect([direct.rows.map(({ id }) => id), direct.before]).toEqual([[7], null]);
    const all = await readMessagePage(pool, { ...query, before: 12 });
    expect([all.rows.length, all.before]).toEqual([10, 2]);
  }));
