/**
 * The commit: everything a batch of steps leaves, in one statement. Parts that a batch does not need are left out,
 * so the statement has a few shapes, each prepared once a connection.
 *
 *   lost    machines whose claims another owner holds: nothing of them is written
 *   u       machines that stood at the revision their step began from
 *   b       machines born
 *   ok      both: all else is written for these only
 */
import type { Kind } from '../../../machines/kind.ts';
import type { Write } from '../../engine/store.ts';
import { literals, numbers, packable, packed, unpack } from './arrays.ts';

export interface Statement {
  /** Names the shape, for the prepared statement. */
  name: string;
  text: string;
  values: string[];
}

/** A column of a part: its SQL type, how the parameter is read, and its values. */
interface Column {
  name: string;
  type: string;
  kind: 'number' | 'packed' | 'literal';
  values: readonly unknown[];
}

/** The rows of one part of the statement, as `unnest` over its columns. */
interface Part {
  letter: string;
  columns: Column[];
  sql: (rows: string) => string;
}

const number = (name: string, type: 'bigint' | 'integer', values: readonly (number | null)[]): Column => ({
  name,
  type,
  kind: 'number',
  values,
});
const text = (name: string, values: readonly (string | null)[], type = 'text'): Column => ({
  name,
  type,
  kind: 'packed',
  values,
});
const literal = (name: string, type: string, values: readonly unknown[]): Column => ({
  name,
  type,
  kind: 'literal',
  values,
});

const OK = 'JOIN ok USING (account_id, id)';
const NOT_LOST = 'NOT EXISTS (SELECT 1 FROM lost WHERE lost.account_id = t.account_id AND lost.id = t.id)';

/** Builds the statement for a batch. `at`: database time, against which claims have run out or not. */
export const commitStatement = (
  kinds: ReadonlyMap<string, Kind>,
  batch: readonly Write[],
  at: number,
): Statement => {
  const claims = batch.some((write) => write.claims.length > 0);
  const parts: Part[] = [];
  if (claims) parts.push(lost(batch));
  const updates = batch.filter((write) => !write.birth);
  const births = batch.filter((write) => write.birth);
  if (updates.length > 0) parts.push(update(updates, claims));
  if (births.length > 0) parts.push(birth(births, claims, updates.length > 0));
  const ok = [
    updates.length > 0 && 'SELECT account_id, id FROM u',
    births.length > 0 && 'SELECT account_id, id FROM b',
  ];
  parts.push({ letter: 'o', columns: [], sql: () => `ok AS (${ok.filter(Boolean).join(' UNION ALL ')})` });
  if (claims) parts.push(claim(batch));
  parts.push(
    ...releases(batch),
    ...history(batch),
    ...tells(batch),
    ...heard(batch),
    ...records(kinds, batch),
  );
  return assemble(parts, at, claims);
};

const assemble = (parts: Part[], at: number, claims: boolean): Statement => {
  const values: string[] = claims ? [String(at)] : [];
  const name = parts.map(({ letter }) => letter).join('');
  const ctes = parts.map((part) => {
    const sources = part.columns.map((column) => {
      values.push(encode(column));
      if (column.kind === 'packed') {
        const array = unpack(values.length);
        return column.type === 'text' ? array : `${array}::${column.type}[]`;
      }
      return `$${values.length}::${column.type}[]`;
    });
    const names = part.columns.map((column) => column.name).join(', ');
    return part.sql(`unnest(${sources.join(', ')}) AS t(${names})`);
  });
  return { name, text: `WITH ${ctes.join(',\n')}\nSELECT count(*)::int AS n FROM ok`, values };
};

const encode = ({ kind, values }: Column): string => {
  if (kind === 'number') return numbers(values as (number | null)[]);
  if (kind === 'packed') return packed(values as (string | null)[]);
  return literals(values);
};

const update = (writes: Write[], claims: boolean): Part => ({
  letter: claims ? 'U' : 'u',
  columns: [
    ...keys(writes),
    number(
      'guard',
      'integer',
      writes.map((write) => write.guard),
    ),
    ...row(writes),
  ],
  sql: (
    rows,
  ) => `u AS (UPDATE machines m SET revision = t.revision, state = t.state, milestones = t.milestones,
  snapshot = t.snapshot::json, agenda = t.agenda, wake_at = t.wake_at, held_by = t.held_by, step_id = t.step_id,
  attention = t.attention, ended_at = t.ended_at FROM ${rows}
  WHERE m.account_id = t.account_id AND m.id = t.id AND m.revision = t.guard ${claims ? `AND ${NOT_LOST}` : ''}
  RETURNING m.account_id, m.id)`,
});

