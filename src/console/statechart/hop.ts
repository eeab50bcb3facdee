import type { StatechartTransition } from './statechartData.ts';

/** A transition as one level sees it: from station to station. */
export interface Hop {
  transition: StatechartTransition;
  from: string;
  to: string;
}
