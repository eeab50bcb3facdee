/** What was brought from journals, and is written again, in memory. */
import { RESERVED_IDS_MS } from '../../engine/contract/idGenerator.ts';
import type { JournalEntry, JournalOwner } from '../../engine/contract/journal.ts';
import {
  type JournalRedoLine,
  StoreUnavailable,
  type TakenOverMachine,
  type CommitFencingToken,
} from '../../engine/contract/store.ts';
import { findFreeNodeSlotInMemory } from './nodes.ts';
import { type MemoryTables, appendHistoryInMemory, writerKeyOfIncarnationAndLane } from './tables.ts';

const keyOf = ({ incarnation, lane, number }: JournalRedoLine): string =>
  `${writerKeyOfIncarnationAndLane(incarnation, lane)} ${number}`;

export const findNodesLivingOrEnded = (
  tables: MemoryTables,
  incarnations: readonly number[],
): Map<number, 'living' | 'ended'> => {
  const known = new Map<number, 'living' | 'ended'>();
  for (const incarnation of incarnations) {
    const node = tables.nodes.get(incarnation);
    if (node) known.set(incarnation, node.stoppedAt === null ? 'living' : 'ended');
    else if (tables.writers.has(writerKeyOfIncarnationAndLane(incarnation, 0)))
      known.set(incarnation, 'ended');
  }
  return known;
};

/** As it was; one that lives, and whose slot another has taken meanwhile, is given another one. */
export const restoreNodeRowFromJournalInMemory = (
  tables: MemoryTables,
  { incarnation, slot, name, process, tokens }: JournalOwner,
  at: number,
  stoppedAt: number | null,
): { slot: number; mintedMs: number } => {
  const isTaken = [...tables.nodes.values()].some(
    (node) => node.slot === slot && node.incarnation !== incarnation && node.stoppedAt === null,
  );
  const place = isTaken && stoppedAt === null ? findFreeNodeSlotInMemory(tables, 0) : { slot, mintedMs: at };
  const mintedMs = Math.max(place.mintedMs, at) + RESERVED_IDS_MS;
  if (!tables.nodes.has(incarnation))
    tables.nodes.set(incarnation, {
      ...{
        incarnation,
        slot: place.slot,
        name,
        process,
        beats: 0,
        beatAt: at,
        stoppedAt,
        serverSince: tables.serverSince,
      },
      ...{ mintedMs, aheadMs: 0, confirmed: null, stoppedInDoubt: stoppedAt !== null },
    });
  for (const [lane, token] of tokens.entries()) {
    const key = writerKeyOfIncarnationAndLane(incarnation, lane);
    if (!tables.writers.has(key)) tables.writers.set(key, { token, number: 0, sent: 0, position: 0 });
  }
  return place;
};

export const addJournalRedoLinesToMemory = (
  tables: MemoryTables,
  lines: readonly JournalRedoLine[],
): void => {
  for (const line of lines) {
    const writer = tables.writers.get(writerKeyOfIncarnationAndLane(line.incarnation, line.lane));
    if (writer && writer.number < line.number && !tables.redo.has(keyOf(line)))
      tables.redo.set(keyOf(line), { ...line });
  }
};

export const readRedoLines = ({ redo }: MemoryTables, limit: number): JournalRedoLine[] =>
  [...redo.values()]
    .toSorted(
      (one, other) =>
        one.era - other.era ||
        one.position - other.position ||
        one.incarnation - other.incarnation ||
        one.number - other.number,
    )
    .slice(0, limit)
    .map((line) => ({ ...line }));

/** `write`: what the entry says, in the turn of this ticket. False: it stood already. */
export const redo = (
  tables: MemoryTables,
  line: JournalRedoLine,
  write: (ticket: CommitFencingToken) => void,
): boolean => {
  const { incarnation, lane, number } = line;
  const writer = tables.writers.get(writerKeyOfIncarnationAndLane(incarnation, lane));
  if (writer && writer.number < number - 1)
    throw new StoreUnavailable(`commit ${number} of node ${incarnation} is not the next one of its writer`);
  const isNext = writer?.number === number - 1;
  if (isNext) write({ incarnation, lane, token: writer.token, number: writer.number, sent: 0 });
  tables.redo.delete(keyOf(line));
  return isNext;
};

export const redoMachineTakeover = (
  tables: MemoryTables,
  { at, heldBy, rows }: Extract<JournalEntry, { what: 'takeUp' }>,
): void => {
  for (const { id, revision, stepId, from } of rows) {
    const row = tables.machines.get(id);
    // Steps that no journal has are passed over.
    if (!row || row.revision >= revision) continue;
    Object.assign(row, { heldBy, stepId, revision });
    appendTakenOverHistoryEntry(tables, { ...row, from }, at);
  }
};

/** The entry of a machine's history that says that it was taken up. */
export const appendTakenOverHistoryEntry = (
  tables: MemoryTables,
  {
    id,
    revision,
    state,
    heldBy,
    from,
  }: Pick<TakenOverMachine, 'id' | 'revision' | 'state' | 'heldBy' | 'from'>,
  at: number,
): void =>
  appendHistoryInMemory(tables, id, {
    ...{ revision, at, event: 'takenOver', state, asked: '', taken: '' },
    payload: JSON.stringify({ from, by: heldBy }),
  });
