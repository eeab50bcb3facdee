import type { Transition } from './chart.ts';

/** A transition as one level sees it: from station to station. */
export interface Hop {
  transition: Transition;
  from: string;
  to: string;
}
