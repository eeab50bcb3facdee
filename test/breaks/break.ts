/** One slip of the pen, and who should notice. */

/** A command that should fail: test files below `test/`, without `.test.ts`, or one run of the simulator. */
export type By = { tests: readonly string[] } | { simulate: string };

export interface Break {
  /** Short, unique; what `--only` takes. */
  name: string;
  /** What would go wrong, and for whom. */
  harm: string;
  /** Where, from the root of the repository. */
  file: string;
  /** Stands there exactly once. */
  from: string;
  /** What stands there instead. */
  to: string;
  /** Tried in this order until one fails: the one that should notice first, then others. */
  by: readonly By[];
}

/** Test files below `test/`, all in one run. */
export const tests = (...files: string[]): By => ({ tests: files });

/** A run of the simulator with this seed; `more` is written behind it. */
export const simulated = (seed: number, more = '--calls 300'): By => ({
  simulate: `--seed ${seed} ${more}`,
});

/** The command as somebody would type it. */
export const commandOf = (by: By): string =>
  'tests' in by
    ? `npx vitest run ${by.tests.map((file) => `test/${file}.test.ts`).join(' ')}`
    : `npm run simulate -- ${by.simulate}`;
