import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineHistoryCleanup, oldRecordsCleanup } from '../../src/compose/retention.ts';
import { cronTrigger } from '../../src/compose/schedule.ts';
import type { Config } from '../../src/config.ts';
import type { Databases } from '../../src/compose/databases.ts';
import type { InterruptibleUpkeepWork } from '../../src/engine/cluster/scheduledUpkeep.ts';
import { firstIdAt } from '../../src/engine/contract/idGenerator.ts';
import { maintainHistoryPartitions } from '../../src/store/historyPartitions.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';

/** What the schedule says in the log when it begins. */
const logged = () => {
  const lines: { next: Date }[] = [];
  const log = {
    info: (fields: unknown) => lines.push(fields as { next: Date }),
    warn() {},
    error() {},
    debug() {},
  };
  return { lines, log: log as unknown as Parameters<typeof cronTrigger>[1] };
};

describe('the schedule', () => {
  it('is read in its time zone, and says when its next turn is', () => {
    const { lines, log } = logged();
    cronTrigger({ cron: '30 3 * * *', timeZone: 'America/Sao_Paulo' }, log)(() => {})();
    cronTrigger({ cron: '30 3 * * *', timeZone: 'Asia/Kolkata' }, log)(() => {})();
    expect(lines.map(({ next }) => next.toISOString().slice(11, 16))).toEqual(['06:30', '22:00']);
    for (const { next } of lines) expect(next.getTime()).toBeGreaterThan(Date.now());
  });

  it('calls when its time comes, again and again, and not after it was ended', async () => {
    const { log } = logged();
    let heard = (): void => {};
    const next = () => new Promise<void>((resolve) => (heard = resolve));
    const everySecond = (due: () => void) => cronTrigger({ cron: '* * * * * *', timeZone: 'UTC' }, log)(due);
    let calls = 0;
    const end = everySecond(() => {
      calls += 1;
      heard();
    });
    await next();
    await next();
    end();
    expect(calls).toBe(2);
    const endOther = everySecond(() => heard());
    await next();
    await next();
    endOther();
    expect(calls).toBe(2);
  });
});

describe('what is done then, against a database', () => {
  const now = Date.UTC(2026, 10, 25);
  const DAY = 86_400_000;
  let on: TestDatabase;
  beforeAll(async () => {
    on = await freshDatabase();
  });
  afterAll(() => on.drop());

  const needs = () =>
    [
      { shards: new Map([['a', on]]) } as unknown as Databases,
      { limits: { historyDays: 2, deliveryDays: 30, recordDays: 40 } } as unknown as Config,
      'a',
    ] as const;
  const done = (work: InterruptibleUpkeepWork, mayGoOn = () => true) => work.run(now, mayGoOn);

  it('drops the days of the history that are past HISTORY_DAYS', async () => {
    const today = now / DAY;
    for (const ago of [5, 4, 3])
      await maintainHistoryPartitions(on.pool, { now: now - ago * DAY, keepDays: Infinity });
    await done(machineHistoryCleanup(...needs()));
    const { rows } = await on.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = 'history'::regclass AND relname ~ 'd[0-9]+$' ORDER BY relname LIMIT 1`,
    );
    expect(rows).toEqual([{ name: `history_d${today - 1}` }]);
  });

  it('deletes records past DELIVERY_DAYS and RECORD_DAYS, and ends between two batches when it must', async () => {
    await on.pool.query(
      `INSERT INTO deliveries (account_id, id, created_at, purpose, target, state, finished)
       SELECT 3, $1::bigint + nth, 0, 'callback', '', 'x', true FROM generate_series(1, 12000) nth`,
      [firstIdAt(now - 31 * DAY)],
    );
    const left = async () => (await on.pool.query('SELECT 1 FROM deliveries')).rowCount;
    let asked = 0;
    await done(oldRecordsCleanup(...needs()), () => (asked += 1) === 1);
    expect(await left()).toBe(7_000);
    await done(oldRecordsCleanup(...needs()));
    expect(await left()).toBe(0);
  });
});
