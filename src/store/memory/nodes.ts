/** The nodes of a shard in memory: who lives, and who has which slot. */
import type { Beat, NodeRow, DatabaseClockReading, ShardMachineStore } from '../../engine/contract/store.ts';
import { isShardOpenInMemory } from './shardOpeningAndWriterTurn.ts';
import { type MemoryTables, type Node, writerKeyOfIncarnationAndLane } from './tables.ts';

const SLOTS = 64;

type Newcomer = Parameters<ShardMachineStore['register']>[0];
type Place = Awaited<ReturnType<ShardMachineStore['register']>>;

/**
 * A slot whose users have all stopped, the one left longest ago; where there is none, one whose user has been silent since.
 * Throws when none is free.
 */
export const findFreeNodeSlotInMemory = (
  { nodes }: MemoryTables,
  silentSince: number,
): Pick<Place, 'slot' | 'mintedMs'> => {
  const users = (slot: number): Node[] => [...nodes.values()].filter((other) => other.slot === slot);
  const inUse = (other: Node): boolean => other.stoppedAt === null && other.beatAt >= silentSince;
  const isDoubtful = (slot: number): number =>
    Number(users(slot).some(({ stoppedAt }) => stoppedAt === null));
  const lastUse = (slot: number): number =>
    Math.max(0, ...users(slot).map((other) => Math.max(other.beatAt, other.stoppedAt ?? 0)));
  const [slot] = Array.from({ length: SLOTS }, (_, index) => index)
    .filter((index) => !users(index).some(inUse))
    .toSorted(
      (one, other) => isDoubtful(one) - isDoubtful(other) || lastUse(one) - lastUse(other) || one - other,
    );
  if (slot === undefined) throw new Error(`all ${SLOTS} node slots of this shard are in use`);
  return { slot, mintedMs: Math.max(0, ...users(slot).map((other) => other.mintedMs)) };
};

/** A new incarnation takes a free slot, and fences off who had it. Throws when none is free. */
export const registerNodeInMemory = (tables: MemoryTables, node: Newcomer): Place => {
  const { nodes } = tables;
  const { slot, mintedMs } = findFreeNodeSlotInMemory(tables, node.at - node.graceMs);
  for (const user of nodes.values()) if (user.slot === slot) stop(tables, user, node.at);
  const incarnation = Math.max(node.at * SLOTS + slot, Math.max(0, ...nodes.keys()) + 1);
  nodes.set(incarnation, {
    incarnation,
    slot,
    name: node.name,
    process: node.process,
    beats: 0,
    beatAt: node.at,
    stoppedAt: null,
    serverSince: tables.serverSince,
    mintedMs,
    aheadMs: node.aheadMs,
    confirmed: null,
    stoppedInDoubt: false,
  });
  const tokens = Array.from({ length: node.writers ?? 0 }, (_, lane) => `${tables.writers.size} ${lane}`);
  for (const [lane, token] of tokens.entries())
    tables.writers.set(writerKeyOfIncarnationAndLane(incarnation, lane), {
      token,
      number: 0,
      sent: 0,
      position: 0,
    });
  tables.state.opened ??= tables.lineage;
  return { incarnation, slot, mintedMs, tokens };
};

/** What those who have not stopped said last of the time. */
export const livingNodeHeartbeats = ({ nodes }: MemoryTables): DatabaseClockReading['living'] =>
  [...nodes.values()]
    .filter(({ stoppedAt }) => stoppedAt === null)
    .map(({ incarnation, beats, beatAt, aheadMs }) => ({ incarnation, beats, beatAt, aheadMs }));

/** The last to beat of the nodes that have not stopped; where all have, the node that joined last. */
export const mostRecentlyBeatingNode = ({ nodes }: MemoryTables): DatabaseClockReading['last'] => {
  const [last] = [...nodes.values()].toSorted(
    (one, other) =>
      Number(one.stoppedAt !== null) - Number(other.stoppedAt !== null) ||
      (one.stoppedAt === null ? other.beatAt - one.beatAt : 0) ||
      other.incarnation - one.incarnation,
  );
  if (!last) return null;
  const { process, beats, beatAt, aheadMs, stoppedAt } = last;
  return { process, beats, beatAt, aheadMs, left: stoppedAt !== null };
};

export const beat = (
  tables: MemoryTables,
  { incarnation, at, mintedMs, aheadMs }: Beat,
): { alive: boolean; nodes: NodeRow[] } => {
  const node = tables.nodes.get(incarnation);
  const alive = node?.stoppedAt === null;
  if (node && alive)
    Object.assign(node, {
      ...{ beats: node.beats + 1, beatAt: at, mintedMs, aheadMs },
      serverSince: tables.serverSince,
    });
  return { alive, nodes: [...tables.nodes.values()].map((other) => ({ ...other })) };
};

export const stopNodeInMemory = (tables: MemoryTables, incarnation: number, at: number): void => {
  const node = tables.nodes.get(incarnation);
  if (node) stop(tables, node, at);
};

const stop = (tables: MemoryTables, node: Node, at: number): void => {
  if (node.stoppedAt === null)
    Object.assign(node, { stoppedAt: at, stoppedInDoubt: !isShardOpenInMemory(tables) });
};

export const declareNodeDeadInMemory = (
  tables: MemoryTables,
  incarnation: number,
  at: number,
  last: Pick<NodeRow, 'beats' | 'beatAt'> | null,
): boolean => {
  const node = tables.nodes.get(incarnation);
  if (!node) return false;
  const isSilent = last === null || (node.beats === last.beats && node.beatAt === last.beatAt);
  if (isSilent) stop(tables, node, at);
  return node.stoppedAt !== null;
};

export const forgetStoppedNodes = (tables: MemoryTables, before: number): void => {
  const held = new Set(
    [...tables.machines.values()].filter((row) => row.endedAt === null).map((row) => row.heldBy),
  );
  for (const node of tables.nodes.values())
    if (node.stoppedAt !== null && node.stoppedAt < before && !held.has(node.incarnation))
      tables.nodes.delete(node.incarnation);
};
