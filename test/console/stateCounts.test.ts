/** Counts of states between two questions to the database, and the questions that pace themselves. */
import { expect, test } from 'vitest';
import { staleWhileRevalidate } from '../../src/admin/console/staleWhileRevalidate.ts';
import { MachineStateCounter } from '../../src/admin/console/stateCounts.ts';

const calls = (state: string, count: number) => ({ kind: 'call', state, count });

/** A database whose count is answered when the test says so. */
const bed = () => {
  const clock = { now: 0 };
  const waiting: ((rows: ReturnType<typeof calls>[] | Error) => void)[] = [];
  const counts = new MachineStateCounter({
    count: () =>
      new Promise((resolve, reject) =>
        waiting.push((rows) => (rows instanceof Error ? reject(rows) : resolve(rows))),
      ),
    everyMs: 1_000,
    now: () => clock.now,
  });
  return { clock, waiting, counts };
};

test('a step moves the counts before the database is asked again', async () => {
  const { waiting, counts } = bed();
  const first = counts.read();
  waiting.shift()!([calls('dialing', 2)]);
  expect(await first).toEqual([calls('dialing', 2)]);
  counts.moved('call', 'dialing', 'answered');
  counts.moved('call', null, 'born');
  counts.moved('call', 'dialing', null);
  expect(await counts.read()).toEqual([calls('answered', 1), calls('born', 1)]);
  expect(waiting).toEqual([]);
});

test('a step that is committed while the database counts is added to what it says', async () => {
  const { clock, waiting, counts } = bed();
  const first = counts.read();
  waiting.shift()!([calls('dialing', 2)]);
  await first;
  clock.now = 1_000;
  expect(await counts.read()).toEqual([calls('dialing', 2)]);
  counts.moved('call', null, 'dialing');
  waiting.shift()!([calls('dialing', 5)]);
  await expect.poll(() => counts.read()).toEqual([calls('dialing', 6)]);
});

test('one slow count keeps the next one waiting no longer than a quick one does', async () => {
  const { clock, waiting, counts } = bed();
  const first = counts.read();
  clock.now = 5_000;
  waiting.shift()!([calls('dialing', 2)]);
  await first;
  clock.now = 6_000;
  await counts.read();
  expect(waiting.length).toBe(1);
});

test('after a silence it is counted anew, for steps were not noted meanwhile', async () => {
  const { clock, waiting, counts } = bed();
  const first = counts.read();
  waiting.shift()!([calls('dialing', 2)]);
  await first;
  clock.now = 60_000;
  counts.moved('call', 'dialing', null);
  const later = counts.read();
  waiting.shift()!([calls('ringing', 1)]);
  expect(await later).toEqual([calls('ringing', 1)]);
});

test('a count that fails is told to the one who waits, and the next is made', async () => {
  const { waiting, counts } = bed();
  const first = counts.read();
  waiting.shift()!(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const next = counts.read();
  waiting.shift()!([calls('dialing', 1)]);
  expect(await next).toEqual([calls('dialing', 1)]);
});

test('what was read before a long silence is not answered', async () => {
  let now = 0;
  let answer = 1;
  const read = staleWhileRevalidate({ read: async () => answer, everyMs: 1_000, now: () => now });
  expect(await read()).toBe(1);
  answer = 2;
  now = 1_500;
  // Read anew in the background, and told to the next one.
  expect(await read()).toBe(1);
  expect(await read()).toBe(2);
  answer = 3;
  now = 60_000;
  expect(await read()).toBe(3);
});

test('one slow read keeps nothing waiting; two make the next one wait a hundred times as long', async () => {
  let now = 0;
  let count = 0;
  const took = [2_000, 10, 2_000, 2_000, 10];
  const read = staleWhileRevalidate({
    read: async () => {
      now += took[count]!;
      return (count += 1);
    },
    everyMs: 1_000,
    now: () => now,
  });
  /** When the next read begins, counted from the end of the last one, milliseconds. */
  const pause = async () => {
    const [began, known] = [now, count];
    while (count === known) {
      now += 100;
      await read();
    }
    return now - took[known]! - began;
  };
  expect(await read()).toBe(1);
  expect([await pause(), await pause(), await pause(), await pause()]).toEqual([
    1_000, 1_000, 1_000, 200_000,
  ]);
});
