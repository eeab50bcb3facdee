/** A campaign as the rulebook reads it. */
import type { CampaignStory, Pace } from '../../rulebook/evidence.ts';
import { type Campaign, type Dial, endingOf, type Facts } from './campaignFacts.ts';
import { type Bounds, type Trouble, troublesAt } from './violation.ts';

/** Time of the shard follows a clock that is set by one part in a hundred. */
const clocksMs = 500;
/** What happens to a dial within this time may have cost what became of it. */
const lifeMs = 30_000;

export const storyOf = (
  facts: Facts,
  campaign: Campaign,
  troubles: readonly Trouble[],
  bounds: Bounds,
): CampaignStory => {
  const own = facts.destinations.get(campaign.campaign) ?? [];
  const rows = new Map([...new Set(campaign.numbers)].map((number, row) => [number, row]));
  const told = (dial: Dial): { status: string; isLost?: boolean } => {
    const { status } = endingOf(dial);
    const at = facts.momentOf(dial);
    return troublesAt(troubles, at + lifeMs, lifeMs).length > 0
      ? { status: 'CHANUNAVAIL', isLost: true }
      : { status };
  };
  return {
    name: campaign.tag,
    records: new Map([...rows].map(([number, row]) => [row, [number]])),
    calls: own
      .filter(({ call }) => call !== '')
      .map(({ call, number, status }) => {
        const dials = facts.dials.get(call) ?? [];
        return {
          name: call,
          asked: { numbers: [number], tries: campaign.attempts, intervalMs: campaign.intervalMs },
          dials: dials.map((dial) => dialOf(facts, dial)),
          told: dials.map(told),
          row: rows.get(number) ?? -1,
          isAnswered: status === 'OK',
          clocksMs: bounds.underwayMs,
        };
      }),
    maxAnswered: campaign.maxAnswered,
    paces: pacesOf(facts, campaign, bounds),
    isOpen: (_, at) => at >= (campaign.opensAt ?? 0) - clocksMs,
    clocksMs: bounds.underwayMs,
  };
};

const dialOf = (facts: Facts, dial: Dial): CampaignStory['calls'][number]['dials'][number] => {
  const at = facts.momentOf(dial);
  const { afterMs } = endingOf(dial);
  return {
    ...{ number: dial.number, at, mayBeLateMs: facts.underwayMs(dial) },
    ...(afterMs !== undefined && { endedAt: at + afterMs }),
  };
};

/** Faster from when that was asked for, slower once that was acknowledged; a pause is no pace at all. */
const pacesOf = (facts: Facts, campaign: Campaign, { underwayMs }: Bounds): Pace[] => {
  let { perMinute, active } = campaign;
  const paces: Pace[] = [{ from: campaign.askedAt, callsPerMinute: active ? perMinute : 0 }];
  for (const change of facts.changes.get(campaign.campaign) ?? []) {
    const before = paces.at(-1)!.callsPerMinute;
    perMinute = change.perMinute === undefined ? perMinute : change.perMinute;
    active = change.active ?? active;
    const callsPerMinute = active ? perMinute : 0;
    const isFaster = (callsPerMinute ?? Infinity) > (before ?? Infinity);
    paces.push({ from: isFaster ? change.askedAt : change.at + underwayMs, callsPerMinute });
  }
  return paces.toSorted((one, other) => one.from - other.from);
};
