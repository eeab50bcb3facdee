import { afterAll, beforeAll, expect, test } from 'vitest';
import { markRestoredShardsClosed } from '../../src/backup/closeRestoredShards.ts';
import { shardStateTransitionQueries } from '../../src/store/sql/shardOpenAndTimeline.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { eventually } from '../helpers/patience.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ GRACE_SECONDS: '2' });
});
afterAll(() => on.stop());

const page = async (path: string) => {
  const response = await fetch(`${on.url}${path}`);
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with literals
  return { http: response.status, body: (await response.json()) as any };
};

test('a closed shard is told of in the same words by health, readiness and the attention list', async () => {
  expect((await on.admin('GET', '/machines')).body.attention).toEqual([]);
  await markRestoredShardsClosed(on.database.pool, 'public', { takenAt: 0, at: Date.now() });
  await eventually(async () => expect((await page('/readyz')).http).toBe(503));
  const sentence = (await page('/readyz')).body.reasons[0] as string;
  expect(sentence).toMatch(
    /^shard a is closed: restored from a backup of .+; an operator brings the journals \(ramal reconcile\)/,
  );
  const shards = { ok: false, detail: sentence };
  await eventually(async () =>
    expect((await page('/mcp/health')).body).toMatchObject({ status: 'degraded', checks: { shards } }),
  );
  expect((await on.admin('GET', '/health')).body).toMatchObject({ status: 'degraded', checks: { shards } });
  expect((await on.admin('GET', '/machines')).body.attention).toEqual([sentence]);

  await shardStateTransitionQueries(on.database.pool).openAfterLoss(Date.now());
  await eventually(async () => expect((await on.admin('GET', '/health')).body.status).toBe('ok'));
  expect((await on.admin('GET', '/machines')).body.attention).toEqual([]);
});
