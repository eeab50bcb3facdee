import { beforeEach, expect, it } from 'vitest';
import { readiness, type ReadinessDeps } from '../../src/rest/health/readiness.ts';

let now: number;
let pings: number;
let needs: ReadinessDeps;
beforeEach(() => {
  [now, pings] = [0, 0];
  needs = {
    ping: async () => void (pings += 1),
    shardStates: () => [{ shard: 'a' }, { shard: 'b' }],
    counts: async () => [{ kind: 'call', version: 1, state: 'dialing', count: 3 }],
    versions: new Set(['call:1', 'call:2']),
    degraded: () => [],
    now: () => now,
  };
});

const both = { a: { ready: true }, b: { ready: true } };

it('is ready with all shards, and asks the database once a second however often it is asked', async () => {
  const look = readiness(needs);
  const answers = await Promise.all(Array.from({ length: 100 }, look));
  expect(answers[99]).toEqual({ ready: true, reasons: [], shards: both });
  now = 999;
  await look();
  expect(pings).toBe(1);
  now = 1_000;
  await look();
  expect(pings).toBe(2);
});

it('is ready while one shard is served, and names the other', async () => {
  needs.shardStates = () => [{ shard: 'a' }, { shard: 'b', problem: 'has not answered' }];
  expect(await readiness(needs)()).toEqual({
    ready: true,
    reasons: [],
    shards: { a: { ready: true }, b: { ready: false, reason: 'shard b has not answered' } },
  });
});

it('is not ready when no shard is served, nor when who asks cannot be known', async () => {
  needs.shardStates = () => [{ shard: 'a', problem: 'refuses writes' }];
  expect(await readiness(needs)()).toMatchObject({ ready: false, reasons: ['shard a refuses writes'] });
  needs.shardStates = () => [{ shard: 'a' }];
  needs.ping = () => Promise.reject(new Error('away'));
  expect(await readiness(needs)()).toMatchObject({ ready: false, reasons: ['the database does not answer'] });
});

it.each([
  ['cannot write its journal (ENOSPC, /srv/ramal/5.journal)', 'cannot write its journal (ENOSPC)'],
  ['has not answered: connect ECONNREFUSED 10.0.0.7:5432', 'has not answered: connect ECONNREFUSED'],
])('tells strangers what failed, in whole sentences, and not where: %s', async (problem, told) => {
  needs.shardStates = () => [{ shard: 'a', problem }];
  expect(await readiness(needs)()).toMatchObject({ ready: false, reasons: [`shard a ${told}`] });
});

it('takes no work for a shard with machines of charts that this build lacks', async () => {
  const later = { kind: 'call', version: 3, count: 1 };
  needs.counts = async (shard) =>
    shard === 'b' ? ['ringing', 'talking'].map((state) => ({ ...later, state })) : [];
  expect((await readiness(needs)()).shards['b']).toEqual({
    ready: false,
    reason: 'shard b has unfinished machines of charts that this build lacks: call:3',
  });
});

it('waits for the first look through a shard, and not for one that failed', async () => {
  needs.counts = async (shard) => (shard === 'a' ? 'pending' : 'failed');
  const { shards } = await readiness(needs)();
  expect([shards['a']?.ready, shards['b']?.ready]).toEqual([false, true]);
});

it('is ready and says what is degraded', async () => {
  needs.degraded = () => ['Redis does not answer'];
  expect(await readiness(needs)()).toEqual({
    ready: true,
    reasons: [],
    shards: both,
    degraded: ['Redis does not answer'],
  });
});

it.each([
  [
    'fails for 6 s (heartbeat): connect ECONNREFUSED 10.0.0.5:5432',
    'fails for 6 s (heartbeat): connect ECONNREFUSED',
  ],
  ['fails for 1 s: getaddrinfo ENOTFOUND db.internal', 'fails for 1 s: getaddrinfo ENOTFOUND'],
  [
    'fails for 1 s: no entry for host 10.0.0.7, user "ramal" (28000)',
    'fails for 1 s: no entry for host …, user "…" (28000)',
  ],
  [
    'fails for 1 s (heartbeat): cannot execute UPDATE in a read-only transaction (25006)',
    'fails for 1 s (heartbeat): cannot execute UPDATE in a read-only transaction (25006)',
  ],
])('tells everybody what failed, and not where: %s', async (problem, told) => {
  needs.shardStates = () => [{ shard: 'a', problem }];
  expect((await readiness(needs)()).reasons).toEqual([`shard a ${told}`]);
});
