import type { AgendaEntry } from '../contract/agenda.ts';
import type { Chart } from './chart.ts';
import type { ContextTexts } from './contextJson.ts';
import type { Snapshot } from './stepper.ts';

/** A machine as it stands in the store, in live form. */
export interface MachineState {
  account: number;
  id: number;
  chart: Chart;
  revision: number;
  /** Of one that is pending: nothing. */
  snapshot: Snapshot;
  /** What it is to be born with, as JSON; null: it is born. */
  deferred: string | null;
  state: string;
  milestones: readonly string[];
  agenda: readonly AgendaEntry[];
  /** Highest `seq` heard, by source. */
  lastSeq: Readonly<Record<string, number>>;
  /** The record's living values as last written. */
  recordValues: readonly unknown[] | null;
  /** Texts of the context's groups as last written. */
  jsonCache: ContextTexts;
  attention: string | null;
  createdAt: number;
  endedAt: number | null;
}
