/** Machines that live: calls that wait for a day to come, copied from one that does. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { demoToken } from '../http/service.ts';

const inAMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString();
const idOf = (table: string): string => (table === 'history' ? 'machine_id' : 'id');

/**
 * `preparing`: as they are at once, with an effect that falls due again in half a minute for all of them, since no process
 * performs it; `scheduled`: they wait for their day. Answers when the first of them is due, epoch milliseconds.
 */
export const copyCalls = async (
  { url }: { url: string },
  pool: Pool,
  copies: number,
  state: 'preparing' | 'scheduled' = 'scheduled',
): Promise<number> => {
  const answer = await fetch(`${url}/api/v2/MakeTTSCall.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tsid: demoToken, dest: '11987650002', text: 'Oi', block: inAMonth() }),
  });
  const { return: placed } = (await answer.json()) as { return: { cd_id?: string } };
  if (placed.cd_id === undefined) throw new Error(`the call was refused: ${JSON.stringify(placed)}`);
  const id = placed.cd_id.split('_')[1]!;
  const dueAt = await waitFor(pool, id, state);
  for (const table of ['machines', 'calls', 'history'])
    await pool.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object($3::text, t.${idOf(table)} - n))).*
       FROM ${table} t, generate_series(1, $2::int) AS n WHERE t.${idOf(table)} = $1`,
      [id, copies, idOf(table)],
    );
  await pool.query('VACUUM ANALYZE');
  return dueAt;
};

/** Until the call is in this state; when it wakes next, epoch milliseconds. */
const waitFor = async (pool: Pool, id: string, state: string): Promise<number> => {
  for (;;) {
    const { rows } = await pool.query<{ state: string; wake_at: string }>(
      'SELECT state, wake_at FROM machines WHERE id = $1',
      [id],
    );
    if (rows[0]?.state === state) return Number(rows[0].wake_at);
    if (rows[0]?.state !== 'preparing') throw new Error(`the call is ${rows[0]?.state}, not ${state}`);
    await pause(10);
  }
};
