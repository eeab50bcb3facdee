/** The judgement at the end: nothing lost, nothing stuck, and every history tells how its machine came to stand so. */
import { isDeepStrictEqual } from 'node:util';
import type { AnyMachineSnapshot } from 'xstate';
import type { CallContext } from '../../machines/call/context.ts';
import type { CampaignContext } from '../../machines/campaign/context.ts';
import type { LineContext } from '../../machines/line/context.ts';
import type { Kind } from '../../machines/kind.ts';
import {
  compileChart,
  dotted,
  type Chart,
  type FrozenSnapshot,
  type Stepped,
} from '../../src/engine/chart.ts';
import type { HistoryRow, MachineRow } from '../../src/engine/store.ts';
import { RESTED, type RestedPayload } from '../../src/engine/view.ts';
import type { Book } from './book.ts';
import type { Callers } from './callers.ts';
import type { Database } from './database.ts';
import { judgeCampaigns, type CampaignTrial } from './campaigns/judge.ts';
import type { SimulatedCampaign } from './campaigns/program.ts';
import { Steps } from './campaigns/steps.ts';
import { judgeTurns } from './turns.ts';

/** Nodes know the database's time to within this. */
const SLACK_MS = 500;

/** States in which a cancel changes nothing. */
const DEAF = new Set(['texting', 'ended']);

/** A step that carried poison was set aside, as it should be. */
const REFUSED = 'failed: the database refuses its data';

export interface Trial {
  book: Book;
  database: Database;
  callers: Callers;
  kinds: readonly Kind[];
  campaigns: readonly SimulatedCampaign[];
  dialled: CampaignTrial['dialled'];
}

/** How a machine stands at last, whether it rests or not. */
interface Last {
  id: number;
  account: number;
  kind: Kind;
  version: number;
  state: string;
  ended: boolean;
  attention: string | null;
  frozen: FrozenSnapshot;
  agenda: string;
  entries: HistoryRow[];
}

export const judge = (trial: Trial): void => {
  const charts = new Map(
    trial.kinds.flatMap((kind) =>
      Object.keys(kind.versions).map((version) => [
        `${kind.name}:${version}`,
        compileChart(kind, Number(version)),
      ]),
    ),
  );
  const lost = [...trial.callers.started].filter(([, id]) => !trial.database.born.has(id));
  for (const [name, id] of lost) trial.book.violated('lost', id, `${name} was promised and never born`);
  for (const [id, { account, kind }] of trial.database.born) {
    const last = lastOf(trial, id, account, kind);
    if (!last) continue;
    judgeEnd(trial, last);
    judgeRecord(trial, last);
    const chart = charts.get(`${kind}:${last.version}`)!;
    judgeHistory(trial, last, chart);
  }
  judgeStarts(trial);
  judgePromises(trial);
  judgeInbox(trial);
  judgeTurns(trial.book, trial.database);
  judgeCampaigns(trial);
};

const lastOf = (trial: Trial, id: number, account: number, name: string): Last | undefined => {
  const { tables } = trial.database;
  const kind = trial.kinds.find((known) => known.name === name)!;
  const entries = tables.history.get(id) ?? [];
  const row = tables.machines.get(id);
  if (row) return fromRow(row, kind, entries);
  const rested = entries.at(-1);
  if (rested?.event !== RESTED) {
    trial.book.violated('lost', id, 'its row is gone and it does not rest');
    return undefined;
  }
  const { snapshot: frozen, version, attention } = JSON.parse(rested.payload!) as RestedPayload;
  const { state } = rested;
  return {
    id,
    account,
    kind,
    version,
    state,
    attention,
    frozen,
    ended: true,
    agenda: '[]',
    entries: entries.slice(0, -1),
  };
};

const fromRow = (row: MachineRow, kind: Kind, entries: HistoryRow[]): Last => ({
  id: row.id,
  account: row.account,
  kind,
  version: row.version,
  state: row.state,
  ended: row.endedAt !== null,
  attention: row.attention,
  frozen: JSON.parse(row.snapshot) as FrozenSnapshot,
  agenda: row.agenda,
  entries,
});

/** 0 stuck, and every call has one outcome with its reason; lines stand idle. */
const judgeEnd = ({ book }: Trial, last: Last): void => {
  if (last.kind.name === 'turns' || last.kind.name === 'campaign') return;
  if (last.kind.name === 'line') {
    const { waiting, offers, talks } = last.frozen.c as LineContext;
    if (waiting.length + offers.length + talks.length > 0)
      book.violated('stuck', last.id, `line ${last.state}: ${JSON.stringify({ waiting, offers, talks })}`);
    return;
  }
  if (!last.ended || last.agenda !== '[]') {
    book.violated('stuck', last.id, `${last.state} owes ${last.agenda}`);
    return;
  }
  const { status, reason } = (last.frozen.c as CallContext).dial;
  if (!status || !reason) book.violated('lost', last.id, `ended without an outcome: ${status} ${reason}`);
  book.count(`outcome ${status} ${reason}`);
  countExplanations(book, last);
};

