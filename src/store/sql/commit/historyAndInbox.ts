/** What steps leave beside their machine: history, events told to others, and own inbox rows that were heard. */
import { packable } from '../arrays.ts';
import { bigint, type ChildRow, childRowsOf, integer, keysOf, OK, type Part, part, words } from './part.ts';
import type { HistoryRow, InboxRow, Write } from '../../../engine/contract/rows.ts';

const DAY_MS = 86_400_000;

const entry = [
  words<ChildRow<HistoryRow>>('payload', ({ row }) => row.payload),
  ...keysOf<ChildRow<HistoryRow>>(({ of }) => of),
  integer<ChildRow<HistoryRow>>('revision', ({ row }) => row.revision),
  bigint<ChildRow<HistoryRow>>('at', ({ row }) => row.at),
  words<ChildRow<HistoryRow>>('event', ({ row }) => packable(row.event)),
  words<ChildRow<HistoryRow>>('state', ({ row }) => row.state),
  words<ChildRow<HistoryRow>>('asked', ({ row }) => packable(row.asked)),
  words<ChildRow<HistoryRow>>('taken', ({ row }) => row.taken),
];

export const history = (batch: readonly Write[]): Part[] => {
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
  ...keysOf<ChildRow<InboxRow>>(({ of }) => of),
  bigint<ChildRow<InboxRow>>('machine_id', ({ row }) => row.machine),
  bigint<ChildRow<InboxRow>>('row_id', ({ row }) => row.id),
  words<ChildRow<InboxRow>>('event', ({ row }) => row.event),
  bigint<ChildRow<InboxRow>>('at', ({ row }) => row.at),
];

export const tells = (batch: readonly Write[]): Part[] => {
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
  ...keysOf<ChildRow<number>>(({ of }) => of),
  bigint<ChildRow<number>>('row_id', ({ row }) => row),
];

export const heard = (batch: readonly Write[]): Part[] => {
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
