import type { TimerOrPendingEffect } from '../contract/timersAndPendingEffects.ts';
import type { CompiledChart } from './compileChart.ts';
import type { ContextJsonCache } from './cachedContextJson.ts';
import type { MachineSnapshot } from './stepperTypes.ts';

/** A machine as it stands in the store, in live form. */
export interface MachineState {
  account: number;
  id: number;
  chart: CompiledChart;
  revision: number;
  /** Of one that is pending: nothing. */
  snapshot: MachineSnapshot;
  /** What it is to be born with, as JSON; null: it is born. */
  deferred: string | null;
  state: string;
  milestones: readonly string[];
  agenda: readonly TimerOrPendingEffect[];
  /** Highest `seq` heard, by source. */
  lastSeq: Readonly<Record<string, number>>;
  /** The record's living values as last written. */
  recordValues: readonly unknown[] | null;
  /** Texts of the context's groups as last written. */
  jsonCache: ContextJsonCache;
  attention: string | null;
  createdAt: number;
  endedAt: number | null;
}
