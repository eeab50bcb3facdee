/** What steps need of the engine around them. */
import type { CompiledChart } from './compileChart.ts';

/** What a transaction needs of the engine around it. */
export interface StepTransactionDeps {
  shard: string;
  heldBy: number;
  /** Milliseconds after which another node may doubt this one. */
  graceMs: number;
  mint: () => number;
  /** Milliseconds for which what this node missed is still heard, before timers judge (`cluster/timerGraceAfterStall.ts`). */
  catchUpMs: () => number;
  /** The current chart of a kind, for machines started by a step. */
  chartOf: (kind: string) => CompiledChart;
}
