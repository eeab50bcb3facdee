/** The nodes of a shard. */
import type { Pool } from 'pg';

/** Processes that ran machines of this shard and beat since a moment (epoch milliseconds), the dead ones included. */
export const recentProcesses = async (pool: Pool, since: number): Promise<string[]> => {
  const { rows } = await pool.query<{ process: string }>({
    name: 'recent processes',
    text: 'SELECT DISTINCT process FROM nodes WHERE beat_at >= $1',
    values: [since],
  });
  return rows.map(({ process }) => process);
};

export interface RunningNode {
  name: string;
  /** Epoch milliseconds, as is `beat_at`. */
  started_at: number;
  beat_at: number;
}

const mostNodes = 100;

/** Nodes that did not leave, the longest running first; one that died stands here until a neighbour notices. */
export const runningNodes = async (pool: Pool): Promise<RunningNode[]> => {
  const { rows } = await pool.query<RunningNode>({
    name: 'running nodes',
    text: `SELECT name, started_at, beat_at FROM nodes WHERE stopped_at IS NULL ORDER BY started_at, name LIMIT ${mostNodes}`,
  });
  return rows;
};
