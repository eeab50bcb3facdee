/** A draft whose mail is all taken: what is written of it, and how the machine stands once that is durable. */
import { earliest, type AgendaEntry } from './agenda.ts';
import type { Committed } from './committed.ts';
import { contextText } from './contextText.ts';
import type { Draft } from './draft.ts';
import type { RecordWrite, Write } from './store.ts';
import { unbornText } from './unborn.ts';

/** The write; asked for once. `parent`: the machine whose step bears this one. */
export const writeOf = (draft: Draft, parent: number | null = null): Write => {
  close(draft);
  const { base, chart, account, id, at, milestones, agenda } = draft;
  return {
    account,
    id,
    birth: base ? null : { kind: chart.kind.name, version: chart.version, createdAt: at },
    parent,
    guard: base?.revision ?? 0,
    row: {
      revision: draft.revision,
      state: draft.state,
      milestones: listText(milestones),
      snapshot: draft.unborn ? unbornText(draft.unborn) : snapshotText(draft),
      agenda: listText(agenda),
      wakeAt: earliest(agenda),
      heldBy: draft.scope.heldBy,
      stepId: draft.stepId,
      attention: draft.attention,
      endedAt: draft.endedAt,
    },
    history: draft.history,
    record: recordOf(draft),
    tells: draft.tells,
    heard: draft.heard,
    claims: draft.claims,
    releases: draft.releases,
    bookings: draft.bookings,
  };
};

/** The machine as it stands once the write is durable. */
export const committedOf = (draft: Draft): Committed => ({
  account: draft.account,
  id: draft.id,
  chart: draft.chart,
  revision: draft.revision,
  snapshot: draft.snapshot,
  unborn: draft.unborn,
  state: draft.state,
  milestones: draft.milestones,
  agenda: draft.agenda,
  seen: draft.seen,
  life: draft.life ?? draft.base?.life ?? null,
  parts: draft.parts,
  attention: draft.attention,
  createdAt: draft.base?.createdAt ?? draft.at,
  endedAt: draft.endedAt,
});

/** What follows from all of the mail together. */
const close = (draft: Draft): void => {
  if (!draft.unborn && draft.snapshot.status !== 'active') {
    if (draft.agenda.some(isTimer)) draft.agenda = draft.agenda.filter((entry) => !isTimer(entry));
    if (draft.agenda.length === 0) draft.endedAt ??= draft.at;
  }
  // What was begun and struck off again by a later piece of mail, or begun anew, is not to be performed.
  if (draft.begins.some((entry) => !draft.agenda.includes(entry)))
    draft.begins = draft.begins.filter((entry) => draft.agenda.includes(entry));
  // Confirmations and such take a revision too, so that the guard sees them.
  if (draft.revision === draft.base?.revision) draft.revision += 1;
};

const isTimer = (entry: AgendaEntry): boolean => entry.t === 'timer';

const listText = (list: readonly unknown[]): string => (list.length === 0 ? '[]' : JSON.stringify(list));

/** The lean snapshot as text: `v` value, `c` context, and where they say something `s` status, `h` history, `n` seen. */
const snapshotText = ({ chart, snapshot, parts, seen }: Draft): string => {
  const { v, c, s, h } = chart.freeze(snapshot);
  const context = contextText(c, parts);
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
const recordOf = (draft: Draft): RecordWrite | null => {
  const { base, chart, snapshot, account, id } = draft;
  const shape = chart.kind.record;
  if (!shape || draft.unborn) return null;
  const values = shape.life(snapshot.context, draft.state);
  const { born, living: columns } = chart.columns;
  const before = base?.life;
  if (before && columns.every((column, index) => values[column] === before[index])) return null;
  const kind = chart.kind.name;
  const living = columns.map((column) => values[column]);
  draft.life = living;
  if (base && !base.unborn) return { kind, born: null, living };
  const birth = shape.birth(snapshot.context, { shard: draft.scope.shard, account, id });
  return { kind, born: born.map((column) => birth[column]), living };
};
