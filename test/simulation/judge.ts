/** The judgement at the end: nothing lost, nothing stuck, and every history tells how its machine came to stand so. */
import { isDeepStrictEqual } from 'node:util';
import type { CallContext } from '../../machines/call/context.ts';
import type { QueueLineContext } from '../../machines/callQueue/context.ts';
import type { MessageContext } from '../../machines/message/contextAndAssigns.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { TimerOrPendingEffect } from '../../src/engine/contract/timersAndPendingEffects.ts';
import { compileChart } from '../../src/engine/step/compileChart.ts';
import type { PersistedSnapshot } from '../../src/engine/step/stepperTypes.ts';
import {
  ARCHIVED_HISTORY_EVENT,
  type ArchivedMachinePayload,
} from '../../src/engine/runtime/readMachineView.ts';
import type { Book } from './book.ts';
import type { Callers } from './callers.ts';
import { judgeCallbacks } from './callbacks/judge.ts';
import type { Dialled } from './carrier.ts';
import type { Receiver } from './callbacks/receiver.ts';
import { judgeCampaigns } from './campaigns/judge.ts';
import type { SimulatedCampaign } from './campaigns/program.ts';
import { judgeHistory, type Last } from './histories.ts';
import { judgeBooks, judgeMessage, type MessageTrial } from './messages/judge.ts';
import { EPOCH } from './plan.ts';
import { judgeRules } from './rules.ts';
import { judgeTurns } from './turns.ts';
import type { World } from './world.ts';
import type { HistoryRow, MachineRow } from '../../src/engine/contract/rows.ts';

/** The time of the shard differs from the truth by less than this. */
const SLACK_MS = 300_000;

/** States in which a cancel changes nothing. */
const DEAF = new Set(['texting', 'ended']);

/** The names of requests for calls and messages. */
const ASKED_FOR = /^(call|message) \d+$/;

export interface Trial extends MessageTrial {
  callers: Callers;
  kinds: readonly Kind[];
  campaigns: readonly SimulatedCampaign[];
  receiver: Receiver;
  dialled: readonly Dialled[];
  /** Whether the carrier had no room for this call at some time. */
  wasFull(call: number): boolean;
  /** Whether a step of this machine carried what no database takes. */
  isPoisoned(machine: number): boolean;
  world: World;
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
    judgeTold(trial, last);
    judgeRecord(trial, last);
    const chart = charts.get(`${kind}:${last.version}`)!;
    judgeHistory(trial, last, chart);
  }
  judgeStarts(trial);
  judgePromises(trial);
  judgeInbox(trial);
  judgeTurns(trial.book, trial.database);
  judgeCampaigns(trial);
  judgeRules(trial);
  judgeBooks(trial);
};

const lastOf = (trial: Trial, id: number, account: number, name: string): Last | undefined => {
  const { tables } = trial.database;
  const kind = trial.kinds.find((known) => known.name === name)!;
  const entries = tables.history.get(id) ?? [];
  const row = tables.machines.get(id);
  if (row) return fromRow(row, kind, entries);
  const rested = entries.at(-1);
  if (rested?.event !== ARCHIVED_HISTORY_EVENT) {
    trial.book.violated('lost', id, 'its row is gone and it does not rest');
    return undefined;
  }
  const { snapshot: frozen, version, attention } = JSON.parse(rested.payload!) as ArchivedMachinePayload;
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
  frozen: JSON.parse(row.snapshot) as PersistedSnapshot,
  agenda: row.agenda,
  entries,
});

