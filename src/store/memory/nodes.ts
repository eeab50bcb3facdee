/** The nodes of a shard in memory: who lives, and who has which slot. */
import type { NodeRow, ShardStore } from '../../engine/store.ts';
import type { MemoryTables, Node } from './tables.ts';

const SLOTS = 64;

type Newcomer = Parameters<ShardStore['register']>[0];
type Place = Awaited<ReturnType<ShardStore['register']>>;

/** A new incarnation takes the slot that was left longest ago. Throws when none is free. */
export const register = (tables: MemoryTables, node: Newcomer): Place => {
  const { nodes } = tables;
  const users = (slot: number): Node[] => [...nodes.values()].filter((other) => other.slot === slot);
  const inUse = (other: Node): boolean => other.stoppedAt === null && other.beatAt >= node.at - node.graceMs;
  const lastUse = (slot: number): number =>
    Math.max(0, ...users(slot).map((other) => Math.max(other.beatAt, other.stoppedAt ?? 0)));
  const [slot] = Array.from({ length: SLOTS }, (_, index) => index)
    .filter((index) => !users(index).some(inUse))
    .toSorted((one, other) => lastUse(one) - lastUse(other) || one - other);
  if (slot === undefined) throw new Error(`all ${SLOTS} node slots of this shard are in use`);
  const mintedMs = Math.max(0, ...users(slot).map((other) => other.mintedMs));
  const incarnation = Math.max(node.at * SLOTS + slot, Math.max(0, ...nodes.keys()) + 1);
  nodes.set(incarnation, {
    incarnation,
    slot,
    name: node.name,
    process: node.process,
    beatAt: node.at,
    stoppedAt: null,
    mintedMs,
  });
  return { incarnation, slot, mintedMs };
};

export const beat = (
  tables: MemoryTables,
  incarnation: number,
  at: number,
  mintedMs: number,
): { alive: boolean; nodes: NodeRow[] } => {
  const node = tables.nodes.get(incarnation);
  const alive = node?.stoppedAt === null;
  if (node && alive) Object.assign(node, { beatAt: at, mintedMs });
  return { alive, nodes: [...tables.nodes.values()].map((other) => ({ ...other })) };
};

export const leaveNode = (tables: MemoryTables, incarnation: number, at: number): void => {
  const node = tables.nodes.get(incarnation);
  if (node) node.stoppedAt ??= at;
};

export const declareDead = (
  tables: MemoryTables,
  incarnation: number,
  at: number,
  beatBefore: number | null,
): boolean => {
  const node = tables.nodes.get(incarnation);
  if (!node) return false;
  if (node.stoppedAt === null && (beatBefore === null || node.beatAt < beatBefore)) node.stoppedAt = at;
  return node.stoppedAt !== null;
};

export const forgetNodes = (tables: MemoryTables, before: number): void => {
  const held = new Set(
    [...tables.machines.values()].filter((row) => row.endedAt === null).map((row) => row.heldBy),
  );
  for (const node of tables.nodes.values())
    if (node.stoppedAt !== null && node.stoppedAt < before && !held.has(node.incarnation))
      tables.nodes.delete(node.incarnation);
};
