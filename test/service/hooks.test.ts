import { afterEach, expect, test } from 'vitest';
import { freshDatabase } from '../helpers/database.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { signed } from '../hooks/bed.ts';
import { aboutMessages } from '../hooks/bodies.ts';
import { aDataDir, type RunningService, startService } from './service.ts';
import { until } from '../helpers/patience.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const appSecret = 'secret-of-the-crash';
const count = 60;

/** Brings a message until it is acknowledged, as an upstream does. */
const bringing = async (id: string, line: number, url: () => string): Promise<void> => {
  const message = { id, from: '5511987650000', timestamp: '1795188600', type: 'text', text: { body: id } };
  const body = JSON.stringify(aboutMessages({ messages: [message] }));
  const headers = { 'x-hub-signature-256': signed(body, appSecret) };
  await until(async () => {
    const answer = await fetch(`${url()}/hooks/msgapp/${line}`, { method: 'POST', headers, body }).catch(
      () => undefined,
    );
    return answer?.status === 200;
  });
};

test('a process that is killed among hooks loses none of what it acknowledged, and brings each message as one event', async () => {
  const database = await freshDatabase();
  undo.push(() => database.drop());
  const receiver = await startReceiver();
  undo.push(() => receiver.close());
  const folder = aDataDir();
  undo.push(() => folder.remove());
  const start = async (): Promise<RunningService> => {
    const env = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };
    const service = await startService({ databaseUrl: database.url, dataDir: folder.path, env });
    undo.push(() => service.kill());
    return service;
  };
  let service = await start();
  const made = await service.admin('POST', '/accounts/3/lines', {
    ...{ v8l_class: 'msgapp', app_secret: appSecret, forward_url: receiver.url },
  });
  const line = Number(made.body['v8l_id']);
  let acknowledged = 0;
  const all = Array.from({ length: count }, (_, n) => `wamid.crash${n}`);
  const waiting = [...all];
  const upstream = Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        await bringing(id, line, () => service.url);
        acknowledged += 1;
      }
    }),
  );
  await until(() => acknowledged >= count / 3);
  await service.kill();
  service = await start();
  await upstream;
  const brought = () => receiver.heard.map(({ body }) => JSON.parse(body).message_id as string);
  await until(() => new Set(brought()).size === count);
  expect(brought()).toEqual(expect.arrayContaining(all));
  expect(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(count);
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM deliveries) AS deliveries, (SELECT count(*)::int FROM inbound_messages) AS kept`,
  );
  expect(rows).toEqual([{ deliveries: count, kept: count }]);
});
