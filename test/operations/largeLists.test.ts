import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadListInChildProcess } from '../../src/operations/lists/loadListInChildProcess.ts';
import { demoAccount, demoToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const rows = 40_000;
const csv = (broken?: number) =>
  `phone,name\n${Array.from({ length: rows }, (_, n) => (n + 1 === broken ? `119,"Ana` : `119${80_000_000 + n},"Conceição ${n}"`)).join('\n')}\n`;
const upload = (content: string, headers: Record<string, string> = {}) => {
  const body = new FormData();
  body.set('tsid', demoToken);
  body.set('file', new File([content], 'large.csv'));
  return on.post('CreateDestinationBase', body, headers);
};
const counts = async () =>
  (
    await on.database.pool.query(
      'SELECT (SELECT count(*)::int FROM lists) AS lists, (SELECT count(*)::int FROM list_records) AS records',
    )
  ).rows[0];

test('a large list is loaded in a process as a small one is here', async () => {
  const { body } = await upload(csv(), { 'Idempotency-Key': 'large' });
  expect(body.return).toMatchObject({ status_code: '0', num_dest: String(rows), rejected: 0 });
  expect(await counts()).toEqual({ lists: 1, records: rows });
  const last = await on.database.pool.query('SELECT numbers, name FROM list_records WHERE row = $1', [rows]);
  expect(last.rows).toEqual([{ numbers: `55119${80_000_000 + rows - 1}`, name: `Conceição ${rows - 1}` }]);
  const again = await upload(csv(), { 'Idempotency-Key': 'large' });
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([body, 'true']);
});

test('one that breaks at its last record leaves nothing', async () => {
  const before = await counts();
  const { http, body } = await upload(csv(rows));
  expect([http, body.return.status_code]).toEqual([400, '230']);
  expect(body.return.status).toBe(`record ${rows}: a quote is not closed`);
  expect(await counts()).toEqual(before);
});

test('a process that loses its connection leaves nothing, and the caller may try again', async () => {
  const before = await counts();
  const lock = await on.database.pool.connect();
  await lock.query('BEGIN; LOCK TABLE list_records IN ACCESS EXCLUSIVE MODE');
  const uploading = upload(csv());
  const find = `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity WHERE application_name = 'ramal list'
    AND datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await on.database.pool.query(find)).rowCount).toBe(1);
  await lock.query('ROLLBACK');
  lock.release();
  expect(await uploading).toMatchObject({
    http: 503,
    body: { return: { status_code: '503', cdlc_id: '0' } },
  });
  expect(await counts()).toEqual(before);
});

test('a process whose parent cannot say which claims come with the list is not waited for', async () => {
  const before = await counts();
  const folder = mkdtempSync(join(tmpdir(), 'ramal-list-'));
  const file = { path: join(folder, 'list'), name: 'a.csv' };
  writeFileSync(file.path, csv());
  const job = {
    ...{ account: demoAccount, id: 999, name: 'a', correlation: '', at: 0, maxRecords: rows, file },
    keepsAllRefused: false,
  };
  const loading = loadListInChildProcess(
    { url: on.database.url, schema: 'public' },
    { ...job, as: 'file' },
    () => Promise.reject(new Error('a bug')),
  );
  await expect(loading).rejects.toThrow('a bug');
  const find = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'ramal list' AND datname = current_database()`;
  await expect.poll(async () => (await on.database.pool.query(find)).rowCount).toBe(0);
  expect(await counts()).toEqual(before);
  rmSync(folder, { recursive: true });
});
