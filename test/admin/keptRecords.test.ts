import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markRestoredShardsClosed } from '../../src/backup/closeRestoredShards.ts';
import { shardStateTransitionQueries } from '../../src/store/sql/shardOpenAndTimeline.ts';
import { adminToken, demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { eventually } from '../helpers/patience.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ GRACE_SECONDS: '2' });
});
afterAll(() => on.stop());

const path = `/accounts/${demoAccount}`;
const number = '5511999990000';
const deeds = async (): Promise<number> => {
  const { rows } = await on.database.pool.query<{ sum: number }>(
    `SELECT sum(number)::int AS sum FROM writers WHERE lane = 5`,
  );
  return rows[0]!.sum;
};

/** Sends a file of numbers, as it stands or as a form. */
const send = async (way: 'import' | 'remove', body: string | FormData | Readable, query = '') => {
  const answer = await fetch(`${on.url}/admin/api${path}/blocklist/${way}${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(!(body instanceof FormData) && { 'Content-Type': 'text/csv' }),
    },
    body: body as string,
    ...(body instanceof Readable && { duplex: 'half' }),
  });
  return { http: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const blocked = async (): Promise<{ number: string; reason: string }[]> =>
  (
    await on.database.pool.query<{ number: string; reason: string }>(
      'SELECT number, reason FROM blocklist WHERE account_id = $1 ORDER BY number',
      [demoAccount],
    )
  ).rows;

test('a file of numbers is put on the block list line by line, and a line that is none is named', async () => {
  const lines = [
    '\u{feff}phone;name',
    '11987650001;Ana',
    '',
    '"+55 (11) 98765-0002";Rui',
    'João;x',
    `1${'0'.repeat(2_000)}`,
  ];
  const file = [...lines, '11987650001;Ana again', ';no number', '11987650003'].join('\r\n');
  const answer = await send('import', file, '?reason=asked');
  expect(answer).toMatchObject({
    http: 200,
    body: {
      ...{ lines: 7, added: 3, already_there: 1, refused: 3 },
      refusals: [
        { line: 5, why: expect.stringContaining('João" is not a telephone number') as string },
        { line: 6, why: 'the line is longer than 1000 bytes' },
        { line: 8, why: 'field 1 of the line is empty' },
      ],
    },
  });
  const listed = ['1', '2', '3'].map((last) => ({ number: `551198765000${last}`, reason: 'asked' }));
  expect(await blocked()).toEqual(listed);

  const before = await deeds();
  expect((await send('import', file, '?reason=later')).body).toMatchObject({ added: 0, already_there: 4 });
  expect([await deeds(), await blocked()]).toEqual([before, listed]);

  const form = new FormData();
  form.set('note', 'fields are passed over');
  form.set('file', new Blob(['x,11987650002\nx,11987650009']), 'numbers.csv');
  expect((await send('remove', form, '?column=2')).body).toEqual({
    ...{ lines: 2, removed: 1, not_there: 1, refused: 0, refusals: [] },
  });
  expect(await blocked()).toEqual([listed[0], listed[2]]);
  expect(await deeds()).toBe(before + 1);
  expect((await send('remove', '11987650001\n11987650003')).body).toMatchObject({ removed: 2 });
  expect(await blocked()).toEqual([]);
});

test('what is no file of numbers is refused with a sentence', async () => {
  expect(await send('import', 'PK\u0003\u0004…')).toMatchObject({
    ...{ http: 400, body: { error: expect.stringContaining('save the sheet as CSV') as string } },
  });
  expect(await send('import', 'phone\n\n')).toMatchObject({ http: 400 });
  expect(await send('import', new FormData())).toMatchObject({ http: 400 });
  expect(await send('import', '11987650001', '?column=0')).toMatchObject({
    http: 400,
    body: { field: 'column' },
  });
  expect((await on.admin('POST', `${path}/blocklist/import`, { numbers: [] })).http).toBe(415);
  expect(await blocked()).toEqual([]);
});

test('two hundred thousand numbers are put on the list as they come in, and a part of them is taken off', async () => {
  const most = 200_000;
  const file = (upTo = most) =>
    Readable.from(
      (function* () {
        for (let at = 0; at < upTo; at += 1_000)
          yield Buffer.from(
            Array.from({ length: 1_000 }, (_, nth) => `55119${80_000_000 + at + nth}\n`).join(''),
          );
      })(),
    );
  expect((await send('import', file())).body).toMatchObject({ lines: most, added: most, refused: 0 });
  expect((await blocked()).length).toBe(most);
  const again = { added: 0, already_there: 20_000 };
  expect((await send('import', file(20_000))).body).toMatchObject(again);
  expect((await send('remove', file(20_000))).body).toMatchObject({ removed: 20_000, not_there: 0 });
  expect((await blocked()).length).toBe(most - 20_000);
  await on.database.pool.query('TRUNCATE blocklist');
});

test('block lists, credits and balances are written under numbers of a writer, and not while the shard is closed', async () => {
  const before = await deeds();
  expect((await on.admin('POST', `${path}/blocklist`, { number, reason: 'asked' })).body).toMatchObject({
    ...{ account_id: demoAccount, number, reason: 'asked' },
  });
  expect((await on.admin('PATCH', `${path}/blocklist/${number}`, { reason: 'again' })).body.reason).toBe(
    'again',
  );
  expect((await on.admin('PATCH', `${path}/blocklist/5511999990001`, { reason: 'x' })).http).toBe(404);
  expect((await on.admin('POST', `${path}/credits`, { amount: '2.5' })).http).toBe(201);
  expect((await on.admin('PATCH', path, { balance: 7 })).body.balance).toBe(7);
  expect((await on.admin('POST', `${path}/credits`, { amount: '-7.5' })).http).toBe(409);
  const made = await on.admin('POST', '/accounts', { name: 'New', balance: 12.5 });
  expect([made.http, made.body.balance]).toEqual([201, 12.5]);
  expect((await on.admin('GET', `/accounts/${made.body.cdcs_id}/credits`)).body.credits).toMatchObject([
    { id: 1, entry: 'opening', amount: 12.5 },
  ]);
  expect((await on.admin('DELETE', `${path}/blocklist/${number}`)).http).toBe(204);
  expect((await on.admin('DELETE', `${path}/blocklist/${number}`)).http).toBe(404);
  expect((await deeds()) - before).toBe(6);

  await markRestoredShardsClosed(on.database.pool, 'public', { takenAt: 0, at: Date.now() });
  const other = { number: '5511999990002' };
  await eventually(async () => expect((await on.admin('POST', `${path}/blocklist`, other)).http).toBe(503));
  expect((await on.admin('POST', `${path}/credits`, { amount: '1' })).http).toBe(503);
  expect((await send('import', '5511999990002')).http).toBe(503);
  expect((await on.admin('PATCH', path, { balance: 9 })).http).toBe(503);
  expect((await on.admin('GET', `${path}/credits`)).body.balance).toBe(7);
  await shardStateTransitionQueries(on.database.pool).openAfterLoss(Date.now());
});
