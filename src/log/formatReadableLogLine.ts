/** Lines of the log as people read them, for a terminal; a program reads the JSON that they are made of. */

/** What stands in a line of its own place. */
const own = ['level', 'time', 'msg', 'err'];

const mostShown = 400;

/** One line of JSON in words: `17:02:38 warn  the carrier is away  route=7`. What is no JSON stays as it is. */
export const formatReadableLogLine = (line: string): string => {
  const fields = parsed(line);
  if (!fields) return line;
  const { level, time, msg, err } = fields;
  const more = Object.entries(fields)
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const words = [
    typeof msg === 'string' ? msg : '',
    ...(err === undefined ? [] : [messageOf(err)]),
    ...more,
  ].filter((part) => part !== '');
  const text = words.join('  ').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return `${clockOf(time)}  ${String(level).padEnd(5)}  ${text.slice(0, mostShown)}\n`;
};

const parsed = (line: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
};

/** On this machine's clock. */
const clockOf = (time: unknown): string => {
  const moment = new Date(String(time));
  return Number.isNaN(moment.getTime()) ? '' : moment.toTimeString().slice(0, 'HH:MM:SS'.length);
};

const messageOf = (err: unknown): string => {
  const { message } = (err ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(err);
};
