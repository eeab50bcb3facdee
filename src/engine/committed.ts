import type { AgendaEntry } from './agenda.ts';
import type { Chart } from './chart.ts';
import type { ContextParts } from './contextText.ts';
import type { Snapshot } from './stepper.ts';

/** A machine as it stands in the store, in live form. */
export interface Committed {
  account: number;
  id: number;
  chart: Chart;
  revision: number;
  /** Of one that is unborn: nothing. */
  snapshot: Snapshot;
  /** What it is to be born with, as JSON; null: it is born. */
  unborn: string | null;
  state: string;
  milestones: readonly string[];
  agenda: readonly AgendaEntry[];
  /** Highest `seq` heard, by source. */
  seen: Readonly<Record<string, number>>;
  /** The record's living values as last written. */
  life: readonly unknown[] | null;
  /** Texts of the context's groups as last written. */
  parts: ContextParts;
  attention: string | null;
  createdAt: number;
  endedAt: number | null;
}
