/** Copies of a database in memory, as a backup or a standby that is behind holds them. */
import type { MemoryTables } from '../../src/store/memory.ts';

type Tables = Omit<MemoryTables, 'lineage' | 'serverSince'>;

/** All that a store changes in place is copied; what it replaces is shared. */
export const copyOf = (tables: Tables): Tables => {
  const { machines, history, inbox, claims, nodes, writers, state, position, redo } = tables;
  const { balances, ledger, records, blocked } = tables;
  return {
    machines: rowsOf(machines),
    history: new Map([...history].map(([id, entries]) => [id, [...entries]])),
    inbox: new Map(inbox),
    claims: new Map(claims),
    nodes: rowsOf(nodes),
    writers: rowsOf(writers),
    state: { ...state },
    position,
    redo: rowsOf(redo),
    balances: new Map(balances),
    blocked: new Map(blocked),
    ledger: [...ledger],
    records: new Map([...records].map(([name, rows]) => [name, new Map(rows)])),
  };
};

const rowsOf = <Key, Row extends object>(rows: ReadonlyMap<Key, Row>): Map<Key, Row> =>
  new Map([...rows].map(([key, row]) => [key, { ...row }]));
