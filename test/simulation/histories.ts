/** Plays histories again: every one leads to where its machine stands. */
import { isDeepStrictEqual } from 'node:util';
import type { CampaignContext } from '../../machines/campaign/context.ts';
import type { Kind } from '../../src/engine/contract/kind.ts';
import { dottedStateName, type CompiledChart, type StepResult } from '../../src/engine/step/compileChart.ts';
import type { PersistedSnapshot, MachineSnapshot } from '../../src/engine/step/stepperTypes.ts';
import type { Book } from './book.ts';
import type { SimulatedCampaign } from './campaigns/program.ts';
import { Steps } from './campaigns/steps.ts';
import type { HistoryRow } from '../../src/engine/contract/rows.ts';

/** A step was set aside: as it should be where it carried poison. */
const REFUSED = 'failed: the database refuses its data';

/** How a machine stands at last, whether it rests or not. */
export interface Last {
  id: number;
  account: number;
  kind: Kind;
  version: number;
  state: string;
  ended: boolean;
  attention: string | null;
  frozen: PersistedSnapshot;
  agenda: string;
  entries: HistoryRow[];
}

export interface HistoryTrial {
  book: Book;
  campaigns: readonly SimulatedCampaign[];
  isPoisoned(machine: number): boolean;
}

/** Plays the history again through the chart: it leads where the machine stands, and no timer fired early. */
export const judgeHistory = (trial: HistoryTrial, last: Last, chart: CompiledChart): void => {
  const { book, campaigns } = trial;
  if (!trial.isPoisoned(last.id)) judgeSetAside(book, last);
  const campaign = campaigns.find(({ id }) => id === last.id);
  const steps = campaign && new Steps(book, campaign);
  const dues = new Map<string, number>();
  let revision = 0;
  let snapshot: MachineSnapshot | null = null;
  for (const entry of last.entries) {
    if (entry.revision <= revision)
      book.violated('history', last.id, `revision ${entry.revision} follows ${revision}`);
    revision = entry.revision;
    const payload = JSON.parse(entry.payload ?? '{}') as { type?: string };
    if (entry.asked.startsWith(REFUSED)) continue;
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
    if (snapshot && dottedStateName(snapshot.value) !== entry.state) {
      book.violated(
        'history',
        last.id,
        `${entry.event} leads to ${dottedStateName(snapshot.value)}, not to ${entry.state}`,
      );
      return;
    }
  }
  steps?.end();
  const { v, s, c, h } = last.frozen;
  const again = snapshot && (JSON.parse(JSON.stringify(chart.serialize(snapshot))) as PersistedSnapshot);
  if (!again || !isDeepStrictEqual([again.v, again.s, again.c, again.h], [v, s, c, h]))
    book.violated('history', last.id, 'replayed, it ends otherwise than it stands');
};

/** What is in order, and was set aside while nothing else was refused, is given back and heard. */
const judgeSetAside = (book: Book, { id, entries }: Last): void => {
  const lost = entries.filter(
    ({ asked, event, revision }) =>
      asked.startsWith(REFUSED) &&
      !isOwn(event) &&
      !entries.some(
        (later) => later.event === event && later.revision > revision && !later.asked.startsWith(REFUSED),
      ),
  );
  for (const { event, revision } of lost)
    book.violated('set aside in order', id, `${event} at revision ${revision}`);
};

/** What a machine owes itself comes again later, where it is still waited for: timers, and beginnings of effects. */
const isOwn = (event: string): boolean => OWN.has(event) || event.startsWith('xstate.after');
const OWN = new Set(['birth', 'begin', 'again', 'lost']);

/** The step that an entry tells of; undefined when it tells only of a change of hands. */
const stepOf = (
  chart: CompiledChart,
  id: number,
  snapshot: MachineSnapshot | null,
  { event, at }: HistoryRow,
  payload: { type?: string },
): StepResult | undefined => {
  if (event === 'started') return chart.begin({ ...payload, at, id });
  if (!payload.type || !snapshot) return undefined;
  return chart.step(snapshot, { ...payload, type: payload.type, at });
};
