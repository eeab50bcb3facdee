/**
 * How tests wait for what must come: by looking again and again, with one patience for all of them. It says nothing of how
 * fast the service is: a machine that does much else needs long, and what never comes ends in a failure all the same.
 */
import { vi } from 'vitest';

const patienceSeconds = 150;
export const patienceMs = patienceSeconds * 1_000;
/** Between two looks: at first what comes at once is found at once, then looks cost little. */
const [firstPauseMs, longestPauseMs] = [5, 50];

type Look<T> = () => Promise<T | undefined | false> | T | undefined | false;

/** Looks until `look` answers something true, and answers that; fails with what was looked for. */
export const until = async <T>(look: Look<T>, seconds = patienceSeconds): Promise<T> => {
  const deadline = performance.now() + seconds * 1_000;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`did not come within ${seconds} s: ${String(look)}`);
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
  }
};

/** Looks until `check` throws no longer, and answers what it answers; fails with what it threw last. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: patienceMs, interval: longestPauseMs });