/** How often the story has what it is for. */
const countExplanations = (book: Book, { frozen }: Last): void => {
  for (const { rule } of (frozen.c as CallContext).explanations)
    if (rule === 'busyNumber') book.count('busy numbers');
};

const judgeRecord = ({ book, database }: Trial, last: Last): void => {
  const shape = last.kind.record;
  if (!shape) return;
  const row = database.tables.records.get(shape.table)?.get(last.id);
  const identity = { shard: 'a', account: last.account, id: last.id };
  const expected = { ...shape.birth(last.frozen.c, identity), ...shape.life(last.frozen.c, last.state) };
  for (const column of [...Object.keys(shape.born), ...Object.keys(shape.living)])
    if (!isDeepStrictEqual(row?.[column], expected[column]))
      book.violated(
        'record',
        last.id,
        `${column} is ${String(row?.[column])}, not ${String(expected[column])}`,
      );
};

/** Plays the history again through the chart: it leads where the machine stands, and no timer fired early. */
const judgeHistory = ({ book, campaigns }: Trial, last: Last, chart: Chart): void => {
  const campaign = campaigns.find(({ id }) => id === last.id);
  const steps = campaign && new Steps(book, campaign);
  const dues = new Map<string, number>();
  let revision = 0;
  let snapshot: AnyMachineSnapshot | null = null;
  for (const entry of last.entries) {
    if (entry.revision <= revision)
      book.violated('history', last.id, `revision ${entry.revision} follows ${revision}`);
    revision = entry.revision;
    const payload = JSON.parse(entry.payload ?? '{}') as { type?: string };
    if (entry.asked === REFUSED) continue;
    if (entry.asked.startsWith('failed:')) {
      book.violated('chart broke', last.id, `${entry.event}: ${entry.asked}`);
      continue;
    }
    if (entry.at < (dues.get(entry.event) ?? 0))
      book.violated('early', last.id, `${entry.event} at revision ${entry.revision}`);
    const stepped = stepOf(chart, last.id, snapshot, entry, payload);
    for (const request of stepped?.requests ?? [])
      if (request.do === 'arm') dues.set(request.event, entry.at + request.delayMs);
    if (stepped) steps?.step(entry, snapshot?.context as CampaignContext | undefined, stepped);
    snapshot = stepped?.snapshot ?? snapshot;
    if (snapshot && dotted(snapshot.value) !== entry.state) {
      book.violated(
        'history',
        last.id,
        `${entry.event} leads to ${dotted(snapshot.value)}, not to ${entry.state}`,
      );
      return;
    }
  }
  steps?.end();
  const { v, s, c, h } = last.frozen;
  const again = snapshot && (JSON.parse(JSON.stringify(chart.freeze(snapshot))) as FrozenSnapshot);
  if (!again || !isDeepStrictEqual([again.v, again.s, again.c, again.h], [v, s, c, h]))
    book.violated('history', last.id, 'replayed, it ends otherwise than it stands');
};

/** The step that an entry tells of; undefined when it tells only of a change of hands. */
const stepOf = (
  chart: Chart,
  id: number,
  snapshot: AnyMachineSnapshot | null,
  { event, at }: HistoryRow,
  payload: { type?: string },
): Stepped | undefined => {
  if (event === 'born') return chart.begin({ ...payload, at, id });
  if (!payload.type || !snapshot) return undefined;
  return chart.step(snapshot, { ...payload, type: payload.type, at });
};

/** Every machine of a request is the one that was promised, and there is no second. */
const judgeStarts = ({ book, database, callers }: Trial): void => {
  const byName = new Map<string, number>();
  for (const [id, { kind }] of database.born) {
    if (kind !== 'call') continue;
    const born = database.tables.history.get(id)![0]!;
    const { correlation } = JSON.parse(born.payload!) as { correlation: string };
    if (!correlation.startsWith('call ')) continue;
    if (byName.has(correlation))
      book.violated('one start, two machines', id, `${correlation} is ${byName.get(correlation)} too`);
    byName.set(correlation, id);
  }
  for (const [name, id] of callers.started)
    if (name.startsWith('call') && byName.get(name) !== id)
      book.violated('lost', id, `${name} is ${byName.get(name)}`);
};

/** A cancel that was acknowledged stands in the history, unless the call was past caring meanwhile. */
const judgePromises = ({ book, callers, database }: Trial): void => {
  for (const { machine, mark, from, to } of callers.promised) {
    if (database.marks.has(`${machine} ${mark}`)) continue;
    const entries = database.tables.history.get(machine) ?? [];
    const before = entries.findLast(({ at }) => at < from);
    const meanwhile = entries.filter(({ at }) => at >= from - SLACK_MS && at <= to + SLACK_MS);
    if (![before, ...meanwhile].some((entry) => entry && DEAF.has(entry.state)))
      book.violated('lost', machine, `${mark} was acknowledged and not heard`);
  }
};

const judgeInbox = ({ book, database }: Trial): void => {
  for (const row of database.tables.inbox.values())
    book.violated('stuck', row.machine, `inbox row ${row.id} was never heard: ${row.event}`);
};
