/**
 * npm run backup:rounds -- --rounds 20 --machines 100000 --seed 7 [--rate 20]
 *
 * A service with many machines, under load: a backup at a random moment, on it goes, it is killed or stopped at another,
 * and the backup is restored to a new folder, from which the next round goes on. Ends with 0 when no round lost what was
 * acknowledged before its backup began, and every row was what it was.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { checkEmbeddedPostgres } from '../../src/cli/doctor/embedded.ts';
import { startEmbeddedPostgres } from '../../src/store/embedded.ts';
import { stopPostgresServer } from '../../src/store/embedded/postmasterStatusAndStop.ts';
import { builtMain, startService, type RunningService } from '../service/service.ts';
import { createDatabaseInEmbeddedServer } from '../../src/store/prepareDatabases.ts';
import { shardStateTransitionQueries } from '../../src/store/sql/shardOpenAndTimeline.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    machines: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [rounds, machines, rate] = [values.rounds, values.machines, values.rate].map(Number) as [
  number,
  number,
  number,
];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let state = Number(values.seed);
/** From 0 to 1, the same for the same seed. */
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

const folder = mkdtempSync(join(tmpdir(), 'ramal-rounds-'));
const settings = { SANDBOX_SPEED: '5', GRACE_SECONDS: '2', LOG_LEVEL: 'error' };

interface Ran {
  seconds: number;
  said: string;
  /** The most memory that it had, megabytes. */
  peakMb: number;
}

/** A command line of its own process; throws what it said when it fails. */
const ramal = async (words: string[], dataDir: string): Promise<Ran> => {
  const began = performance.now();
  const child = spawn(process.execPath, [join(builtMain, '../cli/main.js'), ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      RAMAL_BACKUP_PASSPHRASE: 'correct horse battery staple',
    },
  });
  let said = '';
  let peakMb = 0;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid!))), 100);
  const exit = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearInterval(watch);
  if (exit !== 0) throw new Error(`ramal ${words.join(' ')} ended with ${exit}:\n${said}`);
  return { seconds: (performance.now() - began) / 1000, said, peakMb };
};

const peakOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

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

/** A database whose service does not run. */
const resting = async <T>(dataDir: string, use: (pool: Pool) => Promise<T>): Promise<T> => {
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    return await withPool(await createDatabaseInEmbeddedServer(server.url), use);
  } finally {
    await server.stop();
  }
};

/** Calls that wait for the hour of their next attempt, copied from one that does. */
const manyMachines = async (service: RunningService, dataDir: string): Promise<void> => {
  const { body } = await service.call('MakeTTSCall', { dest: '11987650001', text: 'Busy', repeat: '3|600' });
  const id = body.return['cd_id']!.split('_')[1]!;
  const found = checkEmbeddedPostgres(dataDir);
  if (!('url' in found)) throw new Error('no database runs');
  await withPool(found.url, async (pool) => {
    for (let left = 200; left > 0; left -= 1) {
      const { rows } = await pool.query(`SELECT 1 FROM machines WHERE id = $1 AND wake_at > $2`, [
        id,
        Date.now() + 3e6,
      ]);
      if (rows.length > 0) break;
      await pause(100);
    }
    for (const table of ['machines', 'calls', 'history'])
      await pool.query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object($3::text, t.${idOf(table)} - n))).*
         FROM ${table} t, generate_series(1, $2::int) AS n WHERE t.${idOf(table)} = $1`,
        [id, machines, idOf(table)],
      );
    await pool.query('VACUUM ANALYZE');
  });
};
const idOf = (table: string): string => (table === 'history' ? 'machine_id' : 'id');

/** Places calls until it is told to stop; ids with the time of their answer, and how long each answer took. */
const loading = (service: RunningService) => {
  const acknowledged: { id: string; at: number }[] = [];
  const tookMs: number[] = [];
  let goesOn = true;
  let placed = 0;
  const place = async (): Promise<void> => {
    const sent = performance.now();
    const dest = `119${String(80_000_000 + (placed += 1) * 100).slice(0, 8)}`;
    const { body } = await service.call('MakeTTSCall', { dest, text: 'A call of the load' });
    tookMs.push(performance.now() - sent);
    if (body.return['cd_id'] !== undefined)
      acknowledged.push({ id: body.return['cd_id'], at: performance.now() });
  };
  const done = (async () => {
    while (goesOn) {
      // A service that was killed answers nobody.
      void place().catch(() => {});
      await pause(1000 / rate);
    }
  })();
  return {
    acknowledged,
    tookMs,
    stop: async () => {
      goesOn = false;
      await done;
    },
  };
};

const quantile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

interface Standing {
  machines: number;
  torn: number;
  unbalanced: number;
  state: string;
}

/** Rows of one moment agree: machine, history and record; money and its movements. */
const standing = (pool: Pool): Promise<Standing> =>
  pool
    .query<Standing>(
      `SELECT count(*)::int AS machines,
        count(*) FILTER (WHERE m.state <> h.state OR m.revision < h.revision OR (m.kind = 'call' AND c.id IS NULL))::int AS torn,
        (SELECT count(*)::int FROM balances p WHERE name = 'balance'
          AND amount <> (SELECT coalesce(sum(l.amount), 0) FROM ledger l WHERE l.account_id = p.account_id)) AS unbalanced,
        '' AS state
       FROM machines m LEFT JOIN calls c ON c.account_id = m.account_id AND c.id = m.id,
       LATERAL (SELECT state, revision FROM history h WHERE h.account_id = m.account_id AND h.machine_id = m.id
         ORDER BY revision DESC LIMIT 1) AS h`,
    )
    .then(({ rows }) => rows[0]!);

const missingOf = async (pool: Pool, ids: readonly string[]): Promise<number> => {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM unnest($1::bigint[]) AS t(id) WHERE NOT EXISTS (SELECT FROM calls c WHERE c.id = t.id)`,
    [ids.map((id) => id.split('_')[1])],
  );
  return rows[0]!.n;
};

