/** A transaction whose mail is all taken: what is written of it, and how the machine stands once that is durable. */
import { earliestDueTime, type TimerOrPendingEffect } from '../contract/timersAndPendingEffects.ts';
import type { MachineState } from './machineState.ts';
import { contextJson } from './cachedContextJson.ts';
import type { UncommittedMachineStep } from './stepTransaction.ts';
import { deferredMachineStartSnapshot } from '../contract/deferredStart.ts';
import type { RecordTableWrite, MachineWrite } from '../contract/rows.ts';

/** The write; asked for once. `parent`: the machine whose step bears this one. */
export const toMachineWrite = (tx: UncommittedMachineStep, parent: number | null = null): MachineWrite => {
  close(tx);
  const { base, chart, account, id, at, milestones, agenda } = tx;
  return {
    account,
    id,
    insert: base ? null : { kind: chart.kind.name, version: chart.version, createdAt: at },
    parent,
    guard: base?.revision ?? 0,
    row: {
      revision: tx.revision,
      state: tx.state,
      milestones: listText(milestones),
      snapshot: tx.deferred ? deferredMachineStartSnapshot(tx.deferred) : snapshotText(tx),
      agenda: listText(agenda),
      wakeAt: earliestDueTime(agenda),
      heldBy: tx.scope.heldBy,
      stepId: tx.stepId,
      attention: tx.attention,
      endedAt: tx.endedAt,
    },
    history: tx.history,
    record: recordOf(tx),
    tells: tx.outbox,
    heard: tx.consumedInbox,
    claims: tx.claims,
    releases: tx.releases,
    bookings: tx.bookings,
  };
};

/** The machine as it stands once the write is durable. */
export const machineStateOnceCommitted = (tx: UncommittedMachineStep): MachineState => ({
  account: tx.account,
  id: tx.id,
  chart: tx.chart,
  revision: tx.revision,
  snapshot: tx.snapshot,
  deferred: tx.deferred,
  state: tx.state,
  milestones: tx.milestones,
  agenda: tx.agenda,
  lastSeq: tx.lastSeq,
  recordValues: tx.recordValues ?? tx.base?.recordValues ?? null,
  jsonCache: tx.jsonCache,
  attention: tx.attention,
  createdAt: tx.base?.createdAt ?? tx.at,
  endedAt: tx.endedAt,
});

/** What follows from all of the mail together. */
const close = (tx: UncommittedMachineStep): void => {
  if (!tx.deferred && tx.snapshot.status !== 'active') {
    if (tx.agenda.some(isTimer)) tx.agenda = tx.agenda.filter((entry) => !isTimer(entry));
    if (tx.agenda.length === 0) tx.endedAt ??= tx.at;
  }
  // What was begun and struck off again by a later piece of mail, or begun anew, is not to be performed.
  if (tx.effects.some((entry) => !tx.agenda.includes(entry)))
    tx.effects = tx.effects.filter((entry) => tx.agenda.includes(entry));
  // Confirmations and such take a revision too, so that the guard sees them.
  if (tx.revision === tx.base?.revision) tx.revision += 1;
};

const isTimer = (entry: TimerOrPendingEffect): boolean => entry.t === 'timer';

const listText = (list: readonly unknown[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));

/** The lean snapshot as text: `v` value, `c` context, and where they say something `s` status, `h` history, `n` seen. */
const snapshotText = ({
  chart,
  snapshot,
  jsonCache: parts,
  lastSeq: seen,
}: UncommittedMachineStep): string => {
  const { v, c, s, h } = chart.serialize(snapshot);
  const context = contextJson(c, parts);
  const status = s === undefined ? '' : `,"s":${JSON.stringify(s)}`;
  const history = h === undefined ? '' : `,"h":${JSON.stringify(h)}`;
  const sources = isEmpty(seen) ? '' : `,"n":${JSON.stringify(seen)}`;
  return `{"v":${JSON.stringify(v)},"c":${context}${status}${history}${sources}}`;
};

const isEmpty = (record: object): boolean => {
  for (const _key in record) return false;
  return true;
};

/** The record's values, when they changed. */
const recordOf = (tx: UncommittedMachineStep): RecordTableWrite | null => {
  const { base, chart, snapshot, account, id } = tx;
  const shape = chart.kind.record;
  if (!shape || tx.deferred) return null;
  const values = shape.onUpdate(snapshot.context, tx.state);
  const { born, living: columns } = chart.columns;
  const before = base?.recordValues;
  if (before && columns.every((column, index) => values[column] === before[index])) return null;
  const kind = chart.kind.name;
  const living = columns.map((column) => values[column]);
  tx.recordValues = living;
  if (base && !base.deferred) return { kind, inserted: null, updated: living };
  const birth = shape.onInsert(snapshot.context, { shard: tx.scope.shard, account, id });
  return { kind, inserted: born.map((column) => birth[column]), updated: living };
};
