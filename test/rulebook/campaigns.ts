/** The rules of a campaign and its calls, beside those of each call. */
import type { CampaignStory, Pace } from './evidence.ts';

const MINUTE_MS = 60_000;
/** What a pace may be exceeded by in all: one call that goes at once, and one whose turn was just coming. */
const AHEAD = 2;

/** What of the rules this campaign broke. */
export const breachesOfCampaign = (story: CampaignStory): string[] => [
  ...records(story),
  ...answers(story),
  ...pace(story),
  ...hours(story),
];

/** A record has one call, which dials the numbers of that record and no other. */
const records = ({ records: listed, calls }: CampaignStory): string[] => {
  const breaches: string[] = [];
  const called = new Set<number>();
  for (const { name, row, dials } of calls) {
    if (called.has(row)) breaches.push(`row ${row} has a second call, ${name}`);
    called.add(row);
    const numbers = listed.get(row);
    if (!numbers) breaches.push(`${name} is for row ${row}, which is not to be dialled`);
    for (const { number } of numbers ? dials : [])
      if (!numbers!.includes(number)) breaches.push(`${name} dialled ${number}, which is not in row ${row}`);
  }
  return breaches;
};

/** It stops after so many answers. */
const answers = ({ maxAnswered, calls }: CampaignStory): string[] => {
  const many = calls.filter(({ isAnswered }) => isAnswered).length;
  return maxAnswered !== null && many > maxAnswered
    ? [`${many} calls were answered, not ${maxAnswered}`]
    : [];
};

/**
 * By any moment no more was dialled than the paces allowed since it began. What waits for the carrier is granted already and
 * may come in a heap: so it is the sum that counts, and not each minute.
 */
const pace = ({ paces, calls, clocksMs }: CampaignStory): string[] => {
  const dials = calls.flatMap((call) => call.dials.map(({ at }) => at)).toSorted((one, other) => one - other);
  for (const [index, at] of dials.entries()) {
    const allowed = allowedBy(paces, at + clocksMs);
    if (index + 1 > allowed) return [`${index + 1} dials when the pace allowed ${Math.floor(allowed)}`];
  }
  return [];
};

/** How many could be dialled by then; a pace that begins anew may let one go at once. */
const allowedBy = (paces: readonly Pace[], at: number): number =>
  paces.reduce((sum, { from, callsPerMinute }, index) => {
    const until = Math.min(at, paces[index + 1]?.from ?? Infinity);
    if (until < from) return sum;
    if (callsPerMinute === null) return Infinity;
    return sum + (callsPerMinute * (until - from)) / MINUTE_MS + (callsPerMinute > 0 ? AHEAD : 0);
  }, 0);

/** Every dial was let go within the hours; how long it was on its way is excused. */
const hours = ({ calls, isOpen }: CampaignStory): string[] =>
  calls.flatMap(({ name, row, dials, clocksMs }) =>
    dials
      .filter(({ at, mayBeLateMs }) => !wasOpen((moment) => isOpen(row, moment), at, mayBeLateMs + clocksMs))
      .map(({ at }) => `${name} dialled at ${new Date(at).toISOString()}, outside the hours`),
  );

/** How finely the time before a dial is looked at. */
const LOOK_MS = 500;

const wasOpen = (isOpenAt: (moment: number) => boolean, at: number, lateMs: number): boolean => {
  for (let moment = at; moment >= at - lateMs; moment -= LOOK_MS) if (isOpenAt(moment)) return true;
  return false;
};
