/**
 * Campaigns whose list, or what they chose of it, a database that went back has forgotten: lists are in no journal, and
 * docs/reliability.md says so. No rule that asks for their records can say anything of them; what they dialled is still
 * bounded by their attempts.
 */
import { by, type Evidence, type Of, only } from '../evidence.ts';
import type { Rule } from './violation.ts';

/** A campaign chooses of its list within this time of its acknowledgement, milliseconds. */
const choosesWithinMs = 2_000;

/** Tags of campaigns that were made, or whose list was, in what a database has forgotten. */
export const forgottenTags = (lines: readonly Evidence[]): Set<string> => {
  const spans = lostSpans(lines);
  const isLost = (askedAt: number, at: number): boolean =>
    spans.some(({ from, to }) => at > from - choosesWithinMs && askedAt <= to);
  const lists = only(lines, 'answered').filter(
    ({ door, http, at, ms }) => door === 'CreateDestinationBase' && http === 200 && isLost(at - ms, at),
  );
  const campaigns = only(lines, 'campaign').filter(({ at, askedAt }) => isLost(askedAt, at));
  return new Set([...lists, ...campaigns].map(({ tag }) => tag));
};

/** Each time a database went back: from the copy to the moment it was away. */
const lostSpans = (lines: readonly Evidence[]): { from: number; to: number }[] => {
  const databases = only(lines, 'database');
  return databases.flatMap(({ phase, lostFrom }, index) => {
    if (phase !== 'whole' || lostFrom === undefined) return [];
    const away = databases.slice(0, index).findLast((line) => line.phase === 'away');
    return away ? [{ from: lostFrom, to: away.at }] : [];
  });
};

/** The evidence as it is for rules that ask for records of campaigns. */
export const withoutForgotten = (lines: readonly Evidence[]): readonly Evidence[] => {
  const tags = forgottenTags(lines);
  if (tags.size === 0) return lines;
  const forgotten = only(lines, 'campaign').filter(({ tag }) => tags.has(tag));
  const ids = new Set(forgotten.map(({ campaign }) => campaign));
  return lines.filter((line) => !isAbout(line, tags, ids));
};

const isAbout = (line: Evidence, tags: Set<string>, campaigns: Set<string>): boolean => {
  if (line.kind === 'answered') return line.by === 'campaigner' && line.http !== 500 && tags.has(line.tag);
  return 'campaign' in line && campaigns.has(line.campaign);
};

/** What is forgotten costs records, never a call too many: a number is dialled as often as all its campaigns may. */
export const forgottenKeepToTheirAttempts: Rule = (lines) => {
  const tags = forgottenTags(lines);
  const campaigns = only(lines, 'campaign');
  const dials = by(only(lines, 'dialled'), ({ number }) => number);
  return [...numbersOf(campaigns, ({ tag }) => tags.has(tag))].flatMap((number) => {
    const own = campaigns.filter((campaign) => campaign.numbers.includes(number));
    const allowed = own.reduce((sum, { attempts }) => sum + attempts, 0);
    const made = dials.get(number) ?? [];
    if (made.length <= allowed) return [];
    const what = `${number} was dialled ${made.length} times, where its campaigns have ${allowed}`;
    return [{ rule: 'forgotten campaigns', what, lines: [...own, ...made] }];
  });
};

/**
 * A number of a list is dialled for a call that stands in a record of its campaigns. Numbers that a forgotten campaign
 * has too are left out, because its records are gone.
 */
export const dialsAreOnRecord: Rule = (lines) => {
  const tags = forgottenTags(lines);
  const campaigns = only(lines, 'campaign');
  const forgotten = numbersOf(campaigns, ({ tag }) => tags.has(tag));
  const numbers = numbersOf(campaigns, ({ tag }) => !tags.has(tag));
  const calls = new Set(only(lines, 'destination').map(({ call }) => call));
  return only(lines, 'dialled')
    .filter(({ number, call }) => numbers.has(number) && !forgotten.has(number) && !calls.has(call))
    .map((dial) => ({
      rule: 'records of campaigns',
      what: `${dial.number} was dialled for ${dial.call}, which is in no record`,
      lines: [dial],
    }));
};

const numbersOf = (
  campaigns: readonly Of<'campaign'>[],
  isMeant: (campaign: Of<'campaign'>) => boolean,
): Set<string> => new Set(campaigns.filter(isMeant).flatMap(({ numbers }) => numbers));