const birth = (writes: Write[], claims: boolean, withUpdates: boolean): Part => {
  const children = writes.some((write) => write.parent !== null);
  const born = withUpdates
    ? `(t.parent IS NULL OR EXISTS (SELECT 1 FROM u WHERE u.account_id = t.account_id AND u.id = t.parent))`
    : 't.parent IS NULL';
  const conditions = [claims && NOT_LOST, children && born].filter(Boolean).join(' AND ');
  return {
    letter: `${claims ? 'B' : 'b'}${children ? 'c' : ''}`,
    columns: [
      ...keys(writes),
      ...(children
        ? [
            number(
              'parent',
              'bigint',
              writes.map((write) => write.parent),
            ),
          ]
        : []),
      text(
        'kind',
        writes.map((write) => write.birth!.kind),
      ),
      number(
        'version',
        'integer',
        writes.map((write) => write.birth!.version),
      ),
      number(
        'created_at',
        'bigint',
        writes.map((write) => write.birth!.createdAt),
      ),
      ...row(writes),
    ],
    sql: (
      rows,
    ) => `b AS (INSERT INTO machines (account_id, id, kind, version, created_at, revision, state, milestones,
  snapshot, agenda, wake_at, held_by, step_id, attention, ended_at)
  SELECT account_id, id, kind, version, created_at, revision, state, milestones, snapshot::json, agenda, wake_at,
  held_by, step_id, attention, ended_at FROM ${rows} ${conditions ? `WHERE ${conditions}` : ''}
  ON CONFLICT (account_id, id) DO NOTHING RETURNING account_id, id)`,
  };
};

const keys = (writes: Write[]): Column[] => [
  number(
    'account_id',
    'integer',
    writes.map((write) => write.account),
  ),
  number(
    'id',
    'bigint',
    writes.map((write) => write.id),
  ),
];

const row = (writes: Write[]): Column[] => [
  number(
    'revision',
    'integer',
    writes.map(({ row: { revision } }) => revision),
  ),
  text(
    'state',
    writes.map(({ row: { state } }) => state),
  ),
  text(
    'milestones',
    writes.map(({ row: { milestones } }) => milestones),
  ),
  text(
    'snapshot',
    writes.map(({ row: { snapshot } }) => snapshot),
  ),
  text(
    'agenda',
    writes.map(({ row: { agenda } }) => agenda),
  ),
  number(
    'wake_at',
    'bigint',
    writes.map(({ row: { wakeAt } }) => wakeAt),
  ),
  number(
    'held_by',
    'bigint',
    writes.map(({ row: { heldBy } }) => heldBy),
  ),
  number(
    'step_id',
    'bigint',
    writes.map(({ row: { stepId } }) => stepId),
  ),
  text(
    'attention',
    writes.map(({ row: { attention } }) => attention && packable(attention)),
  ),
  number(
    'ended_at',
    'bigint',
    writes.map(({ row: { endedAt } }) => endedAt),
  ),
];

/** Rows that hang on a machine, one list per write, with the machine's key before each. */
const children = <T>(
  batch: readonly Write[],
  of: (write: Write) => readonly T[],
): { owners: Write[]; rows: T[] } => {
  const owners: Write[] = [];
  const rows: T[] = [];
  for (const write of batch)
    for (const child of of(write)) {
      owners.push(write);
      rows.push(child);
    }
  return { owners, rows };
};

const claimColumns = (batch: readonly Write[]): Column[] => {
  const { owners, rows } = children(batch, (write) => write.claims);
  return [
    ...keys(owners),
    literal(
      'key',
      'text',
      rows.map(({ key }) => key),
    ),
  ];
};

const lost = (batch: readonly Write[]): Part => ({
  letter: 'L',
  columns: claimColumns(batch),
  sql: (rows) => `lost AS (SELECT t.account_id, t.id FROM ${rows}
  JOIN claims c ON c.account_id = t.account_id AND c.key = t.key
  WHERE c.until > $1::bigint AND c.owner <> t.id::text)`,
});

/** A claim that was taken since `lost` looked makes `until` null, which the table refuses: the batch is halved. */
const claim = (batch: readonly Write[]): Part => {
  const { rows: claims } = children(batch, (write) => write.claims);
  return {
    letter: 'C',
    columns: [
      ...claimColumns(batch),
      number(
        'until',
        'bigint',
        claims.map(({ until }) => until),
      ),
      literal(
        'answer',
        'text',
        claims.map(({ answer }) => answer),
      ),
    ],
    sql: (rows) => `c AS (INSERT INTO claims (account_id, key, until, owner, answer)
  SELECT account_id, key, until, id::text, answer FROM ${rows} ${OK}
  ON CONFLICT (account_id, key) DO UPDATE SET until = CASE WHEN claims.until <= $1::bigint
  OR claims.owner = excluded.owner THEN excluded.until END, owner = excluded.owner, answer = excluded.answer)`,
  };
};

