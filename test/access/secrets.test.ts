/** Secrets go in by every door and come out by none (decisions/0020). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealedOfControl, sealedOfShard } from '../../src/store/secrets/sealedColumns.ts';
import { operations } from '../../src/operations/index.ts';
import { isSecretName } from '../../src/lib/redactSecretFields.ts';
import { adminRoutes } from '../helpers/adminRoutes.ts';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { callTool, listTools } from '../mcp/bed.ts';
import { bringMarks, type Marks } from './secretMarks.ts';

let on: TestService;
let marks: Marks;
const logged: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'ramal-secrets-'));

beforeAll(async () => {
  const env = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', DATA_DIR: folder };
  on = await startTestService(env, (line) => logged.push(line));
  marks = await bringMarks(on, 'http://127.0.0.1:1');
});
afterAll(async () => {
  await on.stop();
  rmSync(folder, { recursive: true });
});

/** Names of the marks that a text holds. */
const found = (text: string, names: readonly string[] = allNames()): string[] =>
  names.filter((name) => text.includes(marks.sealed[name] ?? marks.plain[name]!.mark));
const allNames = (): string[] => [...Object.keys(marks.sealed), ...Object.keys(marks.plain)];

/** Every path of a GET route, with ids that there are; of machines, all there are. */
const everyPage = async (): Promise<string[]> => {
  const { rows } = await on.database.pool.query<{ id: string; account_id: number }>(
    'SELECT account_id, id::text FROM machines',
  );
  const pages = adminRoutes().filter(({ method }) => method === 'GET');
  return pages.flatMap(({ path }) => {
    if (!path.startsWith('/machines/:')) return [filled(path)];
    return rows.map(({ id, account_id }) => `${path.replace(':id', `a_${id}`)}?account=${account_id}`);
  });
};

const filled = (path: string): string =>
  path.replaceAll(/([\w-]+)\/:\w+/g, (_, part: string) => `${part}/${marks.ids[part] ?? '1'}`);

const readAll = async (key: string): Promise<Map<string, string>> => {
  const pages = new Map<string, string>();
  const headers = { authorization: `Bearer ${key}` };
  for (const path of await everyPage())
    pages.set(path, await (await fetch(`${on.url}/admin/api${path}`, { headers })).text());
  return pages;
};

const leaks = (pages: ReadonlyMap<string, string>, names?: readonly string[]): unknown[] =>
  [...pages].map(([path, text]) => [path, found(text, names)]).filter(([, names]) => names!.length > 0);

test('no page of the administration shows an operator a secret, and those it reads say that there is one', async () => {
  const pages = await readAll(marks.operatorKey);
  expect(leaks(pages)).toEqual([]);
  for (const secret of marks.webhookSecrets) expect([...pages.values()].join()).not.toContain(secret);
  const route = JSON.parse(pages.get(filled('/accounts/:account/sms-routes/:id'))!) as { settings: object };
  expect(route.settings).toMatchObject({
    ...{ url: 'https://gateway.example/[secret]', headers: '[secret]', body: '[secret]' },
  });
  const account = JSON.parse(pages.get(`/accounts/${demoAccount}`)!) as object;
  expect(account).toMatchObject({
    ...{ callback_url: 'http://127.0.0.1:1/[secret]', webhook_secret: '[secret]' },
    settings: { partner_token: '[secret]' },
  });
  expect(pages.get('/audit')).toContain('"callback_user":"[secret]"');
});

test('an administrator reads the settings as they were written, the secret of callbacks, and nothing that is sealed', async () => {
  const pages = await readAll(adminToken);
  expect(leaks(pages, Object.keys(marks.sealed))).toEqual([]);
  const text = [...pages.values()].join();
  expect(text).toContain(marks.webhookSecrets[1]);
  expect(Object.keys(marks.plain).filter((name) => found(text, [name]).length === 0)).toEqual([]);
  expect(found(pages.get('/audit')!)).toEqual([]);
});

test('no operation and no tool tells a customer a secret', async () => {
  const said: string[] = [];
  for (const { name, creates } of operations)
    if (!creates && name.startsWith('Get')) said.push(JSON.stringify((await on.post(name, {})).body));
  const { rows } = await on.database.pool.query<{ id: string }>('SELECT id::text FROM calls');
  for (const name of await listTools(on))
    if (name.startsWith('get_')) said.push(JSON.stringify(await callTool(on, name, { app_id: 1 })));
  for (const { id } of rows)
    said.push(JSON.stringify(await callTool(on, 'explain_call', { cd_id: `a_${id}` })));
  expect(said.length).toBeGreaterThan(12);
  expect(found(said.join())).toEqual([]);
});

test('the command line says none', () => {
  expect(marks.said.join()).toContain('pagechat');
  expect(found(marks.said.join(), Object.keys(marks.sealed))).toEqual([]);
  for (const secret of marks.webhookSecrets) expect(marks.said.join()).not.toContain(secret);
});

test('the database holds none in clear but where it is used so', async () => {
  const { pool } = on.database;
  const tables = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  expect(tables.rows.length).toBeGreaterThan(30);
  for (const { name: table } of tables.rows) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM "${table}" t`);
    const names = found(rows.map(({ row }) => row).join('\n'));
    expect([table, names.filter((name) => !marks.plain[name]?.tables.includes(table))]).toEqual([table, []]);
  }
});

test('no log and no journal holds one that is sealed, and no log any', async () => {
  // What could not be written is in an error, which is logged.
  const { headers, body } = { headers: marks.plain['gatewayHeader']!, body: marks.plain['gatewayBody']! };
  const url = `https://gateway.example/${marks.plain['gatewayPath']!.mark}`;
  const settings = { url, headers: { 'X-Gateway': headers.mark }, body: JSON.stringify({ pass: body.mark }) };
  const secret = { user: marks.sealed['gatewayUser'] };
  const route = { name: 'gateway', kind: 'http', settings, secret };
  const refused = await on.without('sms_routes', () =>
    on.admin('POST', `/accounts/${demoAccount}/sms-routes`, route),
  );
  expect([refused.http, found(JSON.stringify(refused.body))]).toEqual([500, []]);
  expect(logged.join()).toContain('incident');
  expect(found(logged.join('\n'))).toEqual([]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  const text = texts.join('\n');
  // What machines work with is in the journal, so that what is looked for would be found there.
  expect(found(text, ['rurlPath'])).toEqual(['rurlPath']);
  expect(found(text, Object.keys(marks.sealed))).toEqual([]);
});

test('every column that is sealed, and every digest, is declared', () => {
  const columns = [...sealedOfControl('x'), ...sealedOfShard('x')].map(({ column }) => column);
  expect([...columns, 'hash', 'key_hash'].filter((name) => !isSecretName(name))).toEqual([]);
});
