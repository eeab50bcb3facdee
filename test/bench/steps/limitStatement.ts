/**
 * The limit's one statement: always the same, all parts in it, each a list of its own. It guards the revision, as any
 * group commit must, and checks nothing else. Values travel as the engine's do.
 */
import type { ColumnType } from '../../../src/engine/contract/kind.ts';
import { callRecordTable } from '../../../machines/call/callTableRow.ts';
import {
  packBigintArrayParameter,
  packIntegerArrayParameter,
  formatArrayLiteral,
  packTextArrayParameter,
  type SqlParameter,
  unpackTextArrayParameterSql,
} from '../../../src/store/sql/packArrayParameters.ts';
import { ACCOUNT } from '../node.ts';
import type { LimitRow } from './limitMachine.ts';

type Type = ColumnType | 'words';

/** A list of rows that travels as one parameter a column. `words`: text that is JSON or our own. */
class List<Row> {
  readonly source: string;
  readonly #columns: readonly [string, Type][];
  readonly #values: (row: Row) => readonly unknown[];

  constructor(columns: Record<string, Type>, values: (row: Row) => readonly unknown[], parameters: number[]) {
    this.#columns = Object.entries(columns);
    this.#values = values;
    const arrays = this.#columns.map(([, type]) => {
      const parameter = parameters.push(0);
      return type === 'words' ? unpackTextArrayParameterSql(parameter) : `$${parameter}::${type}[]`;
    });
    this.source = `unnest(${arrays.join(', ')}) AS t(${Object.keys(columns).join(', ')})`;
  }

  encode(rows: readonly Row[]): SqlParameter[] {
    const values = rows.map(this.#values);
    return this.#columns.map(([, type], column) => {
      if (type === 'words') return packTextArrayParameter(values, (row) => row[column] as string | null);
      if (type === 'bigint') return packBigintArrayParameter(values, (row) => row[column] as number | null);
      if (type === 'integer') return packIntegerArrayParameter(values, (row) => row[column] as number | null);
      return formatArrayLiteral(values, (row) => row[column]);
    });
  }
}

const { insertColumns: born, updateColumns: living } = callRecordTable;
const DAY_MS = 86_400_000;

const parameters: number[] = [];

const machines = new List<LimitRow>(
  {
    id: 'bigint',
    kind: 'words',
    version: 'integer',
    revision: 'integer',
    state: 'words',
    milestones: 'words',
    snapshot: 'words',
    agenda: 'words',
    wake_at: 'bigint',
    step_id: 'bigint',
    ended_at: 'bigint',
    at: 'bigint',
    event: 'words',
    payload: 'words',
    asked: 'words',
  },
  (row) => [
    row.id,
    row.kind,
    row.version,
    row.revision,
    row.state,
    row.milestones,
    row.snapshot,
    row.agenda,
    row.wakeAt,
    row.stepId,
    row.endedAt,
    row.at,
    row.event,
    row.payload,
    row.asked,
  ],
  parameters,
);
const births = new List<LimitRow>(
  { id: 'bigint', ...born, ...living },
  (row) => [row.id, ...row.born!, ...row.living!],
  parameters,
);
const lives = new List<LimitRow>({ id: 'bigint', ...living }, (row) => [row.id, ...row.living!], parameters);
const claims = new List<LimitRow>(
  { id: 'bigint', key: 'text', until: 'bigint' },
  ({ id, claim }) => [id, claim!.key, claim!.until],
  parameters,
);
const tells = new List<LimitRow['tells'][number]>(
  { machine_id: 'bigint', id: 'bigint', event: 'words', at: 'bigint' },
  (row) => [row.machine, row.id, row.event, row.at],
  parameters,
);
const heard = new List<LimitRow>(
  { machine_id: 'bigint', id: 'bigint' },
  (row) => [row.id, row.heard],
  parameters,
);

const names = (columns: object): string => Object.keys(columns).join(', ');
const sets = Object.keys(living)
  .map((column) => `${column} = t.${column}`)
  .join(', ');
const record = `id, ${names(born)}, ${names(living)}`;

const text = `WITH d AS (SELECT * FROM ${machines.source}),
b AS (INSERT INTO machines (account_id, id, kind, version, revision, state, milestones, snapshot, agenda, wake_at,
  held_by, step_id, created_at, ended_at)
  SELECT ${ACCOUNT}, id, kind, version, revision, state, milestones, snapshot::json, agenda, wake_at, 1, step_id, at, ended_at
  FROM d WHERE revision = 1 RETURNING id),
u AS (UPDATE machines m SET revision = d.revision, state = d.state, milestones = d.milestones,
  snapshot = d.snapshot::json, agenda = d.agenda, wake_at = d.wake_at, step_id = d.step_id, ended_at = d.ended_at
  FROM d WHERE d.revision > 1 AND m.account_id = ${ACCOUNT} AND m.id = d.id AND m.revision = d.revision - 1 RETURNING m.id),
ok AS (SELECT id FROM b UNION ALL SELECT id FROM u),
h AS (INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state, asked)
  SELECT ${ACCOUNT}, id, revision, at / ${DAY_MS}, at, event, payload::json, state, coalesce(asked, '') FROM d JOIN ok USING (id)),
i AS (INSERT INTO calls (account_id, ${record}) SELECT ${ACCOUNT}, ${record} FROM ${births.source}),
w AS (UPDATE calls r SET ${sets} FROM ${lives.source} WHERE r.account_id = ${ACCOUNT} AND r.id = t.id),
c AS (INSERT INTO claims (account_id, key, until, owner) SELECT ${ACCOUNT}, key, until, id::text FROM ${claims.source}),
t AS (INSERT INTO inbox (account_id, machine_id, id, event, at)
  SELECT ${ACCOUNT}, machine_id, id, event::json, at FROM ${tells.source}),
x AS (DELETE FROM inbox n USING ${heard.source}
  WHERE n.account_id = ${ACCOUNT} AND n.machine_id = t.machine_id AND n.id = t.id)
SELECT count(*)::int AS n FROM ok`;

/** The statement for a batch; a machine occurs at most once in it. */
export const limitStatement = (
  batch: readonly LimitRow[],
): { name: string; text: string; values: SqlParameter[] } => ({
  name: 'limit',
  text,
  values: [
    ...machines.encode(batch),
    ...births.encode(batch.filter((row) => row.born)),
    ...lives.encode(batch.filter((row) => row.living && !row.born)),
    ...claims.encode(batch.filter((row) => row.claim)),
    ...tells.encode(batch.flatMap((row) => row.tells)),
    ...heard.encode(batch.filter((row) => row.heard !== null)),
  ],
});
