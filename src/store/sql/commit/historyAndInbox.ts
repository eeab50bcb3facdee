/** What steps leave beside their machine: history, events told to others, and own inbox rows that were heard. */
import { removePackSeparators } from '../packArrayParameters.ts';
import {
  bigintColumn,
  type MachineChildRow,
  childRowsOf,
  integerColumn,
  machineKeyColumns,
  OK,
  type Part,
  part,
  packedTextColumn,
} from './commonTableExpression.ts';
import type { HistoryRow, MachineInboxRow, MachineWrite } from '../../../engine/contract/rows.ts';

const DAY_MS = 86_400_000;

const entry = [
  packedTextColumn<MachineChildRow<HistoryRow>>('payload', ({ row }) => row.payload),
  ...machineKeyColumns<MachineChildRow<HistoryRow>>(({ of }) => of),
  integerColumn<MachineChildRow<HistoryRow>>('revision', ({ row }) => row.revision),
  bigintColumn<MachineChildRow<HistoryRow>>('at', ({ row }) => row.at),
  packedTextColumn<MachineChildRow<HistoryRow>>('event', ({ row }) => removePackSeparators(row.event)),
  packedTextColumn<MachineChildRow<HistoryRow>>('state', ({ row }) => row.state),
  packedTextColumn<MachineChildRow<HistoryRow>>('asked', ({ row }) => removePackSeparators(row.asked)),
  packedTextColumn<MachineChildRow<HistoryRow>>('taken', ({ row }) => row.taken),
];

export const insertHistorySql = (batch: readonly MachineWrite[]): Part[] => {
  const rows = childRowsOf(batch, (write) => write.history);
  if (rows.length === 0) return [];
  return [
    part(
      'h',
      rows,
      entry,
      (
        source,
      ) => `h AS (INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state, asked, taken)
  SELECT account_id, id, revision, at / ${DAY_MS}, at, event, payload::json, state, coalesce(asked, ''), coalesce(taken, '')
  FROM ${source} ${OK})`,
      { name: 'history' },
    ),
  ];
};

const told = [
  ...machineKeyColumns<MachineChildRow<MachineInboxRow>>(({ of }) => of),
  bigintColumn<MachineChildRow<MachineInboxRow>>('machine_id', ({ row }) => row.machine),
  bigintColumn<MachineChildRow<MachineInboxRow>>('row_id', ({ row }) => row.id),
  packedTextColumn<MachineChildRow<MachineInboxRow>>('event', ({ row }) => row.event),
  bigintColumn<MachineChildRow<MachineInboxRow>>('at', ({ row }) => row.at),
];

export const insertInboxSql = (batch: readonly MachineWrite[]): Part[] => {
  const rows = childRowsOf(batch, (write) => write.tells);
  if (rows.length === 0) return [];
  return [
    part(
      't',
      rows,
      told,
      (source) => `t AS (INSERT INTO inbox (account_id, machine_id, id, event, at)
  SELECT account_id, machine_id, row_id, event::json, at FROM ${source} ${OK})`,
      { name: 'tells' },
    ),
  ];
};

const taken = [
  ...machineKeyColumns<MachineChildRow<number>>(({ of }) => of),
  bigintColumn<MachineChildRow<number>>('row_id', ({ row }) => row),
];

export const deleteInboxSql = (batch: readonly MachineWrite[]): Part[] => {
  const rows = childRowsOf(batch, (write) => write.heard);
  if (rows.length === 0) return [];
  return [
    part(
      'x',
      rows,
      taken,
      (source) => `x AS (DELETE FROM inbox i USING ${source} ${OK}
  WHERE i.account_id = t.account_id AND i.machine_id = t.id AND i.id = t.row_id)`,
      { name: 'heard' },
    ),
  ];
};
