/** The nodes of a shard. */
import type { Pool } from 'pg';

/** Processes that ran machines of this shard and beat since a moment (epoch milliseconds), the dead ones included. */
export const findRecentNodeProcesses = async (pool: Pool, since: number): Promise<string[]> => {
  const { rows } = await pool.query<{ process: string }>({
    name: 'recent processes',
    text: 'SELECT DISTINCT process FROM nodes WHERE beat_at >= $1',
    values: [since],
  });
  return rows.map(({ process }) => process);
};

export interface RunningNodeRow {
  name: string;
  /** Epoch milliseconds, as is `beat_at`. */
  started_at: number;
  beat_at: number;
}

export interface KnownNode extends RunningNodeRow {
  /** When others declared it dead; null: it runs, as far as they know. */
  lost_at: number | null;
}

const mostNodes = 100;

/** Nodes that did not leave, the longest running first; one that died stands here until a neighbour notices. */
export const runningNodes = async (pool: Pool): Promise<RunningNodeRow[]> => {
  const { rows } = await pool.query<RunningNodeRow>({
    name: 'running nodes',
    text: `SELECT name, started_at, beat_at FROM nodes WHERE stopped_at IS NULL ORDER BY started_at, name LIMIT ${mostNodes}`,
  });
  return rows;
};

/** Running nodes, and those that were lost since a moment (epoch milliseconds) and have not been started again. */
export const knownNodes = async (pool: Pool, since: number): Promise<KnownNode[]> => {
  const { rows } = await pool.query<KnownNode>({
    name: 'known nodes',
    text: `SELECT name, started_at, beat_at, stopped_at AS lost_at FROM nodes n
      WHERE stopped_at IS NULL OR (lost AND stopped_at >= $1 AND NOT EXISTS (SELECT 1 FROM nodes o
        WHERE o.name = n.name AND o.started_at >= n.beat_at AND o.incarnation <> n.incarnation))
      ORDER BY started_at, name LIMIT ${mostNodes}`,
    values: [since],
  });
  return rows;
};
