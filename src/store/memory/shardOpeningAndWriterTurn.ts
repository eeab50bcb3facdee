/** Whether a shard is open, in memory, and whose turn it is to write. */
import {
  type NodeRow,
  WriterOutOfTurnError,
  type ShardOpenState,
  type ShardStatus,
  type CommitFencingToken,
} from '../../engine/contract/store.ts';
import { type MemoryTables, writerKeyOfIncarnationAndLane } from './tables.ts';

export const isShardOpenInMemory = ({ state, lineage }: MemoryTables): boolean =>
  state.state === 'open' && (state.opened ?? lineage) === lineage;

/** Whether the writer's number could move on, in an open shard, or in one that is being checked where it is done `again`. */
export const isWriterTurn = (tables: MemoryTables, ticket: CommitFencingToken, again = false): boolean => {
  const { incarnation, lane, token, number, serverSince = tables.serverSince } = ticket;
  const writer = tables.writers.get(writerKeyOfIncarnationAndLane(incarnation, lane));
  const mayWrite = again ? tables.state.state === 'checking' : isShardOpenInMemory(tables);
  return (
    mayWrite && serverSince === tables.serverSince && writer?.token === token && writer.number === number
  );
};

/** The writer's number moves on. Throws `WriterOutOfTurnError` where it cannot. */
export const advanceWriterNumberInMemory = (
  tables: MemoryTables,
  ticket: CommitFencingToken,
  again = false,
): void => {
  if (!isWriterTurn(tables, ticket, again))
    throw new WriterOutOfTurnError('the writer is out of turn, or the shard is not open');
  const { number, sent } = ticket;
  const writer = tables.writers.get(writerKeyOfIncarnationAndLane(ticket.incarnation, ticket.lane))!;
  ticket.position = ++tables.position;
  Object.assign(writer, { number: number + 1, sent, position: ticket.position });
};

export const readShardStateInMemory = (tables: MemoryTables, incarnation: number): ShardStatus => ({
  ...tables.state,
  now: tables.lineage,
  serverSince: tables.serverSince,
  writers: [...tables.writers].flatMap(([key, writer]) => {
    const [owner, lane] = key.split(' ').map(Number);
    return owner === incarnation ? [{ lane: lane!, ...writer }] : [];
  }),
});

/** Whether it was so before. */
export const move = (
  { state }: MemoryTables,
  [from, to]: readonly [ShardOpenState, ShardOpenState],
  reason: string,
  at: number,
): boolean => {
  if (state.state !== from) return false;
  Object.assign(state, {
    state: to,
    reason,
    since: after(state, at),
    doubt: state.doubt + Number(to === 'checking'),
  });
  return true;
};

/** Each state begins after the one before. */
const after = ({ since }: MemoryTables['state'], at: number): number => Math.max(at, since + 1);

export const restartConfirmationsInMemoryStore = (
  { state }: MemoryTables,
  { doubt, since }: Pick<ShardStatus, 'doubt' | 'since'>,
  at: number,
): void => {
  if (state.state === 'open' || state.doubt !== doubt || state.since !== since) return;
  Object.assign(state, { doubt: doubt + 1, since: after(state, at) });
};

export const recordConfirmationInMemory = (
  tables: MemoryTables,
  incarnation: number,
  doubt: number,
): void => {
  const node = tables.nodes.get(incarnation);
  if (node) node.confirmed = doubt;
};

export const openShardWhenAllConfirmed = (
  tables: MemoryTables,
  doubt: number,
  at: number,
): { opened: boolean; missing: NodeRow[]; pending: boolean } => {
  const holders = new Set(
    [...tables.machines.values()].filter(({ endedAt }) => endedAt === null).map(({ heldBy }) => heldBy),
  );
  const missing = [...tables.nodes.values()].filter(
    ({ incarnation, confirmed, stoppedAt, stoppedInDoubt }) =>
      confirmed !== doubt && (stoppedAt === null || stoppedInDoubt || holders.has(incarnation)),
  );
  const { state } = tables;
  const pending = tables.redo.size > 0;
  const opened = missing.length === 0 && !pending && state.state === 'checking' && state.doubt === doubt;
  if (opened) {
    Object.assign(state, { state: 'open', reason: '', opened: tables.lineage, since: after(state, at) });
    settleStops(tables);
  }
  return { opened, missing, pending };
};

/** What nodes wrote that stopped in doubt, or that this server never heard, is there again, or given up. */
const settleStops = ({ nodes, serverSince }: MemoryTables): void => {
  for (const node of nodes.values()) {
    node.stoppedInDoubt = false;
    if (node.serverSince !== serverSince) node.serverSince = null;
  }
};

export const recheckClosedShard = ({ state }: MemoryTables, at: number, isLastWord: boolean): void => {
  if (state.state !== 'closed' || (state.restored && !isLastWord)) return;
  Object.assign(state, { state: 'checking', since: after(state, at), restored: false });
};

export const openMemoryShardAcceptingLoss = (tables: MemoryTables, at: number): boolean => {
  const { state, lineage, redo } = tables;
  if (state.state === 'open') return false;
  redo.clear();
  settleStops(tables);
  const losses = state.losses + 1;
  const since = after(state, at);
  const fresh = { state: 'open', reason: '', restored: false } as const;
  Object.assign(state, { ...fresh, opened: lineage, losses, since, settledAt: since });
  return true;
};
