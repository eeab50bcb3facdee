/** Whether a shard is open, in memory, and whose turn it is to write. */
import { type NodeRow, OutOfTurn, type ShardState, type Standing, type Ticket } from '../../engine/store.ts';
import { type MemoryTables, writerKey } from './tables.ts';

export const isOpen = ({ state, lineage }: MemoryTables): boolean =>
  state.state === 'open' && (state.opened ?? lineage) === lineage;

/** The writer's number moves on. Throws `OutOfTurn`. */
export const takeTurn = (tables: MemoryTables, { incarnation, lane, token, number }: Ticket): void => {
  const writer = tables.writers.get(writerKey(incarnation, lane));
  if (!isOpen(tables) || writer?.token !== token || writer.number !== number)
    throw new OutOfTurn('the writer is out of turn, or the shard is not open');
  writer.number += 1;
};

export const standing = (tables: MemoryTables, incarnation: number): Standing => ({
  ...tables.state,
  now: tables.lineage,
  writers: [...tables.writers].flatMap(([key, writer]) => {
    const [owner, lane] = key.split(' ').map(Number);
    return owner === incarnation ? [{ lane: lane!, ...writer }] : [];
  }),
});

/** Whether it was so before. */
export const move = ({ state }: MemoryTables, from: ShardState, to: ShardState, reason: string): boolean => {
  if (state.state !== from) return false;
  Object.assign(state, { state: to, reason, doubt: state.doubt + Number(to === 'checking') });
  return true;
};

export const vouch = (tables: MemoryTables, incarnation: number, doubt: number): void => {
  const node = tables.nodes.get(incarnation);
  if (node) node.vouched = doubt;
};

export const openVouched = (tables: MemoryTables, doubt: number): { opened: boolean; missing: NodeRow[] } => {
  const holders = new Set(
    [...tables.machines.values()].filter(({ endedAt }) => endedAt === null).map(({ heldBy }) => heldBy),
  );
  const missing = [...tables.nodes.values()].filter(
    ({ incarnation, vouched, stoppedAt }) =>
      vouched !== doubt && (stoppedAt === null || holders.has(incarnation)),
  );
  const { state } = tables;
  const opened = missing.length === 0 && state.state === 'checking' && state.doubt === doubt;
  if (opened) Object.assign(state, { state: 'open', reason: '', opened: tables.lineage });
  return { opened, missing };
};

export const openAfterLoss = ({ state, lineage }: MemoryTables): boolean => {
  if (state.state === 'open') return false;
  Object.assign(state, { state: 'open', reason: '', opened: lineage, losses: state.losses + 1 });
  return true;
};
