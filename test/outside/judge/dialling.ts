/** What may not be dialled now: a paused campaign, a blocked number, a number that is in a call already. */
import { by, only } from '../evidence.ts';
import { type Dial, dialsOf, endingOf, type Facts, factsOf } from './campaignFacts.ts';
import type { Rule, Violation } from './violation.ts';

/** From the acknowledged pause until it is asked to go on. */
export const pausedIsNotDialled: Rule = (lines, bounds) => {
  const facts = factsOf(lines, bounds);
  return facts.campaigns.flatMap((campaign): Violation[] => {
    const changes = (facts.changes.get(campaign.campaign) ?? []).filter(({ active }) => active !== undefined);
    const pauses = campaign.active ? changes : [campaign, ...changes];
    return pauses.flatMap((pause, index) => {
      if (pause.active) return [];
      const until = pauses[index + 1]?.askedAt ?? Infinity;
      return dialsOf(facts, campaign)
        .filter((dial) => {
          const at = facts.momentOf(dial);
          return at > pause.at + facts.underwayMs(dial) && at < until;
        })
        .map((dial) => ({
          rule: 'paused',
          what: `${dial.number} was dialled ${facts.momentOf(dial) - pause.at} ms after the pause of ${campaign.tag} was acknowledged`,
          lines: [pause, dial],
        }));
    });
  });
};

/** From the acknowledged block on, for good: here nothing is taken from the list again. */
export const blockedIsNotDialled: Rule = (lines, bounds) => {
  const facts = factsOf(lines, bounds);
  return only(lines, 'dialled').flatMap((dial) => {
    const block = facts.blocks.get(dial.number)?.[0];
    if (!block) return [];
    const lateMs = facts.momentOf(dial) - block.at;
    if (lateMs <= facts.underwayMs(dial)) return [];
    const what = `${dial.number} was dialled ${lateMs} ms after its block was acknowledged`;
    return [{ rule: 'block list', what, lines: [block, dial] }];
  });
};

/** Clocks and pipes may shift what the carrier wrote by so much, milliseconds. */
const blurMs = 500;

/** One number is in one call of campaigns at a time; how long it was in it is what the carrier surely knows. */
export const oneLiveCall: Rule = (lines, bounds) => {
  const facts = factsOf(lines, bounds);
  const all = facts.campaigns.flatMap((campaign) => dialsOf(facts, campaign));
  return [...by([...new Set(all)], ({ number }) => number)].flatMap(([number, dials]): Violation[] => {
    const sorted = dials.toSorted((a, b) => a.at - b.at);
    return sorted.flatMap((dial, index) => {
      const livesUntil = endOf(facts, dial);
      const other = sorted
        .slice(index + 1)
        .find(({ call, at }) => call !== dial.call && at > dial.at + blurMs && at < livesUntil - blurMs);
      if (!other) return [];
      const what = `${number} was dialled for ${other.call} while it was in ${dial.call}`;
      return [{ rule: 'one call at a time', what, lines: [dial, other] }];
    });
  });
};

/** Until when it lived for sure. */
const endOf = ({ hangUps }: Facts, dial: Dial): number => {
  const { afterMs } = endingOf(dial);
  if (afterMs !== undefined) return dial.at + afterMs;
  return hangUps.get(dial.call)?.find(({ leg }) => leg === dial.leg)?.at ?? dial.at;
};
