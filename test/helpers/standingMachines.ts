/** Machines that stand still, in any state, for what counts and lists them: rows that the service holds and never wakes. */
import type { TestDatabase } from './database.ts';

export interface StandingMachine {
  account: number;
  id: number;
  kind: string;
  state: string;
  attention?: string;
}

export const insertStandingMachines = async (
  { pool }: TestDatabase,
  machines: readonly StandingMachine[],
): Promise<void> => {
  const column = (of: (machine: StandingMachine) => unknown): unknown[] => machines.map(of);
  await pool.query(
    `INSERT INTO machines (account_id, id, kind, version, revision, state, snapshot, held_by, step_id, created_at, attention)
      SELECT account, id, kind, 1, 1, state, '{}',
        (SELECT max(incarnation) FROM nodes WHERE stopped_at IS NULL), 0, $6, attention
      FROM unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::text[])
        AS standing (account, id, kind, state, attention)`,
    [
      column(({ account }) => account),
      column(({ id }) => id),
      column(({ kind }) => kind),
      column(({ state }) => state),
      column(({ attention }) => attention ?? null),
      Date.now(),
    ],
  );
};
