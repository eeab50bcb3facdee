/** What steps leave beside their machine: history, events told to others, and own inbox rows that were heard. */
import { removePackSeparators } from '../packArrayParameters.ts';
import {
  bigintParameterColumn,
  type RowOfMachineWrite,
  collectMachineChildRows,
  integerParameterColumn,
  machineKeyColumns,
  OK,
  type Part,
  part,
  packedTextParameterColumn,
} from './commitStatementPart.ts';
import type { HistoryRow, MachineInboxRow, MachineWrite } from '../../../engine/contract/rows.ts';

const DAY_MS = 86_400_000;

const entry = [
  packedTextParameterColumn<RowOfMachineWrite<HistoryRow>>('payload', ({ row }) => row.payload),
  ...machineKeyColumns<RowOfMachineWrite<HistoryRow>>(({ of }) => of),
  integerParameterColumn<RowOfMachineWrite<HistoryRow>>('revision', ({ row }) => row.revision),
  bigintParameterColumn<RowOfMachineWrite<HistoryRow>>('at', ({ row }) => row.at),
  packedTextParameterColumn<RowOfMachineWrite<HistoryRow>>('event', ({ row }) =>
    removePackSeparators(row.event),
  ),
  packedTextParameterColumn<RowOfMachineWrite<HistoryRow>>('state', ({ row }) => row.state),
  packedTextParameterColumn<RowOfMachineWrite<HistoryRow>>('asked', ({ row }) =>
    removePackSeparators(row.asked),
  ),
  packedTextParameterColumn<RowOfMachineWrite<HistoryRow>>('taken', ({ row }) => row.taken),
];

export const insertHistorySql = (batch: readonly MachineWrite[]): Part[] => {
  const rows = collectMachineChildRows(batch, (write) => write.history);
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
  ...machineKeyColumns<RowOfMachineWrite<MachineInboxRow>>(({ of }) => of),
  bigintParameterColumn<RowOfMachineWrite<MachineInboxRow>>('machine_id', ({ row }) => row.machine),
  bigintParameterColumn<RowOfMachineWrite<MachineInboxRow>>('row_id', ({ row }) => row.id),
  packedTextParameterColumn<RowOfMachineWrite<MachineInboxRow>>('event', ({ row }) => row.event),
  bigintParameterColumn<RowOfMachineWrite<MachineInboxRow>>('at', ({ row }) => row.at),
];

export const insertInboxSql = (batch: readonly MachineWrite[]): Part[] => {
  const rows = collectMachineChildRows(batch, (write) => write.tells);
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
  ...machineKeyColumns<RowOfMachineWrite<number>>(({ of }) => of),
  bigintParameterColumn<RowOfMachineWrite<number>>('row_id', ({ row }) => row),
];

export const deleteInboxSql = (batch: readonly MachineWrite[]): Part[] => {
  const rows = collectMachineChildRows(batch, (write) => write.heard);
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
