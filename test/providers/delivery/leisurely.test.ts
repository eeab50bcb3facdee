import { expect, it } from 'vitest';
import type { Courier, Parcel } from '../../../src/providers/delivery.ts';
import { leisurely } from '../../../src/providers/delivery/leisurely.ts';

const aProcess = () => {
  const carried: number[] = [];
  const timers: (() => void)[] = [];
  const process = {
    load: 1,
    carried,
    /** Lets time pass, a tick after the other. */
    ticks: async (times: number): Promise<void> => {
      for (let tick = 0; tick < times; tick += 1) {
        timers.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    send: (id: number, signal = new AbortController().signal) =>
      courier.carry({
        machine: { shard: 'a', account: 3, id, kind: 'delivery' },
        subject: {},
        attempt: 1,
        signal,
      }),
    get isWaiting() {
      return timers.length > 0;
    },
  };
  const quick: Courier = { carry: async ({ machine }: Parcel) => void carried.push(machine.id) };
  const courier = leisurely(quick, {
    load: () => process.load,
    after: (_ms, run) => {
      timers.push(run);
      return () => {};
    },
  });
  return process;
};

it('sets out at once while the process has time', async () => {
  const on = aProcess();
  on.load = 0.3;
  await on.send(1);
  expect([on.carried, on.isWaiting]).toEqual([[1], false]);
});

it('sets out at a pace while the process is busy, in the order they came, and goes on by and by after', async () => {
  const on = aProcess();
  const ids = Array.from({ length: 3_000 }, (_, id) => id);
  const sent = Promise.all(ids.map((id) => on.send(id)));
  await on.ticks(10);
  // As if all had half a minute: two of three thousand in a fiftieth of a second.
  expect(on.carried).toEqual(ids.slice(0, 20));
  on.load = 0.1;
  await on.ticks(10);
  expect(on.carried.length).toBe(420);
  await on.ticks(100);
  await sent;
  expect([on.carried, on.isWaiting]).toEqual([ids, false]);
});

it('forgets one that is broken off while it waits', async () => {
  const on = aProcess();
  const giveUp = new AbortController();
  const gone = on.send(1, giveUp.signal);
  const other = on.send(2);
  giveUp.abort(new Error('over'));
  await expect(gone).rejects.toThrow('over');
  await on.ticks(1);
  await other;
  expect(on.carried).toEqual([2]);
});
