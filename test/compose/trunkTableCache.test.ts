import { expect, test, vi } from 'vitest';
import { openTrunkBook } from '../../src/compose/trunkTableCache.ts';
import type { TrunkRoutingTable } from '../../src/rules/trunks/trunkTypes.ts';
import { handClock } from '../helpers/handClock.ts';
import { tableOf, trunkOf } from '../rules/trunks/trunkTable.ts';
import { eventually } from '../helpers/patience.ts';

/** Reads are answered one by one, by hand. */
const bed = async () => {
  const waiting: { resolve(table: TrunkRoutingTable): void; reject(error: Error): void }[] = [];
  const read = () =>
    new Promise<TrunkRoutingTable>((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
  const clock = handClock();
  const log = { warn: vi.fn<() => void>(), info: vi.fn<() => void>() };
  const opening = openTrunkBook({ read, clock, log });
  const answer = (name: string) => waiting.shift()!.resolve(tableOf([trunkOf(1, name)]));
  answer('first');
  const book = await opening;
  const fail = () => waiting.shift()!.reject(new Error('away'));
  const name = () => book.now().trunks[0]!.name;
  return { book, clock, log, waiting, answer, fail, name };
};

test('what other nodes changed is seen within two seconds', async () => {
  const { book, clock, waiting, answer, name } = await bed();
  clock.turn(5_000);
  expect(waiting).toHaveLength(0);
  book.start();
  clock.turn(2_000);
  answer('second');
  await eventually(() => expect(name()).toBe('second'));
  await eventually(() => {
    clock.turn(2_000);
    expect(waiting).toHaveLength(1);
  });
  const stopping = book.stop();
  answer('third');
  await stopping;
  clock.turn(10_000);
  expect(waiting).toHaveLength(0);
});

test('a change of this process is read at once, and once more when it came during a read', async () => {
  const { book, waiting, answer, name } = await bed();
  void book.changed();
  expect(waiting).toHaveLength(1);
  void book.changed();
  void book.changed();
  answer('before');
  await eventually(() => expect(waiting).toHaveLength(1));
  answer('after');
  await eventually(() => expect(name()).toBe('after'));
  expect(waiting).toHaveLength(0);
  await book.stop();
});

test('the last table stays while the database is away, and the log says so once', async () => {
  const { book, clock, log, waiting, answer, fail, name } = await bed();
  void book.changed();
  for (let nth = 0; nth < 3; nth++) {
    fail();
    await eventually(() => {
      clock.turn(2_000);
      expect(waiting).toHaveLength(1);
    });
  }
  expect([name(), log.warn.mock.calls.length]).toEqual(['first', 1]);
  answer('again');
  await eventually(() => expect(name()).toBe('again'));
  expect(log.info).toHaveBeenCalledTimes(1);
  await book.stop();
});
