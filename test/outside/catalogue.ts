/** The faults by name: whom each concerns, how long it lasts, and how often a run must have done it to count. */

/**
 * `service`: other accounts may be told 503 meanwhile and for a while afterwards. `neighbour`: it is one customer's
 * trouble, or a stranger's, and all others are served as if nothing was.
 */
export type Concern = 'service' | 'neighbour';

export interface FaultKind {
  concern: Concern;
  /** How long it lasts, milliseconds: from, to. */
  lasts: readonly [number, number];
  /** What it may ask of the machine; without it, it is left out with a sentence. */
  needs?: Need;
}

export type Need = 'root' | 'faketime' | 'redis';

export const catalogue = {
  /** A node dies, and is started again. */
  kill: { concern: 'service', lasts: [1_000, 4_000] },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof catalogue;
export const faultNames = Object.keys(catalogue) as FaultName[];

export const kindOf = (name: FaultName): FaultKind => catalogue[name];

/** How often each must have been done, for the run to say anything: once in two minutes, six times in twenty. */
export const leastOf = (minutes: number): number => Math.max(1, Math.floor((minutes * 6) / 20));
