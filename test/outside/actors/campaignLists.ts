/** Lists of campaigns and their hours, as a user would write them. */
import type { Dice } from '../dice.ts';

/** What numbers of a list do, by their last two digits: most answer, some are retried, some answer the next time. */
const endings = [
  ...Array.from({ length: 10 }, () => '00'),
  ...['06', '05', '07', '01', '02', '03', '04', '21', '22', '23'],
] as const;

let made = 0;

/** A number that stands in no other list, with its area code, as a user writes it; with no ending of five digits. */
export const newNumber = (area: string, ending: string): string => {
  do made += 1;
  while (/99[46]$/.test(String(made)));
  return `${area}97${String(made).padStart(5, '0')}${ending}`;
};

/** `does`: what they do, by their last two digits. */
export const newNumbers = (
  area: string,
  count: number,
  dice: Dice,
  does: readonly string[] = endings,
): string[] => Array.from({ length: count }, () => newNumber(area, dice.pick(does)));

/** As the carrier sees it. */
export const dialledAs = (number: string): string => `55${number}`;

/** The file a user uploads: every record has a name of its own, because of one name only the first is called. */
export const csvOf = (numbers: readonly string[]): string =>
  ['phone;name;cod_cli', ...numbers.map((number, row) => `${number};Person ${row};${row}`), ''].join('\n');

export const recordsOf = (numbers: readonly string[]): object[] =>
  numbers.map((phone, row) => ({ phone, name: `Person ${row}`, cod_cli: String(row) }));

const hourMs = 3_600_000;

/** Area codes of three time zones, and how far each is behind UTC; none of them changes its clocks. */
const areas = [
  { area: '11', behindMs: 3 * hourMs },
  { area: '92', behindMs: 4 * hourMs },
  { area: '68', behindMs: 5 * hourMs },
] as const;

export interface Place {
  area: string;
  /** The day there, `YYYY-MM-DD`, so many days from now. */
  day(fromNow: number): string;
  /** The time of day there, `HH:MM:SS`, so many milliseconds from now; whole seconds, and never earlier than asked. */
  time(fromNowMs: number): { text: string; inMs: number };
}

/** A place where midnight is further away than a run is long, where there is one. */
export const aPlace = (runMs: number, now = Date.now): Place => {
  const hasTime = ({ behindMs }: (typeof areas)[number]): boolean =>
    (now() - behindMs) % (24 * hourMs) < 24 * hourMs - runMs - hourMs / 4;
  const { area, behindMs } = areas.find(hasTime) ?? areas[0];
  const there = (moment: number): string => new Date(moment - behindMs).toISOString();
  return {
    area,
    day: (fromNow) => there(now() + fromNow * 24 * hourMs).slice(0, 10),
    time: (fromNowMs) => {
      const from = now();
      const moment = Math.ceil((from + fromNowMs) / 1_000) * 1_000;
      return { text: there(moment).slice(11, 19), inMs: moment - from };
    },
  };
};
