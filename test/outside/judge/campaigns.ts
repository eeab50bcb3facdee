/** Campaigns: they keep the rules of the business, every record of a list is accounted for, and they go on. */
import { breachesOf } from '../../rulebook/calls.ts';
import { breachesOfCampaign } from '../../rulebook/campaigns.ts';
import { by, type Evidence, type Of, only } from '../evidence.ts';
import { type Campaign, type Dial, dialsOf, type Facts, factsOf, wantedSpans } from './campaignFacts.ts';
import { storyOf } from './campaignStory.ts';
import { type Bounds, type Rule, spansOf, troublesAt, troublesOf, type Violation } from './violation.ts';

/** By the rulebook, over what the carrier saw. */
export const campaignsKeepTheRules: Rule = (lines, bounds) => {
  const facts = factsOf(lines, bounds);
  const troubles = troublesOf(lines, bounds);
  return facts.campaigns.flatMap((campaign) => {
    const story = storyOf(facts, campaign, troubles, bounds);
    const rule = 'rules of campaigns';
    const ofCalls = story.calls.flatMap((call) =>
      breachesOf(call).map((breach) => ({
        rule,
        what: `${campaign.tag}, ${call.name}: ${breach}`,
        lines: [campaign, ...(facts.dials.get(call.name) ?? [])],
      })),
    );
    const ofAll = breachesOfCampaign(story).map((breach) => ({
      rule,
      what: `${campaign.tag}: ${breach}`,
      lines: [campaign],
    }));
    return [...ofCalls, ...ofAll, ...tooMany(facts, campaign)];
  });
};

/** The attempts that a call says it is at, which may be more than were seen. */
const tooMany = (facts: Facts, campaign: Campaign): Violation[] =>
  dialsOf(facts, campaign)
    .filter(({ attempt }) => attempt > campaign.attempts)
    .map((dial) => ({
      rule: 'rules of campaigns',
      what: `attempt ${dial.attempt} of ${dial.call}, where ${campaign.tag} has ${campaign.attempts}`,
      lines: [campaign, dial],
    }));

const rule = 'records of campaigns';
/** Ends without a dial that have a reason of their own, and what they rest on. */
const withheld = ['blocklist', 'limitReached'];
/** Of the numbers of a campaign so many may be lost on their way when nodes die, beside a share of them. */
const lostAlways = 2;
const lostShare = 0.05;

/** Nothing is left to change, and a text that could not be spoken now. */
const noViolation = ['230', '280', ''];

/** Each was made once, and each record of its list was dialled, or left out for a reason that is true. */
export const everyRecordIsAccountedFor: Rule = (lines, bounds) => {
  const facts = factsOf(lines, bounds);
  const troubles = spansOf(lines);
  const refused = only(lines, 'answered').filter(
    ({ by: who, http, code }) =>
      who === 'campaigner' && http >= 400 && http < 500 && !noViolation.includes(code),
  );
  const twice = [...by(only(lines, 'standing'), ({ tag }) => tag)].filter(([, made]) => made.length > 1);
  return [
    ...refused.map((line) => ({
      rule,
      what: `${line.door} of ${line.tag} was refused: ${line.said}`,
      lines: [line],
    })),
    ...twice.map(([tag, made]) => ({
      rule,
      what: `${tag} was asked for once and became ${made.length}`,
      lines: made,
    })),
    ...facts.campaigns.flatMap((campaign) => [
      ...stood(facts, campaign),
      ...accounted(facts, campaign, troubles.length > 0),
    ]),
  ];
};

const isOver = (state: string): boolean => ['completed', 'limitReached'].includes(state);
/** It is to come to its end within the run. */
const ends = ({ opensAt = 0 }: Campaign): boolean => opensAt < Number.MAX_SAFE_INTEGER;

const stood = ({ standings, destinations }: Facts, campaign: Campaign): Violation[] => {
  const [standing] = standings.get(campaign.campaign) ?? [];
  if (!standing)
    return [{ rule, what: `${campaign.tag} was acknowledged and is not there`, lines: [campaign] }];
  const found: Violation[] = [];
  const add = (what: string, more: readonly Evidence[] = []): void =>
    void found.push({ rule, what: `${campaign.tag} ${what}`, lines: [campaign, standing, ...more] });
  const { state, answered } = standing;
  if (ends(campaign) && !isOver(state)) add(`is "${state}" at the end`);
  if (state === 'limitReached' && campaign.maxAnswered === null) add('ended by a limit that it has not');
  const own = destinations.get(campaign.campaign) ?? [];
  const many = own.filter(({ status }) => status === 'OK').length;
  if (many !== answered) add(`says that ${answered} were answered, and its records say ${many}`);
  return found;
};

