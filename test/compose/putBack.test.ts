/** A machine that was put back as a whole is started with `--restored`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardStateTransitionQueries } from '../../src/store/sql/shardOpenAndTimeline.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { eventually } from '../helpers/patience.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({}, undefined, { restored: true });
});
afterAll(() => on.stop());

const ready = async () => {
  const response = await fetch(`${on.url}/readyz`);
  return { http: response.status, body: (await response.json()) as { reasons?: string[] } };
};

const aCall = () => on.post('MakeTTSCall', { dest: '11987650000', text: 'hello' });

test('nothing is dialled until an operator decides, and readiness says why', async () => {
  expect((await ready()).http).toBe(503);
  expect((await ready()).body.reasons?.[0]).toMatch(
    /^shard a is closed: put back with its machine \(start --restored\); an operator brings the journals/,
  );
  expect((await aCall()).http).toBe(503);
  await shardStateTransitionQueries(on.database.pool).openAfterLoss(Date.now());
  await eventually(async () => expect((await ready()).http).toBe(200));
  const call = await aCall();
  expect(call.body.return.status).toBe('OK');
  expect(await on.ended(call.body.return.cd_id)).toMatchObject({ cd_status: 'OK' });
});
