/**
 * Time travel: a machine's history keeps events and states, but no context. The chart version that the machine began with
 * is pure, so playing the stored events to it again gives the context after each of them.
 */
import type { HistoryView } from '../engine/contract/api.ts';
import type { ChartEvent } from '../engine/contract/effect.ts';
import { dotted, type Chart, type Snapshot } from '../engine/step/chart.ts';

/** A machine after one entry of its history. */
export interface ReplayedMoment {
  revision: number;
  at: number;
  event: string;
  /** As the chart says; the same as the entry's, unless `agrees` is false. */
  state: string;
  context: Record<string, unknown>;
  /**
   * Whether the replay stands where the machine stood. When not, what is stored is not what the chart heard, and no
   * later context can be trusted.
   */
  agrees: boolean;
}

/** Thrown for a history whose beginning was dropped (`HISTORY_DAYS`). */
export class BeginningMissing extends Error {
  override name = 'BeginningMissing';
}

/** Event of a machine's first step; its payload is the input. */
const FIRST = 'started';

/**
 * Plays a history, all its entries in order, to the chart version of its machine. Yields one moment an entry, when it is
 * asked for. Throws `BeginningMissing`, and what the chart throws.
 */
export function* replay(
  chart: Chart,
  machine: number,
  history: Iterable<HistoryView>,
): Generator<ReplayedMoment, void, undefined> {
  let snapshot: Snapshot | undefined;
  let agrees = true;
  for (const entry of history) {
    if (isStep(entry)) snapshot = stepped(chart, machine, snapshot, entry);
    if (!snapshot) {
      // A machine whose first step failed has no context yet.
      if (entry.event === FIRST) continue;
      throw new BeginningMissing(`the history begins with ${entry.event}: what was before it is gone`);
    }
    const state = dotted(snapshot.value);
    agrees &&= state === entry.state;
    const { revision, at, event } = entry;
    yield { revision, at, event, state, context: snapshot.context as Record<string, unknown>, agrees };
  }
}

/** Whether the chart heard of it: not of a takeover or an archiving, and not of what failed and was undone. */
const isStep = ({ event, payload, asked }: HistoryView): boolean => {
  if ((asked as string[])[0]?.startsWith('failed:')) return false;
  return event === FIRST || (payload as { type?: unknown } | null)?.type === event;
};

const stepped = (
  chart: Chart,
  machine: number,
  before: Snapshot | undefined,
  { at, event, payload }: HistoryView,
): Snapshot | undefined => {
  if (event === FIRST && !before) return chart.begin({ ...(payload as object), at, id: machine }).snapshot;
  return before && chart.step(before, { ...(payload as ChartEvent), at }).snapshot;
};
