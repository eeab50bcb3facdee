/** Machines that live: calls that wait for a day to come, copied from one that does. */
import type { Pool } from 'pg';
import { demoToken } from '../http/service.ts';

const inAMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString();
const idOf = (table: string): string => (table === 'history' ? 'machine_id' : 'id');

export const copyCalls = async ({ url }: { url: string }, pool: Pool, copies: number): Promise<void> => {
  const answer = await fetch(`${url}/api/v2/MakeTTSCall.php`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tsid: demoToken, dest: '11987650002', text: 'Oi', block: inAMonth() }),
  });
  const { return: placed } = (await answer.json()) as { return: { cd_id?: string } };
  if (placed.cd_id === undefined) throw new Error(`the call was refused: ${JSON.stringify(placed)}`);
  const id = placed.cd_id.split('_')[1]!;
  for (const table of ['machines', 'calls', 'history'])
    await pool.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object($3::text, t.${idOf(table)} - n))).*
       FROM ${table} t, generate_series(1, $2::int) AS n WHERE t.${idOf(table)} = $1`,
      [id, copies, idOf(table)],
    );
  await pool.query('VACUUM ANALYZE');
};
