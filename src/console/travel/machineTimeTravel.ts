/**
 * A machine's whole way, so that any moment of it can be shown at once. Of every entry only its revision and the states that
 * it touched are kept; how the machine stood is kept every so many entries, and between them a few are played again.
 */
import type { HistoryEntryView } from '../../engine/contract/api.ts';
import type { CompiledChart } from '../../engine/step/compileChart.ts';
import { withAncestors } from '../statechart/statechartData.ts';
import type { MachineHistoryStep, HistoryEntryTransitions } from '../statechart/highlightMachineHistory.ts';
import { Walk } from '../statechart/walk.ts';
import {
  HistoryBeginningMissing,
  snapshotContext,
  replayHistoryEntry,
  initialReplayState,
  type MachineReplayState,
} from '../replayMachineHistory.ts';
import { contextChangesBetween, type ContextChanges } from './changes.ts';

/** Entries from one checkpoint to the next. */
export const historyEntriesPerCheckpoint = 64;

/** Why there is no context: the first entries were dropped, or the chart fails where it did not. */
export type MissingContextReason = 'beginningMissing' | 'failed';

/** What it takes to travel with a chart version. */
export interface ReplayableChartVersion {
  chart: CompiledChart;
  legOf(entry: MachineHistoryStep, before: string): HistoryEntryTransitions;
}

/** A machine between two entries of its history. */
interface Position {
  standing: MachineReplayState;
  trouble: MissingContextReason | null;
  walk: Walk;
}

/** A machine as it was after an entry. */
export interface PastMachineState {
  index: number;
  entry: HistoryEntryView;
  trouble: MissingContextReason | null;
  /** The replay stands where the machine stood. */
  agrees: boolean;
  /** Null where there is `trouble`. */
  context: Record<string, unknown> | null;
  changes: ContextChanges;
  timers: MachineReplayState['timers'];
  effects: MachineReplayState['effects'];
  walk: Walk;
}

export class MachineTimeTravel {
  readonly #on: ReplayableChartVersion;
  readonly #machine: number;
  readonly #revisions: number[] = [];
  readonly #touched: (readonly string[])[] = [];
  /** How it stood before entry 0, `historyEntriesPerCheckpoint`, twice `historyEntriesPerCheckpoint` … */
  readonly #checkpoints: Position[] = [];
  #position: Position = { standing: initialReplayState, trouble: null, walk: new Walk() };

  constructor(on: ReplayableChartVersion, machine: number) {
    this.#on = on;
    this.#machine = machine;
  }

  /** How many entries are known. */
  get count(): number {
    return this.#revisions.length;
  }

  /** Revision of an entry; -1 before the first. */
  revisionAt(index: number): number {
    return this.#revisions[index] ?? -1;
  }

  /** Index of the entry of a revision, or of the last one before it; the first one for none. */
  indexOf(revision: number): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#revisions[middle]! <= revision) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Indexes of the entries after which the machine was in a state, or that led through it. */
  touching(state: string): number[] {
    const indexes: number[] = [];
    this.#touched.forEach((states, index) => {
      if (states.some((one) => withAncestors(one).includes(state))) indexes.push(index);
    });
    return indexes;
  }

  /** Learns of the entries that follow those that are known. */
  add(entries: readonly HistoryEntryView[]): void {
    for (const entry of entries) {
      if (this.count % historyEntriesPerCheckpoint === 0) this.#checkpoints.push(copyOf(this.#position));
      const leg = this.#pass(this.#position, entry);
      this.#revisions.push(entry.revision);
      this.#touched.push(leg.states.includes(leg.state) ? leg.states : [...leg.states, leg.state]);
    }
  }

  /** Where the entries begin that `moment` needs: the checkpoint before it. */
  checkpointOf(index: number): number {
    return index - (index % historyEntriesPerCheckpoint);
  }

  /** The moment after the last of these entries, which are those from its checkpoint on. */
  moment(index: number, entries: readonly HistoryEntryView[]): PastMachineState {
    const position = copyOf(this.#checkpoints[Math.floor(index / historyEntriesPerCheckpoint)]!);
    let before = position.standing;
    for (const entry of entries) {
      before = position.standing;
      this.#pass(position, entry);
    }
    const { standing, trouble, walk } = position;
    const context = trouble === null && standing.snapshot ? snapshotContext(standing.snapshot) : null;
    return {
      ...{ index, entry: entries.at(-1)!, trouble, context, walk },
      agrees: standing.agrees,
      changes: context
        ? contextChangesBetween(before.snapshot && snapshotContext(before.snapshot), context)
        : { was: {}, is: {} },
      timers: standing.timers,
      effects: standing.effects,
    };
  }

  #pass(position: Position, entry: HistoryEntryView): HistoryEntryTransitions {
    const { chart, legOf } = this.#on;
    if (position.trouble === null) {
      try {
        position.standing = replayHistoryEntry(chart, this.#machine, position.standing, entry);
      } catch (error) {
        position.trouble = error instanceof HistoryBeginningMissing ? 'beginningMissing' : 'failed';
        position.standing = { ...initialReplayState, agrees: false };
      }
    }
    const leg = legOf(entry, position.walk.active);
    position.walk.follow(leg);
    return leg;
  }
}

const copyOf = ({ standing, trouble, walk }: Position): Position => ({
  standing,
  trouble,
  walk: new Walk(walk),
});
