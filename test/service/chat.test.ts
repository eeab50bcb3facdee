import { afterEach, expect, test } from 'vitest';
import { freshDatabase } from '../helpers/database.ts';
import { messageOf } from '../helpers/graphMessages.ts';
import { graphToken, startGraphServer } from '../helpers/graphServer.ts';
import { aboutMessages, signed } from '../hooks/bed.ts';
import { aDataDir, startService } from './service.ts';
import { until } from '../helpers/patience.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const appSecret = 'secret-of-the-crash';
const phone = '106540352242922';
const count = 60;

/** It takes a message at once, and says so a while later. */
const startUpstream = () =>
  startGraphServer([
    {
      method: 'POST',
      path: new RegExp(`^${phone}/messages$`),
      body: messageOf,
      answer: ({ body }) => ({
        status: 200,
        json: { messages: [{ id: `wamid.${body.biz_opaque_callback_data}` }] },
        afterMs: 150,
      }),
    },
  ]);

test('a process that is killed among messages sends none of them twice, and hooks tell what became of those nobody knew', async () => {
  const database = await freshDatabase();
  undo.push(() => database.drop());
  const upstream = await startUpstream();
  undo.push(() => upstream.stop());
  const folder = aDataDir();
  undo.push(() => folder.remove());
  const start = async () => {
    const env = { GRAPH_URL: upstream.url };
    const service = await startService({ databaseUrl: database.url, dataDir: folder.path, env });
    undo.push(() => service.kill());
    return service;
  };
  let service = await start();
  const made = await service.admin('POST', '/accounts/3/lines', {
    ...{
      v8l_class: 'msgapp',
      v8l_wa_provider: 'cloud',
      v8l_wa_app_name: phone,
      v8l_wa_number: '15550783881',
    },
    ...{ v8l_wa_api_key: graphToken, app_secret: appSecret },
  });
  const app_id = Number(made.body['v8l_id']);

  const waiting = Array.from({ length: count }, (_, n) => `message ${n}`);
  const callers = Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let mdata = waiting.shift(); mdata !== undefined; mdata = waiting.shift()) {
        const asked = { app_id, dest: '5511987650000', mdata };
        await service.call('MakeMsgapp', asked).catch(() => until(() => service.pid !== killed));
      }
    }),
  );
  await until(() => upstream.seen.length >= count / 3);
  const killed = service.pid;
  await service.kill();
  service = await start();
  await callers;

  const log = async () => {
    const { rows } = await database.pool.query<{ ref: string; state: string }>(
      `SELECT 'a.3.' || id AS ref, state FROM messages`,
    );
    return rows;
  };
  await until(async () => (await log()).every(({ state }) => ['acknowledged', 'unknown'].includes(state)));
  const seen: string[] = upstream.seen.map(({ body }) => body.biz_opaque_callback_data);
  expect(new Set(seen).size).toBe(seen.length);
  const rows = await log();
  expect(rows.map(({ ref }) => ref)).toEqual(expect.arrayContaining(seen));
  const unknown = rows.filter(({ state }) => state === 'unknown').map(({ ref }) => ref);
  expect(unknown.length).toBeGreaterThan(0);

  const statuses = seen.map((ref) => ({
    ...{ id: `wamid.${ref}`, status: 'delivered', timestamp: '1795188600', recipient_id: '5511987650000' },
    biz_opaque_callback_data: ref,
  }));
  const body = JSON.stringify(aboutMessages({ statuses }));
  const headers = { 'x-hub-signature-256': signed(body, appSecret) };
  const told = await fetch(`${service.url}/hooks/msgapp/${app_id}`, { method: 'POST', headers, body });
  expect(told.status).toBe(200);
  const delivered = (await log()).filter(({ state }) => state === 'delivered').map(({ ref }) => ref);
  expect(delivered.toSorted()).toEqual(seen.toSorted());
  upstream.check();
});
