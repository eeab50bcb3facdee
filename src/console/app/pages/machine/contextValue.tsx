/** A value that a machine remembers or an event brought: moments on the clock of the account, the rest as text. */
import type { JSX } from 'preact';
import { formatClockWithMillisecondsInZone } from '../../format.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { ClockTime } from '../../ui/when.tsx';
import { epochToLocalDateTime } from '../../zone.ts';

/** Characters of a value; what is longer ends with `…`. */
const longest = 400;

interface ContextValueProps {
  /** What it is called: `dial.rangAt`. */
  name: string;
  value: unknown;
  /** Of the account. */
  zone: string;
}

export const ContextValue = ({ name, value, zone }: ContextValueProps): JSX.Element => {
  if (isMoment(name, value)) return <ClockTime at={value} zone={zone} />;
  const text = textOf(value, zone);
  return <>{text.length > longest ? `${text.slice(0, longest)}…` : text}</>;
};

/** Names of moments end so; before 2001 nothing was remembered, and 0 is: not yet. */
const isMoment = (name: string, value: unknown): value is number =>
  /(?:^|\.)at$|At$|_at$/.test(name) && typeof value === 'number' && value > 1e12;

/** Within lists and objects as well a moment is told as a clock shows it. */
const textOf = (value: unknown, zone: string): string =>
  typeof value === 'object' && value !== null
    ? JSON.stringify(value, (name, inner: unknown) => (isMoment(name, inner) ? momentIn(inner, zone) : inner))
    : toTextOrJson(value);

const momentIn = (at: number, zone: string): string =>
  `${epochToLocalDateTime(at, zone).slice(0, 10)} ${formatClockWithMillisecondsInZone(at, zone)}`;
