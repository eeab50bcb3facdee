/** What a run left in the database, looked at from outside: both sides must leave the same. */
import type { Pool } from 'pg';
import type { Scenario, Story } from './story.ts';

/** The distinct stories of calls, and how many calls have each. Ids of other machines are left out. */
export const storiesOf = async (pool: Pool): Promise<{ text: string; calls: number }[]> => {
  const { rows } = await pool.query<{ text: string; calls: number }>(
    `SELECT text, count(*)::int AS calls FROM (
       SELECT string_agg(h.event || ' > ' || h.state || ': ' || regexp_replace(h.asked, '@\\d+', '@', 'g'), E'\\n' ORDER BY h.revision) AS text
       FROM history h JOIN machines m ON m.account_id = h.account_id AND m.id = h.machine_id AND m.kind = 'call'
       GROUP BY h.account_id, h.machine_id) AS story GROUP BY text ORDER BY count(*) DESC`,
  );
  return rows;
};

interface Left {
  ended: number;
  lines: number;
  history: number;
  records: number;
  claims: number;
  inbox: number;
}

/** Counts what so many calls must have left; throws when anything differs. */
export const audit = async (
  pool: Pool,
  scenario: Scenario,
  story: Story,
  { calls, slots }: { calls: number; slots: number },
): Promise<void> => {
  const lines = scenario.lines ? slots : 0;
  const { rows } = await pool.query<Left>(`SELECT
    (SELECT count(*)::int FROM machines WHERE kind = 'call' AND state = 'ended' AND ended_at IS NOT NULL) AS ended,
    (SELECT count(*)::int FROM machines WHERE kind = 'line') AS lines,
    (SELECT count(*)::int FROM history) AS history,
    (SELECT count(*)::int FROM calls WHERE finished AND status = 'OK' AND reason = 'transferred') AS records,
    (SELECT count(*)::int FROM claims) AS claims,
    (SELECT count(*)::int FROM inbox) AS inbox`);
  const left = rows[0]!;
  const due: Left = {
    ended: calls,
    lines,
    history: calls * story.steps + lines,
    records: calls,
    claims: calls,
    inbox: 0,
  };
  const wrong = Object.entries(due).filter(([name, count]) => left[name as keyof Left] !== count);
  if (wrong.length > 0)
    throw new Error(`${scenario.name}: left ${JSON.stringify(left)}, should be ${JSON.stringify(due)}`);
  const [first, second] = await storiesOf(pool);
  if (first?.text !== story.text || second)
    throw new Error(
      `${scenario.name}: a call went otherwise:\n${second?.text ?? first?.text}\n\nand not\n${story.text}`,
    );
};

/** Rows inserted, updated and deleted in this database. To be asked once all other connections are closed. */
export const rowsTouched = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ touched: number }>(
    `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int AS touched FROM pg_stat_user_tables`,
  );
  return rows[0]!.touched;
};
