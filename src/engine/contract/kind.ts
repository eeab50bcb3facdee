import type { AnyStateMachine } from 'xstate';
import type { EffectDeliveryPolicy } from './effect.ts';

/** The type a record column has in SQL. Times are epoch milliseconds (`bigint`). */
export type ColumnType = 'bigint' | 'integer' | 'text' | 'boolean' | 'numeric' | 'json';

/** The table a kind keeps its record in, beside the machine. Written in the same commit as the step. */
export interface MachineRecordTable {
  table: string;
  /** Columns set when the machine starts and never after. `account_id` and `id` are the engine's and not listed. */
  insertColumns: Record<string, ColumnType>;
  /** Columns that follow the machine; all of them are written when one of them changes. */
  updateColumns: Record<string, ColumnType>;
  /** Values of the born columns, from the chart's context after its first step. */
  onInsert(context: unknown, machine: MachineIdentity): Record<string, unknown>;
  /** Values of the living columns, from the chart's context after a step. Flat and JSON-plain. */
  onUpdate(context: unknown, state: string): Record<string, unknown>;
}

export interface MachineIdentity {
  shard: string;
  account: number;
  id: number;
}

/** One kind of machine: its chart in every released version, and what surrounds it. */
export interface Kind {
  name: string;
  /** Charts by version. A released version is not edited, it is succeeded. */
  versions: Readonly<Record<number, AnyStateMachine>>;
  /** The version new machines are born with. */
  current: number;
  /** Terms of every effect the charts ask for (the engine's own excepted). */
  effects: Readonly<Record<string, EffectDeliveryPolicy>>;
  /**
   * No caller waits for its steps: they are taken when there is time, its first one too when another machine's step
   * starts it (`src/engine/writer/lowPriorityQueue.ts`, `contract/deferredStart.ts`). Default: not.
   */
  lowPriority?: true;
  /** Events that an operator may send through the admin API. */
  operatorEvents: readonly string[];
  record?: MachineRecordTable;
  /** What its machines say and play, where they do: from context alone. */
  sounds?: {
    all(context: unknown): readonly MachineSound[];
    /** Which of them an event asks to play that left this context: places in the list of all. */
    playing(context: unknown): readonly number[];
  };
  /** What a reader should know of a machine that waits or refused: from context alone. */
  explain?(context: unknown): Explanation[];
}

/** Something that a machine says or plays. */
export interface MachineSound {
  /** What it is for, e.g. `opening`, `slot 3`. */
  name: string;
  /** A text with the full name of its voice, or a file of the media store. */
  source: { text: string; voice: string; rate?: number } | { media: string };
}

/** Why a machine did not do what one might have expected, and until when. */
export interface Explanation {
  /** Our word for the rule, e.g. `window`, `blocklist`, `numlim`, `retry`. */
  rule: string;
  /** A sentence for people. */
  detail: string;
  /** When it was decided, epoch milliseconds. */
  at: number;
  /** Until when it holds, epoch milliseconds; absent: for good. */
  until?: number;
}