/** As an operator does who knows that nothing is lost by it. */
const stateAndOpen = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ found: string | null }>(`SELECT to_regclass('shard_state') AS found`);
  if (rows[0]!.found === null) return 'no state';
  const { rows: was } = await pool.query<{ state: string }>('SELECT state FROM shard_state');
  await shardStateTransitionQueries(pool).openAfterLoss(Date.now());
  return was[0]!.state;
};

let wrong = 0;
const columns = ['round', 'end', 'archive MB', 'backup s', 'backup MB', 'restore s', 'restore MB', 'p50/p99 ms', 'before', 'lost later', 'machines', 'torn', 'state']; // prettier-ignore
say(`seed ${values.seed}, ${machines} machines, ${rate} calls a second\n${columns.join('\t')}`);

let dataDir = join(folder, 'data-0');
let service = await startService({ dataDir, env: settings });
try {
  await manyMachines(service, dataDir);
  for (let round = 1; round <= rounds; round += 1) {
    const load = loading(service);
    await pause(500 + random() * 2500);
    const began = performance.now();
    const archives = join(folder, `archives-${round}`);
    const backup = await ramal(['backup', archives], dataDir);
    const quiet = load.tookMs.toSorted((a, b) => a - b);
    await pause(random() * 2500);
    const end = random() < 0.5 ? 'kill' : 'stop';
    await (end === 'kill' ? service.kill() : service.stop());
    await load.stop();
    // One that was killed leaves its PostgreSQL running.
    await stopPostgresServer(join(dataDir, 'postgres', 'data'));
    const archive = join(archives, readdirSync(archives)[0]!);
    const next = join(folder, `data-${round}`);
    const restored = await ramal(['restore', archive], next);
    const before = load.acknowledged.filter(({ at }) => at < began).map(({ id }) => id);
    const later = load.acknowledged.filter(({ at }) => at >= began).map(({ id }) => id);
    const found = await resting(next, async (pool) => ({
      ...(await standing(pool)),
      missing: await missingOf(pool, before),
      lost: await missingOf(pool, later),
      state: await stateAndOpen(pool),
    }));
    const isRight =
      found.missing === 0 && found.torn === 0 && found.unbalanced === 0 && found.machines > machines;
    if (!isRight) wrong += 1;
    say(
      [round, end, (statSync(archive).size / 1e6).toFixed(1), backup.seconds.toFixed(1), Math.round(backup.peakMb), restored.seconds.toFixed(1), Math.round(restored.peakMb), `${quantile(quiet, 0.5)}/${quantile(quiet, 0.99)}`, `${before.length - found.missing} of ${before.length}`, `${found.lost} of ${later.length}`, found.machines, found.torn + found.unbalanced, found.state].join('\t'), // prettier-ignore
    );
    rmSync(archives, { recursive: true });
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    dataDir = next;
    service = await startService({ dataDir, env: settings });
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
say(wrong === 0 ? 'Every round was right.' : `${wrong} rounds were wrong.`);
process.exitCode = wrong === 0 ? 0 : 1;
