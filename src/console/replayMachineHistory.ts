/**
 * Time travel: a machine's history keeps events and states, but no context. The chart version that the machine began with
 * is pure, so playing the stored events to it again gives the context after each of them, and what was owed then.
 */
import type { HistoryEntryView } from '../engine/contract/api.ts';
import type { MachineEvent } from '../engine/contract/effect.ts';
import {
  dottedStateName,
  type CompiledChart,
  type ChartToEngineRequest,
  type MachineSnapshot,
  type StepResult,
} from '../engine/step/compileChart.ts';

/** A timer that was armed and had not fired. */
export interface PendingTimer {
  /** XState's id of it. */
  id: string;
  event: string;
  /** As it was set; one that was put off since fired later. */
  due: number;
}

/** How a machine stands while its history is played. Never written to: an earlier one can be gone on from. */
export interface MachineReplayState {
  /** Undefined: its first step failed, and it has no context yet. */
  snapshot: MachineSnapshot | undefined;
  timers: readonly PendingTimer[];
  /** Effects that the last entry asked for. When they ended is not kept. */
  effects: readonly string[];
  /**
   * Whether the replay stands where the machine stood. When not, what is stored is not what the chart heard, and no
   * later context can be trusted.
   */
  agrees: boolean;
}

/** A machine after one entry of its history. */
export interface ReplayedMoment extends Omit<MachineReplayState, 'snapshot'> {
  revision: number;
  at: number;
  event: string;
  /** As the chart says; the same as the entry's, unless `agrees` is false. */
  state: string;
  context: Record<string, unknown>;
}

/** Thrown for a history whose beginning was dropped (`HISTORY_DAYS`). */
export class HistoryBeginningMissing extends Error {
  override name = 'HistoryBeginningMissing';
}

/** Event of a machine's first step; its payload is the input. */
const FIRST = 'started';

/** Before the first entry. */
export const initialReplayState: MachineReplayState = {
  snapshot: undefined,
  timers: [],
  effects: [],
  agrees: true,
};

/**
 * Plays a history, all its entries in order, to the chart version of its machine. Yields one moment an entry, when it is
 * asked for. Throws `HistoryBeginningMissing`, and what the chart throws.
 */
export function* replay(
  chart: CompiledChart,
  machine: number,
  history: Iterable<HistoryEntryView>,
): Generator<ReplayedMoment, void, undefined> {
  let standing = initialReplayState;
  for (const entry of history) {
    standing = replayHistoryEntry(chart, machine, standing, entry);
    const { snapshot, ...rest } = standing;
    if (!snapshot) continue;
    const { revision, at, event } = entry;
    yield {
      revision,
      at,
      event,
      ...rest,
      state: dottedStateName(snapshot.value),
      context: snapshotContext(snapshot),
    };
  }
}

/** The machine after one more entry. Throws `HistoryBeginningMissing`, and what the chart throws. */
export const replayHistoryEntry = (
  chart: CompiledChart,
  machine: number,
  before: MachineReplayState,
  entry: HistoryEntryView,
): MachineReplayState => {
  const stepped = isStep(entry) ? step(chart, machine, before.snapshot, entry) : undefined;
  const snapshot = stepped?.snapshot ?? before.snapshot;
  if (!snapshot) {
    // A machine whose first step failed has no context yet.
    if (entry.event === FIRST) return before;
    throw new HistoryBeginningMissing(`the history begins with ${entry.event}: what was before it is gone`);
  }
  return {
    snapshot,
    timers: snapshot.status === 'active' ? timersAfter(before.timers, entry, stepped?.requests) : [],
    effects: (stepped?.requests ?? []).flatMap((one) => (one.do === 'effect' ? [one.name] : [])),
    agrees: before.agrees && dottedStateName(snapshot.value) === entry.state,
  };
};

export const snapshotContext = (snapshot: MachineSnapshot): Record<string, unknown> =>
  snapshot.context as Record<string, unknown>;

/** Whether the chart heard of it: not of a takeover or an archiving, and not of what failed and was undone. */
const isStep = ({ event, payload, asked }: HistoryEntryView): boolean => {
  if (asked[0]?.startsWith('failed:')) return false;
  return event === FIRST || (payload as { type?: unknown } | null)?.type === event;
};

const step = (
  chart: CompiledChart,
  machine: number,
  before: MachineSnapshot | undefined,
  { at, event, payload }: HistoryEntryView,
): StepResult | undefined => {
  if (event === FIRST && !before) return chart.begin({ ...(payload as object), at, id: machine });
  return before && chart.step(before, { ...(payload as MachineEvent), at });
};

/** One that fired is armed no more; a request to arm replaces one of the same name. */
const timersAfter = (
  before: readonly PendingTimer[],
  { at, event }: HistoryEntryView,
  requests: readonly ChartToEngineRequest[] = [],
): readonly PendingTimer[] => {
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
