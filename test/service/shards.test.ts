import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { freshDatabase } from '../helpers/database.ts';
import { aDataDir, startService, type RunningService } from './service.ts';
import { until } from '../helpers/patience.ts';

const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A second server, as a second machine would be. */
const anotherServer = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-shard-'));
  const server = await startEmbeddedPostgres({ dataDir });
  undo.push(
    () => rmSync(dataDir, { recursive: true, force: true }),
    () => server.stop(),
  );
  return server;
};

const twoShards = async (): Promise<{
  service: RunningService;
  stopB: () => Promise<void>;
  counts: (table: string) => Promise<object>;
}> => {
  const a = await freshDatabase();
  undo.push(() => a.drop());
  const server = await anotherServer();
  const folder = aDataDir();
  undo.push(() => folder.remove());
  const shards = JSON.stringify([
    { name: 'a', url: a.url, schema: 'public' },
    { name: 'b', url: server.url, schema: 'shard_b' },
  ]);
  const service = await startService({
    databaseUrl: a.url,
    dataDir: folder.path,
    env: { SHARDS: shards, SANDBOX_SPEED: '10', GRACE_SECONDS: '4' },
  });
  undo.push(() => service.kill());
  const { Pool } = await import('pg');
  const b = new Pool({ connectionString: server.url, options: '-c search_path=shard_b', max: 1 });
  b.on('error', () => {});
  undo.push(() => b.end().catch(() => {}));
  return {
    service,
    stopB: () => server.stop(),
    counts: async (table) => {
      const sql = `SELECT account_id, count(*)::int AS n FROM ${table} GROUP BY account_id ORDER BY 1`;
      const [inA, inB] = await Promise.all([a.pool.query(sql), b.query(sql)]);
      return { a: inA.rows, b: inB.rows };
    },
  };
};

const accountIn = async (
  service: RunningService,
  shard: string,
): Promise<{ account: number; tsid: string }> => {
  const { body } = await service.admin('POST', '/accounts', { name: `in ${shard}`, shard });
  const account = (body as unknown as { cdcs_id: number }).cdcs_id;
  const token = await service.admin('POST', `/accounts/${account}/tokens`, { label: 'test' });
  return { account, tsid: (token.body as unknown as { token: string }).token };
};

const place = (service: RunningService, tsid: string, dest: string) =>
  service.call('MakeTTSCall', { tsid, dest, text: 'Hello', httpdup: 0 });

const statusOf = async (service: RunningService, tsid: string, id: string): Promise<string> =>
  (await service.call('GetCallStatus', { tsid, cd_id: id })).body.calls[0]?.['cd_status'] ?? '';

describe('two shards in two databases', () => {
  it('keep each account in its own, name it in cd_id, and one goes on when the other stops', async () => {
    const { service, stopB, counts } = await twoShards();
    const [one, other] = [await accountIn(service, 'a'), await accountIn(service, 'b')];
    const ids = { a: '', b: '' };
    for (const [shard, { tsid }] of [
      ['a', one],
      ['b', other],
    ] as const) {
      const answer = await place(service, tsid, '11987650000');
      ids[shard] = answer.body.return['cd_id']!;
      expect(ids[shard]).toMatch(new RegExp(`^${shard}_\\d+$`));
    }
    await until(
      async () => (await statusOf(service, one.tsid, ids.a)) && statusOf(service, other.tsid, ids.b),
    );
    for (const table of ['machines', 'calls'])
      expect(await counts(table)).toEqual({
        a: [{ account_id: one.account, n: 1 }],
        b: [{ account_id: other.account, n: 1 }],
      });
    expect(await statusOf(service, one.tsid, ids.b)).toBe('');

    await stopB();
    const during = await place(service, one.tsid, '11987650001');
    await until(async () => (await statusOf(service, one.tsid, during.body.return['cd_id']!)) === 'BUSY');
    expect((await place(service, other.tsid, '11987650001')).status).toBe(503);

    // The balancer keeps sending work here: one shard away is not all away.
    const told = await until(async () => {
      const answer = await readyz(service);
      return !answer.body.shards['b']!.ready && answer;
    });
    expect(told).toEqual({
      status: 200,
      body: {
        ready: true,
        reasons: [],
        shards: { a: { ready: true }, b: { ready: false, reason: told.body.shards['b']!.reason } },
      },
    });
    expect(told.body.shards['b']!.reason).toMatch(/^shard b (fails for|has confirmed no)/);
  });

  it('that is away when a node starts, or that SHARDS does not name, is 503 with a sentence for its accounts', async () => {
    const a = await freshDatabase();
    undo.push(() => a.drop());
    const folder = aDataDir();
    undo.push(() => folder.remove());
    const shards = [{ name: 'a' }, { name: 'b', url: 'postgresql://x@127.0.0.1:9/none' }];
    const env = { SHARDS: JSON.stringify(shards), LOG_LEVEL: 'warn' };
    const service = await startService({ databaseUrl: a.url, dataDir: folder.path, env });
    undo.push(() => service.kill());
    expect(await readyz(service)).toMatchObject({
      status: 200,
      body: {
        shards: { a: { ready: true }, b: { reason: 'shard b has not answered since this node started' } },
      },
    });
    const { account, tsid } = await accountIn(service, 'a');
    for (const [shard, sentence] of [
      ['b', 'shard b, which holds this account, does not answer'],
      ['c', 'shard c, which holds this account, is not served here'],
    ] as const) {
      await a.pool.query('UPDATE accounts SET shard = $1 WHERE id = $2', [shard, account]);
      const answer = await until(async () => {
        const said = await place(service, tsid, '11987650000');
        return said.body.return['status']?.includes(`shard ${shard}`) && said;
      });
      expect(answer.status).toBe(503);
      expect(answer.body.return['status']).toBe(sentence);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      const read = await service.call('GetCallStatus', { tsid });
      expect(read.status).toBe(503);
      expect(read.headers.get('retry-after')).not.toBeNull();
    }
    const lines = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes('SHARDS does not name'));
    // What a process says comes by a pipe, and not with its answers.
    await until(() => lines().length > 0);
    expect(lines()).toHaveLength(1);
  });
});

interface Readyz {
  ready: boolean;
  reasons: string[];
  shards: Record<string, { ready: boolean; reason?: string }>;
}
const readyz = async ({ url }: RunningService): Promise<{ status: number; body: Readyz }> => {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as Readyz };
};
