/** A backup of a service that works, and another service that goes on from it. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { verifyBackupArchive } from '../../src/backup/checkAndReadArchive.ts';
import { checkEmbeddedPostgres } from '../../src/cli/doctor/embedded.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { aFolder } from '../backup/bed.ts';
import { ramal } from '../cli/terminal.ts';
import { builtMain, recordsOf, type RunningService, startService } from './service.ts';
import { createDatabaseInEmbeddedServer } from '../../src/store/prepareDatabases.ts';
import { shardStateTransitionQueries } from '../../src/store/sql/shardOpenAndTimeline.ts';
import { until } from '../helpers/patience.ts';

/** Placed while backups are taken, and before. */
const MOST_CALLS = 250;
const passphrase = 'correct horse battery staple';
const folder = aFolder();
const running: RunningService[] = [];
afterAll(async () => {
  for (const service of running) await service.stop();
  folder.remove();
});

const start = async (dataDir: string): Promise<RunningService> => {
  // Calls are in flight for some seconds; a node that is silent for two is dead.
  const service = await startService({
    dataDir,
    env: { SANDBOX_SPEED: '3', GRACE_SECONDS: '2', NODE_NAME: 'one' },
  });
  running.push(service);
  return service;
};

const env = (dataDir: string) => ({ DATA_DIR: dataDir, RAMAL_BACKUP_PASSPHRASE: passphrase });

/** A backup of a process of its own that is asked to end as soon as it has said something; what it ended with. */
const stoppedBackup = (to: string, dataDir: string): Promise<number | null> =>
  new Promise((resolve) => {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [join(builtMain, '../cli/main.js'), 'backup', to], {
      env: { PATH, HOME, ...env(dataDir) },
    });
    child.stderr.once('data', () => child.kill('SIGTERM'));
    child.stderr.resume();
    child.stdout.resume();
    child.once('close', resolve);
  });

const withPool = async <T>(url: string, use: (pool: Pool) => Promise<T>): Promise<T> => {
  const pool = new Pool({ connectionString: url, max: 1 });
  // Its connection may still be closing when the server stops.
  pool.on('error', () => {});
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
};

/** Asks the database of a service that runs. */
const ask = async <Row extends object>(dataDir: string, sql: string): Promise<Row[]> => {
  const found = checkEmbeddedPostgres(dataDir);
  if (!('url' in found)) throw new Error(`no database runs on ${dataDir}`);
  return withPool(found.url, async (pool) => (await pool.query<Row>(sql)).rows);
};

/** Asks a database whose service does not run. */
const resting = async (dataDir: string, use: (pool: Pool) => Promise<void>): Promise<void> => {
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    await withPool(await createDatabaseInEmbeddedServer(server.url), use);
  } finally {
    await server.stop();
  }
};

/** An operator says that a restored shard may go on, where there is a state of shards. */
const openShards = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query(`SELECT to_regclass('shard_state') AS found`);
  if (rows[0].found) await shardStateTransitionQueries(pool).openAfterLoss(Date.now());
};

test('holds one moment of a service under load, and another service goes on from there', async () => {
  const [data, archives, target] = [
    folder.below('data'),
    folder.below('archives'),
    join(folder.path, 'target'),
  ];
  const service = await start(data);
  const list = await service.call('CreateDestinationBase', {
    name: 'people',
    datajson: JSON.stringify([{ phone: '11987650000' }, { phone: '11987650001' }]),
  });
  expect(list.status).toBe(200);
  const audio = await service.call('CreateAudioFile', { name: 'greeting', text: 'Hello there' });
  expect(audio.status).toBe(200);
  const before = new Set<string>();
  let placed = 0;
  const place = async (): Promise<string> => {
    const { body } = await service.call('MakeTTSCall', {
      // A number has one live call at a time.
      dest: `119876${String(1000 + (placed += 1)).slice(1)}00`,
      text: 'A call that is in flight',
    });
    return body.return['cd_id']!;
  };
  for (let i = 0; i < 20; i += 1) before.add(await place());
  let goesOn = true;
  // However long the backups take: all calls are waited for in the end.
  const load = (async () => {
    for (; goesOn && placed < MOST_CALLS; await pause(20)) await place();
  })();

  expect(await ramal(['backup', archives], { env: env(data) })).toMatchObject({ exit: 0 });
  // One that is stopped at any moment leaves what is whole, or nothing.
  const stopped = await stoppedBackup(archives, data);
  expect([stopped, readdirSync(archives).length]).toEqual(stopped === 0 ? [0, 2] : [1, 1]);
  goesOn = false;
  await load;
  for (const name of readdirSync(archives)) await verifyBackupArchive(join(archives, name));
  const archive = join(archives, readdirSync(archives).toSorted()[0]!);

  expect(await ramal(['restore', archive], { env: env(data) })).toMatchObject({
    exit: 1,
    err: expect.stringContaining(`a service runs on ${data}`),
  });
  expect(await ramal(['restore', archive], { env: env(target) })).toMatchObject({
    exit: 0,
    out: expect.stringContaining(`secrets: secret-key in ${target}`),
  });

  // Each commit writes a machine, its record and its history: of one moment they agree.
  await resting(target, async (pool) => {
    const { rows } = await pool.query<{ machines: number; torn: number; inFlight: number; living: number }>(
      `SELECT count(*)::int AS machines, (SELECT count(*)::int FROM nodes WHERE stopped_at IS NULL) AS living,
         count(*) FILTER (WHERE m.ended_at IS NULL)::int AS "inFlight",
         count(*) FILTER (WHERE (m.state, m.revision >= h.revision, c.id IS NOT NULL) IS DISTINCT FROM (h.state, true, kind = 'call'))::int AS torn
       FROM machines m
       LEFT JOIN calls c ON c.account_id = m.account_id AND c.id = m.id,
       LATERAL (SELECT * FROM history h WHERE h.account_id = m.account_id AND h.machine_id = m.id
         ORDER BY h.revision DESC LIMIT 1) AS h`,
    );
    expect(rows[0]).toMatchObject({ torn: 0, living: 1 });
    expect(rows[0]!.inFlight).toBeGreaterThan(0);
    expect(rows[0]!.machines).toBeGreaterThanOrEqual(before.size);
    await openShards(pool);
  });

  // The old node lives on here, on its own database: in the copy it is silent, and found dead by that.
  const other = await start(target);
  const inHandsOfTheDead = `SELECT 1 FROM machines WHERE ended_at IS NULL
    AND held_by <> (SELECT incarnation FROM nodes WHERE stopped_at IS NULL)`;
  await until(async () => (await ask(target, `SELECT 1 FROM nodes WHERE stopped_at IS NULL`)).length === 1);
  await until(async () => (await ask(target, inHandsOfTheDead)).length === 0);
  await until(async () => (await ask(target, `SELECT 1 FROM machines WHERE ended_at IS NULL`)).length === 0);
  const records = await recordsOf(other);
  expect([...before].filter((id) => records.get(id)?.cd_status === undefined)).toEqual([]);
  expect((await other.call('GetDestinationsList', {})).body).toMatchObject({ return: { status: 'OK' } });
  expect(readdirSync(join(target, 'media'), { recursive: true })).toEqual(
    expect.arrayContaining([expect.stringMatching(/\.wav$/)]),
  );
}, 240_000);
