/** Whether a plain value holds objects and lists within each other, more than so many deep. Looks no deeper than that. */
export const isDeeperThan = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((part) => isDeeperThan(part, most - 1)));