/** 0 stuck, and every call has one outcome with its reason; lines stand idle. */
const judgeEnd = (trial: Trial, last: Last): void => {
  const { book } = trial;
  if (last.kind.name === 'turns' || last.kind.name === 'campaign') return;
  if (last.kind.name === 'delivery') {
    if (last.state === (last.ended ? 'delivered' : 'idle')) book.count(`delivery ${last.state}`);
    else book.violated('stuck', last.id, `delivery ${last.state} owes ${last.agenda}`);
    return;
  }
  if (last.kind.name === 'message') {
    judgeMessage(trial, { ...last, context: last.frozen.c as MessageContext });
    return;
  }
  if (last.kind.name === 'line') {
    const { waiting, offers, talks } = last.frozen.c as QueueLineContext;
    if (waiting.length + offers.length + talks.length > 0)
      book.violated('stuck', last.id, `line ${last.state}: ${JSON.stringify({ waiting, offers, talks })}`);
    return;
  }
  if (waitsForTomorrow(trial, last)) {
    book.count('outcome waiting for tomorrow');
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

const judgeTold = ({ book, receiver }: Trial, { id, ended, kind, frozen }: Last): void => {
  if (kind.name !== 'call' && kind.name !== 'message') return;
  const context = frozen.c as CallContext & MessageContext;
  const { callback: wish } = kind.name === 'call' ? context.call : context.message;
  judgeCallbacks(book, receiver, { id, ended, wish, events: context.told?.events ?? 0 });
};

/** A call that missed the hours of its day waits for the next, with its alarm set; nobody plays that day. */
const waitsForTomorrow = ({ world }: Trial, { state, agenda }: Last): boolean => {
  const owed = JSON.parse(agenda) as TimerOrPendingEffect[];
  const isAhead = owed.length === 1 && owed[0]!.t === 'timer' && owed[0]!.due > EPOCH + world.now - SLACK_MS;
  return state === 'scheduled' && isAhead;
};

/** How often the story has what it is for. */
const countExplanations = (book: Book, { frozen }: Last): void => {
  for (const { rule } of (frozen.c as CallContext).explanations)
    if (rule === 'busyNumber') book.count('busy numbers');
};

const judgeRecord = ({ book, database }: Trial, last: Last): void => {
  const shape = last.kind.record;
  // What was never born has no record, and is stuck.
  if (!shape || last.frozen.c === undefined) return;
  const row = database.tables.records.get(shape.table)?.get(last.id);
  const identity = { shard: 'a', account: last.account, id: last.id };
  const expected = {
    ...shape.onInsert(last.frozen.c, identity),
    ...shape.onUpdate(last.frozen.c, last.state),
  };
  for (const column of [...Object.keys(shape.insertColumns), ...Object.keys(shape.updateColumns)])
    if (!isDeepStrictEqual(row?.[column], expected[column]))
      book.violated(
        'record',
        last.id,
        `${column} is ${String(row?.[column])}, not ${String(expected[column])}`,
      );
};

/** Every machine of a request is the one that was promised, and there is no second. */
const judgeStarts = ({ book, database, callers }: Trial): void => {
  const byName = new Map<string, number>();
  for (const [id, { kind }] of database.born) {
    if (kind !== 'call' && kind !== 'message') continue;
    const born = database.tables.history.get(id)![0]!;
    const { correlation } = JSON.parse(born.payload!) as { correlation: string };
    if (!ASKED_FOR.test(correlation)) continue;
    if (byName.has(correlation))
      book.violated(
        'one start, two machines',
        id,
        `${correlation} is ${byName.get(correlation)} too`,
        byName.get(correlation),
      );
    byName.set(correlation, id);
  }
  for (const [name, id] of callers.started)
    if (ASKED_FOR.test(name) && byName.get(name) !== id)
      book.violated('lost', id, `${name} is ${byName.get(name)}`, byName.get(name));
};

/** A cancel that was acknowledged stands in the history, unless the call was past caring meanwhile. */
const judgePromises = ({ book, callers, database }: Trial): void => {
  for (const { machine, mark, from, to } of callers.promised) {
    if (database.inbox.hasHeard(machine, mark)) continue;
    const entries = database.tables.history.get(machine) ?? [];
    const at = ({ revision }: HistoryRow): number => database.steps.writtenAt(machine, revision);
    const before = entries.findLast((entry) => at(entry) < from);
    const meanwhile = entries.filter((entry) => at(entry) >= from && at(entry) <= to);
    if (![before, ...meanwhile].some((entry) => entry && DEAF.has(entry.state)))
      book.violated('lost', machine, `${mark} was acknowledged and not heard`);
  }
};

const judgeInbox = ({ book, database }: Trial): void => {
  for (const row of database.tables.inbox.values())
    book.violated('stuck', row.machine, `inbox row ${row.id} was never heard: ${row.event}`);
};
