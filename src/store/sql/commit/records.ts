/** The records of a kind: a row that is made with its machine (`i`), and rows that follow it (`w`). */
import type { ColumnType, Kind, MachineRecordTable } from '../../../engine/contract/kind.ts';
import {
  type SqlParameterColumn,
  machineKeyColumns,
  sqlParameterColumnOfType,
  OK,
  type Part,
  part,
} from './commitStatementPart.ts';
import type { MachineWrite } from '../../../engine/contract/rows.ts';

/** What of a batch belongs to a kind's record. */
export type BuildRecordTableSql = (batch: readonly MachineWrite[]) => Part[];

/** The parts of all kinds that keep a record, by the kind's name. */
export const recordTableSql = (kinds: readonly Kind[]): BuildRecordTableSql => {
  const all = kinds
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, record }, place) => (record ? [recordOf(name, record, place)] : []));
  return (batch) => {
    const writes = batch.filter(({ record }) => record);
    return writes.length === 0 ? [] : all.flatMap((records) => records(writes));
  };
};

/** `place`: names its parts, briefly: of a statement's name the server reads 63 letters. */
const recordOf = (
  kind: string,
  { table, insertColumns: born, updateColumns: living }: MachineRecordTable,
  place: number,
): BuildRecordTableSql => {
  const keys = machineKeyColumns<MachineWrite>((write) => write);
  const alive = columnsOf(living, ({ record }) => record!.updated);
  const made = [...keys, ...columnsOf(born, ({ record }) => record!.inserted!), ...alive];
  const moved = [...keys, ...alive];
  const names = made.map(({ name }) => name).join(', ');
  const sets = alive.map(({ name }) => `${name} = t.${name}`).join(', ');
  return (batch) => {
    const writes = batch.filter(({ record }) => record!.kind === kind);
    const births = writes.filter(({ record }) => record!.inserted);
    const steps = writes.filter(({ record }) => !record!.inserted);
    const parts: Part[] = [];
    if (births.length > 0)
      parts.push(
        part(
          `i${place}`,
          births,
          made,
          (rows) => `i_${kind} AS (INSERT INTO ${table} (${names}) SELECT ${names} FROM ${rows} ${OK})`,
          { name: 'record', record: [kind, Object.keys(born).length] },
        ),
      );
    if (steps.length > 0)
      parts.push(
        part(
          `w${place}`,
          steps,
          moved,
          (rows) => `w_${kind} AS (UPDATE ${table} r SET ${sets} FROM ${rows} ${OK}
  WHERE r.account_id = t.account_id AND r.id = t.id)`,
          { name: 'record', record: [kind, null] },
        ),
      );
    return parts;
  };
};

const columnsOf = (
  shape: Record<string, ColumnType>,
  values: (write: MachineWrite) => readonly unknown[],
): SqlParameterColumn<MachineWrite>[] =>
  Object.entries(shape).map(([name, type], index) =>
    sqlParameterColumnOfType(name, type, (write: MachineWrite) => values(write)[index]),
  );
