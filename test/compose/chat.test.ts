/** Lines of the sandbox on a service that is given a real upstream, or no sandbox, later on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freshDatabase } from '../helpers/database.ts';
import { startGraphServer } from '../helpers/graphServer.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A service that has the demo account's template 4 approved by the sandbox; `again` starts it anew with other settings. */
const aFurnishedService = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-chat-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  const database = await freshDatabase();
  undo.push(() => database.drop());
  const settings = { DATA_DIR: folder, DATABASE_URL: database.url };
  const first = await startTestService(settings, undefined, { furnished: true });
  await expect.poll(async () => (await check(first)).body.return.result?.meta_status).toBe('APPROVED');
  await first.stop();
  return async (env: Record<string, string>): Promise<TestService> => {
    const later = await startTestService({ ...settings, ...env });
    undo.push(() => later.stop());
    return later;
  };
};

const check = (on: TestService) => on.post('CheckTemplateStatus', { template_id: 4, v8l_id: 1 });
const send = (on: TestService) =>
  on.post('MakeMsgapp', { app_id: 1, dest: '5511987650001', mdata: 'Olá, quem é?' });

test('what the sandbox has stays in it when GRAPH_URL names a real upstream', async () => {
  const upstream = await startGraphServer();
  undo.push(() => upstream.stop());
  const on = await (await aFurnishedService())({ GRAPH_URL: upstream.url });
  const answers = [await check(on), await send(on)];
  expect(answers.map(({ http, headers }) => [http, headers.get('ramal-sandbox')])).toEqual([
    [200, 'true'],
    [200, 'true'],
  ]);
  expect(upstream.seen).toEqual([]);
});

test('with SANDBOX=off a line of the sandbox is refused, and says why', async () => {
  const upstream = await startGraphServer();
  undo.push(() => upstream.stop());
  const on = await (await aFurnishedService())({ GRAPH_URL: upstream.url, SANDBOX: 'off' });
  const { http, body } = await send(on);
  expect([http, body.return.status_code]).toEqual([400, '260']);
  expect(body.return.status).toContain('SANDBOX=off');
  expect(upstream.seen).toEqual([]);
});
