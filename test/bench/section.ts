import type { Bed } from './bed.ts';
import type { Value } from './report.ts';

/** What a section is given. */
export interface Bench {
  bed: Bed;
  /** Small sizes and one round: shows that everything works, measures nothing. */
  quick: boolean;
  /** One of two trees that are compared (`pairs.ts`): smaller tables, so that ten pairs end within the hour. */
  paired: boolean;
  /** How often everything is measured; compared things take turns within a round. */
  rounds: number;
  note(name: string, value: Value): void;
  /** A line on what is going on. */
  say(line: string): void;
}

export type Section = (bench: Bench) => Promise<void>;
