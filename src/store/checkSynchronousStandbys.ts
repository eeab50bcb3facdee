/** Whether a failover of this database would lose what it confirmed. */
import type { Pool } from 'pg';

/** Standbys that are attached, and how many of them a commit waits for. */
export interface DatabaseStandbyCounts {
  attached: number;
  /** Undefined: this role may not see it. */
  synchronous: number | undefined;
  /** Commits wait for the synchronous ones (`synchronous_commit` is not `local`). */
  waits: boolean;
}

interface Found {
  attached: number;
  synchronous: number;
  hidden: number;
  names: string;
  level: string;
}

/** Backups that run and subscribers of tables are no standbys. Without the right to see more, a standby shows its process only. */
const question = `SELECT count(*)::int AS attached,
    count(*) FILTER (WHERE sync_state IN ('sync', 'quorum'))::int AS synchronous,
    count(*) FILTER (WHERE sync_state IS NULL)::int AS hidden,
    current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS level
  FROM pg_stat_replication r WHERE state IS DISTINCT FROM 'backup'
    AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')`;

/** What is attached to the server that takes the writes; undefined where that cannot be seen. */
export const readDatabaseStandbys = async (pool: Pool): Promise<DatabaseStandbyCounts | undefined> => {
  try {
    const { rows } = await pool.query<Found>(question);
    const { attached, synchronous, hidden, names, level } = rows[0]!;
    const known = hidden === 0 ? synchronous : names === '' ? 0 : undefined;
    return { attached, synchronous: known, waits: level !== 'local' };
  } catch {
    // A role that may not look there is no reason not to start; a database that is away says so elsewhere.
    return undefined;
  }
};

/** A sentence when standbys are there and a failover to one may lose commits; undefined: not so, or not to be seen. */
export const describeAsynchronousStandbyRisk = (
  standbys: DatabaseStandbyCounts | undefined,
): string | undefined => {
  if (!standbys || standbys.attached === 0 || standbys.synchronous === undefined) return undefined;
  const { attached, synchronous, waits } = standbys;
  if (synchronous > 0 && waits) return undefined;
  const are = attached === 1 ? 'a standby is attached' : `${attached} standbys are attached`;
  const why =
    synchronous > 0 ? 'commits do not wait for it (synchronous_commit = local)' : 'none is synchronous';
  return `${are} and ${why}: a failover may lose commits that were acknowledged, calls that were made among them`;
};

/** What to do about it. */
export const synchronousStandbyAdvice =
  "On the primary set synchronous_standby_names (such as 'ANY 1 (*)') and synchronous_commit = on, and reload: " +
  'a commit waits then until a standby has it.';
