import { expect, test } from 'vitest';
import { countWorkLeftAtShutdown, shutdownFarewellText } from '../../src/terminal/workLeftAtShutdown.ts';
import type { ShardDatabase } from '../../src/compose/databases.ts';
import { withDatabase } from '../helpers/database.ts';

const unfinished = new Map([
  ['call', 1_200],
  ['campaign', 1],
]);

test('a stop says what goes on, and whether at the next start or elsewhere', () => {
  expect(shutdownFarewellText({ unfinished, others: 0 })).toContain(
    '1,200 calls, 1 campaign go on at the next start. Goodbye.',
  );
  expect(shutdownFarewellText({ unfinished: new Map([['call', 1]]), others: 1 })).toContain(
    '1 call goes on at the other node. Goodbye.',
  );
  expect(shutdownFarewellText({ unfinished: new Map(), others: 0 })).toContain(
    'nothing is left to do. Goodbye.',
  );
});

test('a stop whose database does not count says so much, and ends', () =>
  withDatabase(async ({ pool }) => {
    const shards = (counting: ShardDatabase['counting']) => ({
      shards: new Map([['a', { counting } as ShardDatabase]]),
    });
    expect(await countWorkLeftAtShutdown(shards(pool), 0)).toEqual({ unfinished: new Map(), others: 0 });
    await pool.query('ALTER TABLE machines RENAME TO machines_away');
    const remaining = await countWorkLeftAtShutdown(shards(pool), 0);
    expect(shutdownFarewellText(remaining)).toContain('what has not ended goes on at the next start');
  }));
