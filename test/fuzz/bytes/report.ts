/** What a campaign saw, for people, and whether it may stand. */
import type { Found, Report } from './run.ts';

/** Memory after the warm-up may grow by so much: a part of itself, and megabytes. */
const grownBy = { part: 0.25, megabytes: 60 };

/** Sentences for what must not be; none: all is well. */
export const judged = ({ found, underWay, memory, sent, reached }: Report): string[] => {
  const { warm, end, most } = memoryOf(memory);
  return [
    ...found.map(({ number, shot, fault }) => `request ${number} (${shot.about}): ${fault}`),
    ...underWay.map(({ number, shot, fault }) => `request ${number} (${shot.about}) was under way: ${fault}`),
    ...(memory.length >= 20 && end > most
      ? [`memory grew from ${warm} to ${end} MB; ${most} MB were allowed`]
      : []),
    ...(sent >= 1_000 && reached < sent / 5 ? [`only ${reached} of ${sent} requests reached a handler`] : []),
  ];
};

/** Megabytes: of the second quarter of the time, which is warm, of the last tenth, and what that may be. */
const memoryOf = (memory: readonly number[]) => {
  const warm = median(memory.slice(memory.length * 0.25, memory.length * 0.5 + 1));
  const end = median(memory.slice(memory.length * 0.9));
  return { warm, end, most: Math.round(warm * (1 + grownBy.part) + grownBy.megabytes) };
};

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
};

const columns = ['sent', 'reached', '2xx', '3xx', '4xx', '5xx', 'cut', 'silent'];

export const written = (report: Report): string => {
  const rows = [...report.doors].toSorted(([one], [other]) => one.localeCompare(other));
  const total = new Map(
    columns.map((name) => [name, rows.reduce((sum, [, counts]) => sum + (counts.get(name) ?? 0), 0)]),
  );
  const { warm, end, most } = memoryOf(report.memory);
  return [
    ['door', ...columns].map((name, n) => (n === 0 ? name.padEnd(9) : name.padStart(9))).join(''),
    ...[...rows, ['all', total] as const].map(
      ([door, counts]) =>
        door.padEnd(9) + columns.map((name) => String(counts.get(name) ?? 0).padStart(9)).join(''),
    ),
    `memory ${warm} MB when warm, ${end} MB at the end, ${most} MB allowed; /healthz took ${Math.round(report.slowestHealthMs)} ms at the most`,
  ].join('\n');
};

/** The request as text that a shell's `printf` turns into its bytes again. */
export const escaped = ({ shot }: Pick<Found, 'shot'>): string =>
  [...shot.bytes]
    .map((byte) => {
      if (byte === 13) return '\\r';
      if (byte === 10) return '\\n';
      const sign = String.fromCharCode(byte);
      return byte >= 32 && byte < 127 && !"\\'%".includes(sign)
        ? sign
        : `\\x${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
