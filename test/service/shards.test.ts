import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startEmbedded } from '../../src/store/embedded.ts';
import { freshDatabase } from '../helpers/database.ts';
import { aDataDir, startService, until, type RunningService } from './service.ts';

const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A second server, as a second machine would be. */
const anotherServer = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-shard-'));
  const server = await startEmbedded({ dataDir });
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
  }, 120_000);
});