const releases = (batch: readonly Write[]): Part[] => {
  const { owners, rows: released } = children(batch, (write) => write.releases);
  if (owners.length === 0) return [];
  return [
    {
      letter: 'r',
      columns: [...keys(owners), literal('key', 'text', released)],
      sql: (rows) => `r AS (DELETE FROM claims c USING ${rows} ${OK}
  WHERE c.account_id = t.account_id AND c.key = t.key AND c.owner = t.id::text)`,
    },
  ];
};

const DAY_MS = 86_400_000;

const history = (batch: readonly Write[]): Part[] => {
  const { owners, rows: entries } = children(batch, (write) => write.history);
  if (owners.length === 0) return [];
  return [
    {
      letter: 'h',
      columns: [
        ...keys(owners),
        number(
          'revision',
          'integer',
          entries.map(({ revision }) => revision),
        ),
        number(
          'at',
          'bigint',
          entries.map(({ at }) => at),
        ),
        text(
          'event',
          entries.map(({ event }) => packable(event)),
        ),
        text(
          'payload',
          entries.map(({ payload }) => payload),
        ),
        text(
          'state',
          entries.map(({ state }) => state),
        ),
        text(
          'asked',
          entries.map(({ asked }) => packable(asked)),
        ),
      ],
      sql: (
        rows,
      ) => `h AS (INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state, asked)
  SELECT account_id, id, revision, at / ${DAY_MS}, at, event, payload::json, state, coalesce(asked, '') FROM ${rows} ${OK})`,
    },
  ];
};

const tells = (batch: readonly Write[]): Part[] => {
  const { owners, rows: told } = children(batch, (write) => write.tells);
  if (owners.length === 0) return [];
  return [
    {
      letter: 't',
      columns: [
        ...keys(owners),
        number(
          'machine_id',
          'bigint',
          told.map(({ machine }) => machine),
        ),
        number(
          'row_id',
          'bigint',
          told.map(({ id }) => id),
        ),
        text(
          'event',
          told.map(({ event }) => event),
        ),
        number(
          'at',
          'bigint',
          told.map(({ at }) => at),
        ),
      ],
      sql: (rows) => `t AS (INSERT INTO inbox (account_id, machine_id, id, event, at)
  SELECT account_id, machine_id, row_id, event::json, at FROM ${rows} ${OK})`,
    },
  ];
};

const heard = (batch: readonly Write[]): Part[] => {
  const { owners, rows: ids } = children(batch, (write) => write.heard);
  if (owners.length === 0) return [];
  return [
    {
      letter: 'x',
      columns: [...keys(owners), number('row_id', 'bigint', ids)],
      sql: (rows) => `x AS (DELETE FROM inbox i USING ${rows} ${OK}
  WHERE i.account_id = t.account_id AND i.machine_id = t.id AND i.id = t.row_id)`,
    },
  ];
};

const records = (kinds: ReadonlyMap<string, Kind>, batch: readonly Write[]): Part[] => {
  const names = [...new Set(batch.flatMap(({ record }) => record?.kind ?? []))].toSorted();
  return names.flatMap((name) => {
    const kind = kinds.get(name)!;
    const writes = batch.filter((write) => write.record?.kind === name);
    return [
      ...recordBirths(
        kind,
        writes.filter((write) => write.record!.born),
      ),
      ...recordUpdates(
        kind,
        writes.filter((write) => !write.record!.born),
      ),
    ];
  });
};

const recordColumns = (shape: Record<string, string>, rows: readonly unknown[][]): Column[] =>
  Object.entries(shape).map(([column, type], index) =>
    literal(
      column,
      type,
      rows.map((values) => values[index]),
    ),
  );

const recordBirths = (kind: Kind, writes: Write[]): Part[] => {
  if (writes.length === 0) return [];
  const { table, born, living } = kind.record!;
  const names = ['account_id', 'id', ...Object.keys(born), ...Object.keys(living)].join(', ');
  return [
    {
      letter: `i${kind.name}`,
      columns: [
        ...keys(writes),
        ...recordColumns(
          born,
          writes.map(({ record }) => record!.born!),
        ),
        ...recordColumns(
          living,
          writes.map(({ record }) => record!.living),
        ),
      ],
      sql: (rows) => `i_${kind.name} AS (INSERT INTO ${table} (${names}) SELECT ${names} FROM ${rows} ${OK})`,
    },
  ];
};

const recordUpdates = (kind: Kind, writes: Write[]): Part[] => {
  if (writes.length === 0) return [];
  const { table, living } = kind.record!;
  const sets = Object.keys(living)
    .map((column) => `${column} = t.${column}`)
    .join(', ');
  return [
    {
      letter: `w${kind.name}`,
      columns: [
        ...keys(writes),
        ...recordColumns(
          living,
          writes.map(({ record }) => record!.living),
        ),
      ],
      sql: (rows) => `w_${kind.name} AS (UPDATE ${table} r SET ${sets} FROM ${rows} ${OK}
  WHERE r.account_id = t.account_id AND r.id = t.id)`,
    },
  ];
};
