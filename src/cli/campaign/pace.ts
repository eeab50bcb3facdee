/** How many calls a minute, from what was counted in the last minute. */

const windowMs = 60_000;
/** Of less one cannot tell. */
const leastMs = 10_000;

export interface Pace {
  /** `made`: destinations called so far; `at`: epoch milliseconds. */
  count(made: number, at: number): void;
  /** Calls a minute; undefined: it was not looked at for long enough. */
  perMinute(): number | undefined;
}

export const createPaceMeter = (): Pace => {
  const seen: { made: number; at: number }[] = [];
  return {
    count: (made, at) => {
      seen.push({ made, at });
      while (seen.length > 2 && seen[1]!.at <= at - windowMs) seen.shift();
    },
    perMinute: () => {
      const [first, last] = [seen[0], seen.at(-1)];
      if (!first || !last || last.at - first.at < leastMs) return undefined;
      return Math.round(((last.made - first.made) / (last.at - first.at)) * 60_000);
    },
  };
};
