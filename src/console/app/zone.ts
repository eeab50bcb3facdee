/** Moments on the wall clock of a time zone, and back. Pure. */

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A zone that the browser does not know is read as UTC. */
const clockOf = (zone: string): Intl.DateTimeFormat => {
  let clock = clocks.get(zone);
  if (!clock) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const hours = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    clock = new Intl.DateTimeFormat('en', { ...parts, ...hours, timeZone: timeZoneOrUtc(zone) });
    clocks.set(zone, clock);
  }
  return clock;
};

/** The zone, as this browser names it; `UTC` for one that it does not know. */
export const timeZoneOrUtc = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
};

/** Clocks are put forward and back at whole quarters of an hour. */
const quarterMs = 900_000;
/** How far each zone's clock was ahead of UTC when it was read last: times of a list are near each other, and reading is slow. */
const read = new Map<string, { quarter: number; offsetMs: number }>();

const offsetMsAt = (at: number, zone: string): number => {
  const quarter = Math.floor(at / quarterMs);
  let last = read.get(zone);
  if (last?.quarter !== quarter) {
    last = { quarter, offsetMs: readOffset(quarter * quarterMs, zone) };
    read.set(zone, last);
  }
  return last.offsetMs;
};

const readOffset = (at: number, zone: string): number => {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - at;
};

/** `2026-11-26T14:07:12`, as a box for moments has it. */
export const epochToLocalDateTime = (at: number, zone: string): string =>
  new Date(at + offsetMsAt(at, zone)).toISOString().slice(0, 19);

/**
 * The moment at which a zone's clock shows this, epoch milliseconds; undefined: it is no date. An hour that a zone leaves
 * out is read as one that passed before.
 */
export const localDateTimeToEpoch = (text: string, zone: string): number | undefined => {
  const asUtc = Date.parse(`${text}${text.length === 10 ? 'T00:00:00' : ''}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (at: number): number => Date.parse(`${epochToLocalDateTime(at, zone)}Z`) - at;
  const near = asUtc - offsetAt(asUtc);
  return asUtc - offsetAt(near);
};

let ofBrowser: string | undefined;

/** That of the browser, as it was when it was asked for first. */
export const viewerZone = (): string => (ofBrowser ??= Intl.DateTimeFormat().resolvedOptions().timeZone);
