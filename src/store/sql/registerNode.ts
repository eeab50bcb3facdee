import type { Pool, PoolClient } from 'pg';
import type { ShardMachineStore } from '../../engine/contract/store.ts';
import {
  POSTGRES_STARTED_MS_SQL,
  RECORD_DATABASE_TIMELINE_SQL,
  stopNodeSql,
} from './shardOpenAndTimeline.ts';

const SLOTS = 64;

type Newcomer = Parameters<ShardMachineStore['register']>[0];
type Place = Awaited<ReturnType<ShardMachineStore['register']>>;

/** Registers an incarnation in the slot that was unused longest, so that its ids never meet those of the last user. */
export const registerNode = async (pool: Pool, node: Newcomer): Promise<Place> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE nodes IN EXCLUSIVE MODE');
    const { slot, mintedMs } = await findFreeNodeSlot(client, node.at - node.graceMs);
    const incarnation = await nextIncarnation(client, node.at, slot);
    await client.query(
      `UPDATE nodes SET lost = true, ${stopNodeSql('$2')} WHERE slot = $1 AND stopped_at IS NULL`,
      [slot, node.at],
    );
    await client.query(
      `INSERT INTO nodes (incarnation, slot, name, process, beat_at, started_at, minted_ms, ahead_ms, server_since)
       VALUES ($1, $2, $3, $4, $5, $5, $6, $7, ${POSTGRES_STARTED_MS_SQL})`,
      [incarnation, slot, node.name, node.process, node.at, mintedMs, node.aheadMs],
    );
    const { rows } = await client.query<{ token: string }>(
      `INSERT INTO writers (incarnation, lane, token)
       SELECT $1, lane, gen_random_uuid() FROM generate_series(0, $2::int - 1) AS lane RETURNING token`,
      [incarnation, node.writers ?? 0],
    );
    await client.query(RECORD_DATABASE_TIMELINE_SQL);
    await client.query('COMMIT');
    client.release();
    return { incarnation, slot, mintedMs, tokens: rows.map(({ token }) => token) };
  } catch (error) {
    client.release(true);
    throw error;
  }
};

/**
 * A slot whose users have all stopped. Where there is none, one whose user fell silent, by stamps: clocks that were set
 * may be wrong about that, so it comes last.
 */
export const findFreeNodeSlot = async (
  client: PoolClient,
  silentSince: number,
): Promise<{ slot: number; mintedMs: number }> => {
  const { rows } = await client.query<{ slot: number; minted: number }>(
    `SELECT s.slot, coalesce(max(n.minted_ms), 0) AS minted FROM generate_series(0, ${SLOTS - 1}) AS s(slot)
     LEFT JOIN nodes n ON n.slot = s.slot GROUP BY s.slot
     HAVING coalesce(bool_and(n.stopped_at IS NOT NULL OR n.beat_at < $1), true)
     ORDER BY coalesce(bool_or(n.incarnation IS NOT NULL AND n.stopped_at IS NULL), false),
       coalesce(max(greatest(n.beat_at, n.stopped_at)), 0), s.slot LIMIT 1`,
    [silentSince],
  );
  const free = rows[0];
  if (!free) throw new Error(`all ${SLOTS} node slots of this shard are in use`);
  return { slot: free.slot, mintedMs: free.minted };
};

/** Incarnations ascend with time; two of one moment differ by their slot. */
const nextIncarnation = async (client: PoolClient, at: number, slot: number): Promise<number> => {
  const { rows } = await client.query<{ last: number }>(
    `SELECT coalesce(max(incarnation), 0) AS last FROM nodes`,
  );
  return Math.max(at * SLOTS + slot, rows[0]!.last + 1);
};
