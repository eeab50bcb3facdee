/** Who placed what, as the audit log of the control database tells. */
import type { Pool } from 'pg';

/** What an operator or a token did, and when it was written down. */
export interface Deed {
  account: number;
  /** Operations and routes that do it. */
  actions: readonly string[];
  /** Epoch milliseconds. */
  at: number;
  /** How long it may take, milliseconds. */
  takesMs: number;
}

/** Uses of tokens are counted by the minute. */
const countedMs = 60_000;
const afterMs = 5_000;

/** Who did each of them: the actor where only one comes into question. */
export const findActorOfEachAction = async (
  pool: Pool,
  deeds: readonly Deed[],
): Promise<(string | undefined)[]> => {
  if (deeds.length === 0) return [];
  const { rows } = await pool.query<{ nth: number; actors: string[] }>({
    name: 'actors of',
    text: `SELECT d.nth::int AS nth, array_agg(DISTINCT a.actor) AS actors
      FROM unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[]) WITH ORDINALITY AS d (account_id, at, actions, ms, nth)
      JOIN audit_log a ON a.account_id = d.account_id AND a.at BETWEEN d.at - d.ms AND d.at + ${afterMs}
        AND a.kind IN ('token', 'change') AND a.outcome BETWEEN 200 AND 299
        AND a.action = ANY(string_to_array(d.actions, ' '))
      GROUP BY d.nth`,
    values: [
      deeds.map(({ account }) => account),
      deeds.map(({ at }) => at),
      deeds.map(({ actions }) => actions.join(' ')),
      deeds.map(({ takesMs }) => countedMs + takesMs),
    ],
  });
  const found = new Map(rows.map(({ nth, actors }) => [nth, actors]));
  return deeds.map((_, index) => {
    const actors = found.get(index + 1) ?? [];
    return actors.length === 1 ? actors[0] : undefined;
  });
};
