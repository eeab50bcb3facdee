/** A PostgreSQL: whether it answers, what it is, what the service would find in it. Nothing is changed there. */
import { type Pool } from 'pg';
import { isTransientDatabaseError } from '../../store/transientError.ts';
import { assertDurableDatabase, openDatabasePool } from '../../store/pool.ts';
import { missingMigrations } from '../../store/migrate.ts';
import {
  type DoctorFinding,
  failedFinding,
  ok,
  describeError,
  urlWithoutCredentials,
  warningFinding,
} from './finding.ts';
import { checkDatabaseHosts, checkDatabaseStandbys } from './databaseHostsAndStandbys.ts';

export interface DoctorDatabaseAddress {
  /** How it is called in what is found, e.g. `database` or `shard b`. */
  name: string;
  url: string;
  schema: string;
  /** The setting that names it. */
  setting: string;
}

/** The only major version that is tried. */
const major = 18;
/** What histories and timers bear, and what people wonder about, milliseconds. */
const tolerableMs = 1_000;
const longMs = 30_000;
const queryTimeoutMs = 10_000;

/** `use` may ask the database more while it is open; it is asked only when there are tables. */
export const checkDatabase = async (
  place: DoctorDatabaseAddress,
  needs: { connections: number; use?: (pool: Pool) => Promise<DoctorFinding[]> },
): Promise<DoctorFinding[]> => {
  const hosts = checkDatabaseHosts(place);
  const pool = openDatabasePool(place, {
    maxConnections: 1,
    queryTimeoutMs,
    applicationName: 'ramal doctor',
  });
  try {
    const found = [
      await version(place, pool),
      ...(await durability(place, pool)),
      ...(await checkDatabaseStandbys(place.name, pool)),
      await clock(place, pool),
      await room(place, pool, needs.connections),
    ];
    const { finding, hasTables } = await migrations(place, pool);
    return [...found, ...(await hosts), finding, ...(hasTables && needs.use ? await needs.use(pool) : [])];
  } catch (error) {
    return [notReached(place, error), ...(await hosts)];
  } finally {
    await pool.end();
  }
};

const version = async ({ name, url }: DoctorDatabaseAddress, pool: Pool): Promise<DoctorFinding> => {
  const { rows } = await pool.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  const { version: said } = rows[0]!;
  const says = `PostgreSQL ${said.split(' ', 1)[0]} answers at ${urlWithoutCredentials(url)}`;
  return Number.parseInt(said, 10) === major
    ? ok(name, says)
    : warningFinding(name, says, `Use version ${major}: nothing else has been tried.`);
};

const durability = async ({ name }: DoctorDatabaseAddress, pool: Pool): Promise<DoctorFinding[]> => {
  try {
    await assertDurableDatabase(pool);
    return [ok(name, 'what it confirms survives a power cut')];
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    return [
      failedFinding(
        name,
        describeError(error),
        'Turn it on in postgresql.conf and reload; the service does not start before.',
      ),
    ];
  }
};

/** Half of the way there and back is taken off. */
const clock = async ({ name }: DoctorDatabaseAddress, pool: Pool): Promise<DoctorFinding> => {
  const asked = Date.now();
  const { rows } = await pool.query<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at',
  );
  return clockDriftFinding(name, rows[0]!.at - (asked + Date.now()) / 2);
};

/** `aheadMs`: how far the other clock is ahead of ours. */
export const clockDriftFinding = (name: string, aheadMs: number): DoctorFinding => {
  const off = Math.abs(aheadMs);
  const says = `its clock is ${(off / 1000).toFixed(off < tolerableMs ? 3 : 1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (off < tolerableMs) return ok(name, says);
  const todo = 'Run NTP on both: calling windows follow this clock, timers and histories the database.';
  return off < longMs ? warningFinding(name, says, todo) : failedFinding(name, says, todo);
};

const room = async (
  { name }: DoctorDatabaseAddress,
  pool: Pool,
  connections: number,
): Promise<DoctorFinding> => {
  const { rows } = await pool.query<{ most: number; used: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  const { most, used } = rows[0]!;
  const says = `${used} of its ${most} connections are used; a node opens up to ${connections}`;
  return most < connections
    ? failedFinding(name, says, 'Raise max_connections, or lower DATABASE_CONNECTIONS.')
    : ok(name, says);
};

const migrations = async (
  { name, schema }: DoctorDatabaseAddress,
  pool: Pool,
): Promise<{ finding: DoctorFinding; hasTables: boolean }> => {
  try {
    const missing = await missingMigrations(pool, schema);
    if (missing === undefined) {
      const may = await mayCreate(pool, schema);
      const empty = ok(name, 'it is empty; the first start makes the tables');
      const todo = `Give it: GRANT CREATE ON DATABASE … TO … (and on schema ${schema}).`;
      return {
        hasTables: false,
        finding: may ? empty : failedFinding(name, 'its role may not make tables', todo),
      };
    }
    const says =
      missing.length === 0
        ? 'its tables are of this release'
        : `the next start applies ${missing.join(', ')}`;
    return { hasTables: missing.length === 0, finding: ok(name, says) };
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    const todo = 'Run the release that made them, or a newer one; see docs/guides/upgrade.md.';
    return { hasTables: false, finding: failedFinding(name, describeError(error), todo) };
  }
};

const mayCreate = async (pool: Pool, schema: string): Promise<boolean> => {
  const { rows } = await pool.query<{ may: boolean }>(
    `SELECT CASE WHEN to_regnamespace(quote_ident($1)) IS NULL
      THEN has_database_privilege(current_database(), 'CREATE')
      ELSE has_schema_privilege(quote_ident($1), 'CREATE') END AS may`,
    [schema],
  );
  return rows[0]!.may;
};

const notReached = ({ name, url, setting }: DoctorDatabaseAddress, error: unknown): DoctorFinding => {
  const { code = '' } = error as { code?: string };
  const where = urlWithoutCredentials(url);
  const says = `${where} cannot be used: ${describeError(error)}`;
  return failedFinding(name, says, todos[code] ?? `Start it, or correct ${setting}.`);
};

/** By PostgreSQL's and Node's codes. */
const todos: Readonly<Record<string, string>> = {
  '28P01': 'Correct user and password in the address.',
  28000: 'Let this user in (pg_hba.conf), or correct the address.',
  '3D000': 'Make the database (CREATE DATABASE), or correct its name in the address.',
  53300: 'It has no connection left: raise max_connections, or stop what uses them.',
  ENOTFOUND: 'There is no such host: correct the address.',
};
