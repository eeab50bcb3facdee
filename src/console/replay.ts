/**
 * Time travel: a machine's history keeps events and states, but no context. The chart version that the machine began with
 * is pure, so playing the stored events to it again gives the context after each of them, and what was owed then.
 */
import type { HistoryView } from '../engine/contract/api.ts';
import type { ChartEvent } from '../engine/contract/effect.ts';
import { dotted, type Chart, type Request, type Snapshot, type Stepped } from '../engine/step/chart.ts';

/** A timer that was armed and had not fired. */
export interface OwedTimer {
  /** XState's id of it. */
  id: string;
  event: string;
  /** As it was set; one that was put off since fired later. */
  due: number;
}

/** How a machine stands while its history is played. Never written to: an earlier one can be gone on from. */
export interface Standing {
  /** Undefined: its first step failed, and it has no context yet. */
  snapshot: Snapshot | undefined;
  timers: readonly OwedTimer[];
  /** Effects that the last entry asked for. When they ended is not kept. */
  effects: readonly string[];
  /**
   * Whether the replay stands where the machine stood. When not, what is stored is not what the chart heard, and no
   * later context can be trusted.
   */
  agrees: boolean;
}

/** A machine after one entry of its history. */
export interface ReplayedMoment extends Omit<Standing, 'snapshot'> {
  revision: number;
  at: number;
  event: string;
  /** As the chart says; the same as the entry's, unless `agrees` is false. */
  state: string;
  context: Record<string, unknown>;
}

/** Thrown for a history whose beginning was dropped (`HISTORY_DAYS`). */
export class BeginningMissing extends Error {
  override name = 'BeginningMissing';
}

/** Event of a machine's first step; its payload is the input. */
const FIRST = 'started';

/** Before the first entry. */
export const beforeStart: Standing = { snapshot: undefined, timers: [], effects: [], agrees: true };

/**
 * Plays a history, all its entries in order, to the chart version of its machine. Yields one moment an entry, when it is
 * asked for. Throws `BeginningMissing`, and what the chart throws.
 */
export function* replay(
  chart: Chart,
  machine: number,
  history: Iterable<HistoryView>,
): Generator<ReplayedMoment, void, undefined> {
  let standing = beforeStart;
  for (const entry of history) {
    standing = played(chart, machine, standing, entry);
    const { snapshot, ...rest } = standing;
    if (!snapshot) continue;
    const { revision, at, event } = entry;
    yield { revision, at, event, ...rest, state: dotted(snapshot.value), context: contextOf(snapshot) };
  }
}

/** The machine after one more entry. Throws `BeginningMissing`, and what the chart throws. */
export const played = (chart: Chart, machine: number, before: Standing, entry: HistoryView): Standing => {
  const stepped = isStep(entry) ? step(chart, machine, before.snapshot, entry) : undefined;
  const snapshot = stepped?.snapshot ?? before.snapshot;
  if (!snapshot) {
    // A machine whose first step failed has no context yet.
    if (entry.event === FIRST) return before;
    throw new BeginningMissing(`the history begins with ${entry.event}: what was before it is gone`);
  }
  return {
    snapshot,
    timers: snapshot.status === 'active' ? timersAfter(before.timers, entry, stepped?.requests) : [],
    effects: (stepped?.requests ?? []).flatMap((one) => (one.do === 'effect' ? [one.name] : [])),
    agrees: before.agrees && dotted(snapshot.value) === entry.state,
  };
};

export const contextOf = (snapshot: Snapshot): Record<string, unknown> =>
  snapshot.context as Record<string, unknown>;

/** Whether the chart heard of it: not of a takeover or an archiving, and not of what failed and was undone. */
const isStep = ({ event, payload, asked }: HistoryView): boolean => {
  if (asked[0]?.startsWith('failed:')) return false;
  return event === FIRST || (payload as { type?: unknown } | null)?.type === event;
};

const step = (
  chart: Chart,
  machine: number,
  before: Snapshot | undefined,
  { at, event, payload }: HistoryView,
): Stepped | undefined => {
  if (event === FIRST && !before) return chart.begin({ ...(payload as object), at, id: machine });
  return before && chart.step(before, { ...(payload as ChartEvent), at });
};

/** One that fired is armed no more; a request to arm replaces one of the same name. */
const timersAfter = (
  before: readonly OwedTimer[],
  { at, event }: HistoryView,
  requests: readonly Request[] = [],
): readonly OwedTimer[] => {
  let timers = before.filter((timer) => timer.event !== event || timer.due > at);
  for (const request of requests) {
    if (request.do !== 'arm' && request.do !== 'disarm') continue;
    timers = timers.filter(({ id }) => id !== request.timer);
    if (request.do === 'arm')
      timers.push({ id: request.timer, event: request.event, due: at + request.delayMs });
  }
  return timers.length === before.length && timers.every((one, index) => one === before[index])
    ? before
    : timers;
};
