/** Machines and their histories as operators read them; an archived machine is read from its history. */
import type { TimerOrPendingEffect } from '../contract/timersAndPendingEffects.ts';
import { parsePayloadAndEndedEffects } from '../step/effectsEnded.ts';
import type { PersistedSnapshot } from '../step/stepperTypes.ts';
import type { ShardMachineStore } from '../contract/store.ts';
import { deferredInputOf } from '../contract/deferredStart.ts';
import type { HistoryEntryView, MachineRef, MachineView } from '../contract/api.ts';
import type { HistoryRow, MachineRow } from '../contract/rows.ts';

/** The history event under which a machine's last row is kept once it rests. */
export const ARCHIVED_HISTORY_EVENT = 'archived';

/** What an `archived` entry carries. */
export interface ArchivedMachinePayload {
  kind: string;
  version: number;
  milestones: string[];
  attention: string | null;
  created_at: number;
  ended_at: number;
  snapshot: PersistedSnapshot;
}

export const readMachineView = async (
  store: ShardMachineStore,
  ref: MachineRef,
): Promise<MachineView | undefined> => {
  const [row] = await store.read([ref]);
  if (row) return fromRow(ref, row);
  const rested = (await store.history(ref, -1, 1, ARCHIVED_HISTORY_EVENT))[0];
  return rested && fromHistory(ref, rested);
};

export const readHistoryView = async (
  store: ShardMachineStore,
  ref: MachineRef,
  afterRevision: number,
  limit: number,
): Promise<HistoryEntryView[]> => {
  const rows = await store.history(ref, afterRevision, limit);
  return rows.map(historyEntryView);
};

/** An entry of a history as it is read. */
export const historyEntryView = ({ payload, asked, taken, ...row }: HistoryRow): HistoryEntryView => ({
  ...row,
  ...parsePayloadAndEndedEffects(payload),
  asked: asked === '' ? [] : asked.startsWith('failed:') ? [asked] : asked.split(' '),
  taken: taken === '' ? [] : taken.split(' ').map(Number),
});

const fromRow = (ref: MachineRef, row: MachineRow): MachineView => ({
  ...pick(ref),
  kind: row.kind,
  version: row.version,
  revision: row.revision,
  state: row.state,
  milestones: JSON.parse(row.milestones) as string[],
  ...standing(row),
  agenda: (JSON.parse(row.agenda) as TimerOrPendingEffect[])
    .toSorted((one, other) => one.due - other.due)
    .map(owed),
  wakeAt: row.wakeAt,
  heldBy: row.heldBy,
  attention: row.attention,
  createdAt: row.createdAt,
  endedAt: row.endedAt,
});

const standing = (row: MachineRow): Pick<MachineView, 'context' | 'pending'> => {
  const pending = deferredInputOf(row);
  return pending
    ? { context: JSON.parse(pending), pending: true }
    : { context: (JSON.parse(row.snapshot) as PersistedSnapshot).c, pending: false };
};

const fromHistory = (ref: MachineRef, row: HistoryRow): MachineView => {
  const rested = JSON.parse(row.payload!) as ArchivedMachinePayload;
  return {
    ...pick(ref),
    kind: rested.kind,
    version: rested.version,
    revision: row.revision,
    state: row.state,
    milestones: rested.milestones,
    context: rested.snapshot.c,
    pending: false,
    agenda: [],
    wakeAt: null,
    heldBy: 0,
    attention: rested.attention,
    createdAt: rested.created_at,
    endedAt: rested.ended_at,
  };
};

const pick = ({ shard, account, id }: MachineRef): MachineRef => ({ shard, account, id });

const owed = (entry: TimerOrPendingEffect): MachineView['agenda'][number] =>
  entry.t === 'timer'
    ? { what: 'timer', id: entry.id, name: entry.id, dueAt: entry.due }
    : {
        what: 'effect',
        id: entry.id,
        name: entry.name,
        dueAt: entry.due,
        tries: entry.tries,
        isWaiting: entry.wait === true,
        params: entry.params,
      };
