/** What may be said not to exist, while a shard's database may lack what was acknowledged. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { until } from '../helpers/patience.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

/** Operation, what it is asked, and what it answers of something that does not exist. */
const asked: [operation: string, body: object, code: string][] = [
  ['ChangeCampaign', { cp_id: 4_711, active: 1 }, '212'],
  ['CreateCampaign', { cp_id: 4_711, name: 'a clone' }, '282'],
  ['MakeTTSCall', { dest: '11987650000', content: 'tf4711' }, '204'],
  ['MakeMsgapp', { app_id: 4_711, dest: '11987650000', mtype: 'text', mdata: 'Olá' }, '236'],
];
const answersOf = async () =>
  Promise.all(
    asked.map(async ([operation, body]) => {
      const { http, headers, body: answer } = await on.post(operation, body);
      return [operation, http, String(answer.return.status_code), headers.has('retry-after')];
    }),
  );

/** Lists that are asked for one thing. */
const namedInLists: [operation: string, body: object][] = [
  ['GetCampaignsList', { cp_id: 4_711 }],
  ['GetCampaignsList', { cp_ctid: 'gone' }],
  ['GetDestinationsList', { cdlc_id: 4_711 }],
  ['GetDestinationsList', { ctid: 'gone', setactive: 1 }],
];

/** What operators ask for, of the same. */
const named = [
  '/machines/a_4711',
  `/accounts/${demoAccount}/messages/4711`,
  `/accounts/${demoAccount}/campaigns/4711/results`,
  `/accounts/${demoAccount}/templates/4711`,
  '/why/a_4711',
];
const shownTo = async () =>
  Promise.all(
    named.map(async (path) => {
      const { http, headers } = await on.admin('GET', path);
      return [path, http, headers.has('retry-after')];
    }),
  );

/** The shard is checked, and its node cannot open it. */
const keepClosed = () =>
  on.database.pool.query(`
    CREATE FUNCTION keep_closed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER keep_closed BEFORE UPDATE ON shard_state FOR EACH ROW WHEN (NEW.state = 'open') EXECUTE FUNCTION keep_closed();
    UPDATE shard_state SET state = 'checking', reason = 'was restored', doubt = doubt + 1`);
const letOpen = () => on.database.pool.query('DROP TRIGGER keep_closed ON shard_state');

test('nothing is, until the shard is open: a database that went back may have it again in seconds', async () => {
  const absent = asked.map(([operation, , code]) => [operation, 400, code, false]);
  expect(await answersOf()).toEqual(absent);
  const call = { cd_id: 'a_4711' };
  expect((await on.post('GetCallStatus', call)).body.calls).toEqual([]);
  for (const [operation, body] of namedInLists) expect((await on.post(operation, body)).http).toBe(200);
  expect(await shownTo()).toEqual(named.map((path) => [path, 404, false]));

  const lists = (await on.database.pool.query('SELECT FROM lists')).rowCount;
  await keepClosed();
  expect(await answersOf()).toEqual(asked.map(([operation]) => [operation, 503, '503', true]));
  const unsure = await on.post('GetCallStatus', call);
  expect([unsure.http, unsure.body.return.status]).toEqual([
    503,
    expect.stringContaining('shard a is being checked'),
  ]);
  for (const [operation, body] of namedInLists) expect((await on.post(operation, body)).http).toBe(503);
  // A list that names nothing says what there is.
  expect((await on.post('GetCampaignsList', { search: 'no such name' })).http).toBe(200);
  expect(await shownTo()).toEqual(named.map((path) => [path, 503, true]));
  // What is kept in no shard does not wait for one.
  expect((await on.admin('GET', '/accounts/4711')).http).toBe(404);
  // Of a list that is taken now, nothing may be left by what is written again.
  const list = await on.post('CreateDestinationBase', { datajson: [{ phone: '11987650000' }] });
  expect([list.http, list.headers.has('retry-after')]).toEqual([503, true]);
  expect((await on.database.pool.query('SELECT FROM lists')).rowCount).toBe(lists);
  // What is wrong with a request by itself is told all the same.
  expect((await on.post('MakeSMS', { dest: 'x', text: 'Olá' })).http).toBe(400);

  await letOpen();
  await until(async () => on.service.engine.isOpen('a'));
  expect(await answersOf()).toEqual(absent);
  expect((await on.post('GetCallStatus', call)).body.calls).toEqual([]);
  expect(await shownTo()).toEqual(named.map((path) => [path, 404, false]));
});

test('of a shard that is closed is told that an operator decides, and that asking again soon helps nothing', async () => {
  await on.database.pool.query(
    `UPDATE shard_state SET state = 'closed', reason = 'was restored', doubt = doubt + 1`,
  );
  const asking = async () => {
    const { http, headers, body } = await on.post('GetCampaignsList', { cp_id: 4_711 });
    return { http, again: Number(headers.get('retry-after')), said: body.return.status };
  };
  await expect.poll(asking, { timeout: 20_000 }).toEqual({
    http: 503,
    again: 60,
    said: 'shard a is closed until an operator decides: what was not found may be there again then',
  });
});
