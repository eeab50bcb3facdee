/** Times and amounts as people read them. */
import { isSecretName } from '../lib/redactSecretFields.ts';

/** A length of time in its two largest units: `1 h 12 min`, `45 s`. */
export const span = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60].map(
    Math.floor,
  );
  if (days! > 0) return `${days} d ${hours} h`;
  if (hours! > 0) return `${hours} h ${minutes} min`;
  if (minutes! > 0) return `${minutes} min ${seconds % 60} s`;
  return `${seconds} s`;
};

const units = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * A moment from the command line, epoch milliseconds: so long ago (`30m`, `2h`, `1d`), a date and time (`2026-11-20
 * 17:02` on the clock of this machine, or ISO 8601 with its zone), or epoch milliseconds. Undefined: none of these.
 */
export const parseTimeOption = (text: string, now: number): number | undefined => {
  const ago = /^(\d{1,6})\s*(s|m|min|h|d)$/.exec(text.trim());
  if (ago) return now - Number(ago[1]) * units[ago[2] as keyof typeof units];
  if (/^\d{12,14}$/.test(text)) return Number(text);
  // A date alone would be read as midnight in UTC.
  const date = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text.trim()) ? `${text.trim()} 00:00` : text);
  return /^\d{4}-/.test(text.trim()) && !Number.isNaN(date) ? date : undefined;
};

/** Words in lines of at most `width` characters. */
export const wrapTextLines = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
};

/** A record without the fields that hold secrets. */
export const omitSecretFields = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !isSecretName(key))) as T;

/** `1,234,567`. */
export const formatThousands = (value: number): string => value.toLocaleString('en-US');

/** Bytes in the unit that suits them: `12.3 MB`. */
export const formatByteSize = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** at).toFixed(1)} ${units[at - 1]}`;
};

/** What is said of what a sandbox takes. */
export const sandboxNote = 'Sandbox: no real recipient is reached, whatever the outcome says.';