/** Every number of its list. */
const accounted = (facts: Facts, campaign: Campaign, anyTrouble: boolean): Violation[] => {
  const found: Violation[] = [];
  const add = (what: string, own: readonly Evidence[] = []): void =>
    void found.push({ rule, what: `${campaign.tag}: ${what}`, lines: [campaign, ...own] });
  const destinations = by(facts.destinations.get(campaign.campaign) ?? [], ({ number }) => number);
  const skips = by(facts.skips.get(campaign.campaign) ?? [], ({ number }) => number);
  const [standing] = facts.standings.get(campaign.campaign) ?? [];
  const lost: Evidence[] = [];
  for (const [number, asked] of by(campaign.numbers, (one) => one)) {
    const own = destinations.get(number) ?? [];
    const left = skips.get(number) ?? [];
    if (own.length > 1) add(`${number} is dialled for ${own.length} records`, own);
    if (own.length + left.length !== asked.length)
      add(
        `${number} stands in ${asked.length} records, and ${own.length + left.length} are accounted for`,
        own,
      );
    for (const skip of left)
      if (!isTrue(facts, skip, asked.length)) add(`${number} was left out: ${skip.reason}`, [skip]);
    for (const destination of own) {
      const why = wrongWith(facts, campaign, destination, standing?.state === 'limitReached');
      if (why === 'lost') lost.push(destination);
      else if (why !== '') add(`${number} ${why}`, own);
    }
  }
  const most = anyTrouble ? lostAlways + campaign.numbers.length * lostShare : 0;
  if (lost.length > most) add(`${lost.length} numbers were not dialled and say "lost"`, lost);
  return found;
};

const isTrue = ({ blocks }: Facts, { number, reason }: Of<'skipped'>, times: number): boolean =>
  (reason === 'duplicate' && times > 1) || (reason === 'blocklist' && blocks.has(number));

/** Empty: nothing; `lost`: it was tried, and is said to be lost. */
const wrongWith = (
  { dials, blocks }: Facts,
  campaign: Campaign,
  { call, state, status, reason, number }: Of<'destination'>,
  limitReached: boolean,
): string => {
  const wasDialled = dials.has(call);
  if (!ends(campaign)) return call === '' ? '' : `has a call before the campaign begins`;
  if (state === 'waiting') return limitReached ? '' : 'waits, though the campaign is over';
  if (state !== 'ended') return limitReached ? '' : `is "${state}", though the campaign is over`;
  if (status === '') return 'ended without a status';
  if (reason === 'blocklist' && !blocks.has(number)) return 'is said to be blocked, and was not';
  if (wasDialled || withheld.includes(reason)) return '';
  if (reason === 'lost') return 'lost';
  return `was never dialled, and ended "${status}" (${reason})`;
};

/**
 * A campaign that is switched on, and open, and has numbers left, dials: at once while nothing is wrong, and in all it is
 * not idle for long. So staying closed is no way to keep the other rules.
 */
export const campaignsGoOn: Rule = (lines, bounds) => {
  const facts = factsOf(lines, bounds);
  const troubles = troublesOf(lines, bounds);
  return facts.campaigns.filter(ends).flatMap((campaign) => {
    const gaps = idleGaps(facts, campaign, lines.at(-1)?.at ?? 0);
    const found: Violation[] = [];
    const add = (what: string): void =>
      void found.push({ rule: 'campaigns go on', what: `${campaign.tag} ${what}`, lines: [campaign] });
    const calm = gaps.filter(({ from, to }) => troublesAt(troubles, to, to - from).length === 0);
    for (const { from, to, ms } of calm)
      if (ms > bounds.idleMs) add(`was idle from ${from} to ${to} while nothing was wrong`);
    const whole = gaps.reduce((sum, { ms }) => sum + ms, 0);
    const most = bounds.mostIdleMs + troubledMs(lines, bounds);
    if (whole > most) add(`was idle for ${whole} ms in all, of which ${most} can be excused`);
    return found;
  });
};

const troubledMs = (lines: readonly Evidence[], bounds: Bounds): number =>
  troublesOf(lines, { ...bounds, graceMs: 0 }).reduce((sum, { from, to }) => sum + to - from, 0);

interface Gap {
  from: number;
  to: number;
  /** Beyond what its pace asks for. */
  ms: number;
}

const minuteMs = 60_000;
const momentMs = 2_000;
/** A number that another call has is asked for again after half a minute: so long after the other's dial its own may come. */
const besideMs = 60_000;

/** Its number was in the call of another not long before. */
const waitedForAnother = ({ dialsTo }: Facts, { number, call, at }: Dial): boolean =>
  (dialsTo.get(number) ?? []).some(
    (other) => other.call !== call && other.at < at && at - other.at < besideMs,
  );

/** Between first attempts, while it was wanted, until the last of them; until the end where some were never made. */
const idleGaps = (facts: Facts, campaign: Campaign, endAt: number): Gap[] => {
  const all = dialsOf(facts, campaign);
  const firsts = [...by(all, ({ number }) => number).values()]
    .map(([dial]) => dial!)
    .filter((dial) => !waitedForAnother(facts, dial))
    .map((dial) => facts.momentOf(dial));
  const isLimited = (facts.standings.get(campaign.campaign) ?? []).some(
    ({ state }) => state === 'limitReached',
  );
  const waiting = (facts.destinations.get(campaign.campaign) ?? []).some(({ state }) => state === 'waiting');
  const until = !isLimited && (waiting || all.length === 0) ? endAt : Math.max(0, ...firsts);
  const pauseMs = campaign.perMinute === null ? 0 : minuteMs / campaign.perMinute;
  return wantedSpans(campaign, facts.changes.get(campaign.campaign) ?? []).flatMap(([from, to]) => {
    const end = Math.min(to, until);
    const within = firsts.filter((at) => at > from && at < end).toSorted((a, b) => a - b);
    const points = [from, ...within, end];
    return points.slice(1).flatMap((at, index): Gap[] => {
      const ms = at - points[index]! - pauseMs - momentMs;
      return ms > 0 ? [{ from: points[index]!, to: at, ms }] : [];
    });
  });
};
