/** Values cut to a size that a log can bear. Pure. */

const longestText = 300;
const mostParts = 30;
const deepest = 6;

/** A plain value whose long texts, long lists and deep parts are cut off and say so; bigints become numbers. */
export const truncateForLog = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string')
    return value.length > longestText
      ? `${value.slice(0, longestText)}… (${value.length} characters)`
      : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return '…';
  if (Array.isArray(value)) {
    const parts = value.slice(0, mostParts).map((part) => truncateForLog(part, depth + 1));
    return value.length > mostParts ? [...parts, `… (${value.length} in all)`] : parts;
  }
  const entries = Object.entries(value);
  const parts = entries
    .slice(0, mostParts)
    .map(([name, part]) => [name, truncateForLog(part, depth + 1)] as const);
  if (entries.length > mostParts) parts.push(['…', `${entries.length} in all`]);
  return Object.fromEntries(parts);
};
