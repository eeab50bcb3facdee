/** A service that stops ends its streams, and waits for what they are reading: the database is closed after them. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LiveHub } from '../../src/admin/console/liveUpdateHub.ts';

test('all streams are closed, and the hub is closed when the last of them has read what it was reading', async () => {
  const hub = new LiveHub(() => 0);
  const closed: string[] = [];
  const haveRead: (() => void)[] = [];
  for (const name of ['one', 'other']) {
    hub.opened(() => closed.push(name));
    hub.tells(new Promise((resolve) => haveRead.push(resolve)));
  }
  let isClosed = false;
  const closing = hub.close().then(() => (isClosed = true));
  expect(closed).toEqual(['one', 'other']);
  haveRead[0]!();
  await turn();
  expect(isClosed).toBe(false);
  haveRead[1]!();
  await closing;
  expect(isClosed).toBe(true);
});

test('a stream that has ended before is not waited for', async () => {
  const hub = new LiveHub(() => 0);
  hub.opened(() => {})();
  hub.tells(Promise.resolve());
  await hub.close();
  expect(hub.open).toBe(0);
});
