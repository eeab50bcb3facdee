/** A PostgreSQL: whether it answers, what it is, what the service would find in it. Nothing is changed there. */
import { type Pool } from 'pg';
import { isTransient } from '../../store/transientError.ts';
import { assertDurable, openPool } from '../../store/pool.ts';
import { missingMigrations } from '../../store/migrate.ts';
import { type Finding, failed, ok, sentenceOf, shownAddress, warning } from './finding.ts';
import { checkHosts, checkStandbys } from './hosts.ts';

export interface DatabasePlace {
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
  place: DatabasePlace,
  needs: { connections: number; use?: (pool: Pool) => Promise<Finding[]> },
): Promise<Finding[]> => {
  const hosts = checkHosts(place);
  const pool = openPool(place, {
    maxConnections: 1,
    queryTimeoutMs,
    applicationName: 'ramal doctor',
  });
  try {
    const found = [
      await version(place, pool),
      ...(await durability(place, pool)),
      ...(await checkStandbys(place.name, pool)),
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

const version = async ({ name, url }: DatabasePlace, pool: Pool): Promise<Finding> => {
  const { rows } = await pool.query<{ version: string }>(
    `SELECT current_setting('server_version') AS version`,
  );
  const { version: said } = rows[0]!;
  const says = `PostgreSQL ${said.split(' ', 1)[0]} answers at ${shownAddress(url)}`;
  return Number.parseInt(said, 10) === major
    ? ok(name, says)
    : warning(name, says, `Use version ${major}: nothing else has been tried.`);
};

const durability = async ({ name }: DatabasePlace, pool: Pool): Promise<Finding[]> => {
  try {
    await assertDurable(pool);
    return [ok(name, 'what it confirms survives a power cut')];
  } catch (error) {
    if (isTransient(error)) throw error;
    return [
      failed(
        name,
        sentenceOf(error),
        'Turn it on in postgresql.conf and reload; the service does not start before.',
      ),
    ];
  }
};

/** Half of the way there and back is taken off. */
const clock = async ({ name }: DatabasePlace, pool: Pool): Promise<Finding> => {
  const asked = Date.now();
  const { rows } = await pool.query<{ at: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at',
  );
  return clockFinding(name, rows[0]!.at - (asked + Date.now()) / 2);
};

/** `aheadMs`: how far the other clock is ahead of ours. */
export const clockFinding = (name: string, aheadMs: number): Finding => {
  const off = Math.abs(aheadMs);
  const says = `its clock is ${(off / 1000).toFixed(off < tolerableMs ? 3 : 1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (off < tolerableMs) return ok(name, says);
  const todo = 'Run NTP on both: calling windows follow this clock, timers and histories the database.';
  return off < longMs ? warning(name, says, todo) : failed(name, says, todo);
};

const room = async ({ name }: DatabasePlace, pool: Pool, connections: number): Promise<Finding> => {
  const { rows } = await pool.query<{ most: number; used: number }>(
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`,
  );
  const { most, used } = rows[0]!;
  const says = `${used} of its ${most} connections are used; a node opens up to ${connections}`;
  return most < connections
    ? failed(name, says, 'Raise max_connections, or lower DATABASE_CONNECTIONS.')
    : ok(name, says);
};

const migrations = async (
  { name, schema }: DatabasePlace,
  pool: Pool,
): Promise<{ finding: Finding; hasTables: boolean }> => {
  try {
    const missing = await missingMigrations(pool, schema);
    if (missing === undefined) {
      const may = await mayCreate(pool, schema);
      const empty = ok(name, 'it is empty; the first start makes the tables');
      const todo = `Give it: GRANT CREATE ON DATABASE … TO … (and on schema ${schema}).`;
      return { hasTables: false, finding: may ? empty : failed(name, 'its role may not make tables', todo) };
    }
    const says =
      missing.length === 0
        ? 'its tables are of this release'
        : `the next start applies ${missing.join(', ')}`;
    return { hasTables: missing.length === 0, finding: ok(name, says) };
  } catch (error) {
    if (isTransient(error)) throw error;
    const todo = 'Run the release that made them, or a newer one; see docs/guides/upgrade.md.';
    return { hasTables: false, finding: failed(name, sentenceOf(error), todo) };
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

const notReached = ({ name, url, setting }: DatabasePlace, error: unknown): Finding => {
  const { code = '' } = error as { code?: string };
  const where = shownAddress(url);
  const says = `${where} cannot be used: ${sentenceOf(error)}`;
  return failed(name, says, todos[code] ?? `Start it, or correct ${setting}.`);
};

/** By PostgreSQL's and Node's codes. */
const todos: Readonly<Record<string, string>> = {
  '28P01': 'Correct user and password in the address.',
  28000: 'Let this user in (pg_hba.conf), or correct the address.',
  '3D000': 'Make the database (CREATE DATABASE), or correct its name in the address.',
  53300: 'It has no connection left: raise max_connections, or stop what uses them.',
  ENOTFOUND: 'There is no such host: correct the address.',
};
