/** The rules of one call. */
import type { Asked, CallStory, Dial } from './evidence.ts';

/** Ways for an attempt to end after which another may follow; all others end the call. */
const RETRIED: readonly string[] = ['BUSY', 'NOANSWER', 'CONGESTION', 'CHANUNAVAIL'];
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/** What of the rules this call broke. */
export const breachesOf = (story: CallStory): string[] => [
  ...attempts(story),
  ...retries(story),
  ...pauses(story),
  ...dates(story),
  ...ends(story),
];

/** Every try goes once through the person's numbers, in their order; an attempt that never left leaves a gap. */
const attempts = ({ asked: { numbers, tries }, dials, told }: CallStory): string[] => {
  const most = tries * numbers.length;
  const breaches: string[] = [];
  if (dials.length > most) breaches.push(`${dials.length} dials, not ${most} at most`);
  if (told.length > most) breaches.push(`${told.length} attempts are told, not ${most} at most`);
  // The last attempt may still be under way.
  if (dials.length > told.length + 1) breaches.push(`${dials.length} dials and ${told.length} attempts told`);
  let place = -1;
  for (const { number } of dials) {
    do place += 1;
    while (place < most && numbers[place % numbers.length] !== number);
    if (place < most) continue;
    breaches.push(`${number} was dialled when it was not its turn`);
    break;
  }
  return breaches;
};

/** Nothing follows an answer, a cancel or a block. */
const retries = ({ told }: CallStory): string[] =>
  told
    .slice(0, -1)
    .filter(({ status }) => !RETRIED.includes(status))
    .map(({ status }) => `another attempt followed one that ended ${status || 'without a status'}`);

/** Between two rounds the interval passes, from the end of the last attempt; within a round there is no pause. */
const pauses = ({ asked, dials, told, isHurried, clocksMs }: CallStory): string[] => {
  if (isHurried || told.some(({ isLost }) => isLost)) return [];
  return dials.flatMap((dial, index) => {
    const before = dials[index - 1];
    if (!before || (asked.numbers.length > 1 && !isFirst(asked, dial))) return [];
    if (before.endedAt === undefined) return [`${dial.number} is dialled while the last attempt lives`];
    const waited = dial.waitedMs ?? dial.at - before.endedAt;
    return waited < asked.intervalMs - clocksMs
      ? [`the next try came after ${seconds(waited)}, not ${seconds(asked.intervalMs)}`]
      : [];
  });
};

/** Whether this number begins a round. */
const isFirst = ({ numbers }: Asked, { number }: Dial): boolean => number === numbers[0];

/** Not before its date, and not after its last moment; on a later day, when nothing was tried. An operator may lift both. */
const dates = ({ asked, dials, isHurried, clocksMs }: CallStory): string[] => {
  const { notBefore = 0, until } = asked;
  const first = dials[0];
  if (!first) return [];
  const days =
    until === undefined
      ? 0
      : Math.max(0, Math.ceil((first.at - first.mayBeLateMs - clocksMs - until) / DAY_MS));
  const breaches: string[] = [];
  const early = notBefore + days * DAY_MS - first.at;
  if (!isHurried && early > clocksMs + (first.mayBeEarlyMs ?? 0))
    breaches.push(`dialled ${seconds(early)} before its date`);
  if (until === undefined || isHurried) return breaches;
  for (const { at, mayBeLateMs } of dials) {
    const late = at - (until + days * DAY_MS);
    if (late > mayBeLateMs + clocksMs) breaches.push(`dialled ${seconds(late)} after its last moment`);
  }
  return breaches;
};

/** Nobody is dialled for a call that is over, or was cancelled. */
const ends = ({ dials, overAt = Infinity, cancelledAt = Infinity, clocksMs }: CallStory): string[] =>
  dials.flatMap(({ at, mayBeLateMs }) => {
    const breaches: string[] = [];
    if (at - overAt > mayBeLateMs + clocksMs)
      breaches.push(`dialled ${seconds(at - overAt)} after it was over`);
    if (at - cancelledAt > mayBeLateMs + clocksMs)
      breaches.push(`dialled ${seconds(at - cancelledAt)} after its cancel was acknowledged`);
    return breaches;
  });

const seconds = (ms: number): string => `${Math.round(ms / SECOND_MS)} s`;
