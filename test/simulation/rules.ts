/** What the carrier saw and callers were told, brought before the rulebook (`test/rulebook`), which knows no charts. */
import type { CallInput } from '../../machines/call/input.ts';
import type { CampaignChanges, CampaignDatesAndHours, CampaignInput } from '../../machines/campaign/input.ts';
import { breachesOf } from '../rulebook/calls.ts';
import { breachesOfCampaign } from '../rulebook/campaigns.ts';
import type { CallStory, CampaignStory, Dial, Pace } from '../rulebook/evidence.ts';
import { areShut, windowAt } from './campaigns/hours.ts';
import type { SimulatedCampaign } from './campaigns/program.ts';
import { CALM_DIAL_MS, type Dialled } from './carrier.ts';
import type { Trial } from './judge.ts';
import { EPOCH } from './plan.ts';
import type { HistoryRow } from '../../src/engine/contract/rows.ts';

/** Clocks of nodes follow the shard's time, each by itself. */
const CLOCKS_MS = 5_000;
/** A carrier that is full keeps a call so long, longer than any hours that it was let go in. */
const FULL_MS = 1_600_000;

/** What an operator may say: do not wait; what nobody knows ended so. */
const HURRIES = new Set(['retryNow', 'resolveUnknown']);

interface Told {
  status: string;
  reason: string;
}

export const judgeRules = (trial: Trial): void => {
  const stories = new Map<number, CallStory>();
  const dials = dialsByCall(trial);
  for (const [id, { kind }] of trial.database.born)
    if (kind === 'call') stories.set(id, storyOf(trial, id, dials.get(id) ?? []));
  for (const [id, story] of stories)
    for (const breach of breachesOf(story)) trial.book.violated('rulebook', id, breach);
  for (const campaign of trial.campaigns)
    for (const breach of breachesOfCampaign(campaignOf(trial, campaign, stories)))
      trial.book.violated('rulebook', campaign.id, breach);
  trial.book.count('calls by the rulebook', stories.size);
};

const dialsByCall = ({ dialled, wasFull, database }: Trial): Map<number, Dial[]> => {
  const calls = new Map<number, Dial[]>();
  const last = new Map<number, Dialled>();
  for (const dial of dialled) {
    const { machine, isCallee } = dial;
    if (!isCallee) continue;
    const own = calls.get(machine) ?? [];
    const before = last.get(machine);
    const gainMs = before ? gained(before, dial, database.clockSteps) : 0;
    const mayBeEarlyMs = ahead(dial, database);
    own.push({ ...dialOf(dial, before, { wasFull: wasFull(machine), gainMs }), mayBeEarlyMs });
    calls.set(machine, own);
    last.set(machine, dial);
  }
  return calls;
};

/**
 * The pause between two dials is told in true time, dates by the shard's, which may be set. A process that was suspended and
 * does not know it yet is behind by as much, and takes the end of a dial for so much earlier. Where the database's clock was set
 * forward while no node was awake to know it, the shard's time gains as much.
 */
const dialOf = (
  dial: Dialled,
  before: Dialled | undefined,
  { wasFull, gainMs }: { wasFull: boolean; gainMs: number },
): Dial => ({
  ...{ number: dial.to, at: dial.at, mayBeLateMs: wasFull ? FULL_MS : dial.mayBeLateMs },
  ...(dial.trueEnd !== undefined && { endedAt: EPOCH + dial.trueEnd }),
  ...(before?.trueEnd !== undefined && {
    waitedMs: dial.trueAt - before.trueEnd + before.mayBeBehindMs + gainMs,
  }),
});

/** What the shard's time gained on the truth between two dials, as far as the database's clock was set forward meanwhile. */
const gained = (before: Dialled, dial: Dialled, steps: readonly { at: number; byMs: number }[]): number => {
  const setMs = steps
    .filter(({ at }) => at >= before.trueAt && at <= dial.trueAt)
    .reduce((sum, { byMs }) => sum + byMs, 0);
  return Math.max(0, Math.min(setMs, dial.at - before.at - (dial.trueAt - before.trueAt)));
};

/**
 * By how much the node that let this call go was ahead of the one that dialled it. A node that starts where all others sleep
 * takes a database's clock that was set forward for the time that went by without a node.
 */
const ahead = ({ machine, at, trueAt }: Dialled, { clockSteps, tables }: Trial['database']): number => {
  const entries = tables.history.get(machine) ?? [];
  const dialled = entries.findIndex(({ asked }) => asked.includes('originate'));
  const letGoAt = Math.max(...entries.slice(0, dialled < 0 ? entries.length : dialled).map((one) => one.at));
  const setMs = clockSteps.reduce((sum, step) => sum + (step.at <= trueAt ? step.byMs : 0), 0);
  return Math.max(0, Math.min(setMs, letGoAt - at));
};

const inputOf = (entries: readonly HistoryRow[]): CallInput => JSON.parse(entries[0]!.payload!) as CallInput;

const storyOf = ({ database: { tables } }: Trial, id: number, dials: readonly Dial[]): CallStory => {
  const entries = tables.history.get(id) ?? [];
  const record = tables.records.get('calls')?.get(id) ?? {};
  const { destination, alternatives = [], schedule } = inputOf(entries);
  const { tries, intervalMs, notBefore, until } = schedule;
  const attempts = JSON.parse((record['attempts'] as string | undefined) ?? '[]') as Told[];
  const cancel = entries.find(({ event, asked }) => event === 'cancel' && !asked.startsWith('failed'));
  return {
    name: `call ${id}`,
    asked: {
      ...{ numbers: [destination, ...alternatives], tries, intervalMs },
      ...(notBefore !== undefined && { notBefore }),
      ...(until !== undefined && { until }),
    },
    dials,
    told: attempts.map(({ status, reason }) => ({ status, isLost: reason === 'lost' })),
    ...(record['finished'] === true && { overAt: Number(record['ended_at']) }),
    ...(cancel && { cancelledAt: cancel.at }),
    isHurried: entries.some(({ event }) => HURRIES.has(event)),
    clocksMs: CLOCKS_MS,
  };
};

const campaignOf = (
  { database: { tables } }: Trial,
  { id, input, destinations, hours }: SimulatedCampaign,
  stories: ReadonlyMap<number, CallStory>,
): CampaignStory => {
  const entries = tables.history.get(id) ?? [];
  const regions = new Map(destinations.map(({ row, region }) => [row, region]));
  const shut = hoursOf(entries, input);
  const calls = [...stories].flatMap(([call, story]) => {
    const { campaign } = inputOf(tables.history.get(call)!);
    const isAnswered = tables.records.get('calls')?.get(call)?.['answered_at'] !== null;
    return campaign?.id === id
      ? [{ ...story, dials: story.dials.map(afterTrouble), row: campaign.row, isAnswered }]
      : [];
  });
  return {
    name: `campaign ${id}`,
    records: new Map(destinations.map(({ row, numbers }) => [row, numbers])),
    calls,
    maxAnswered: input.maxAnswered,
    paces: pacesOf(entries, input),
    isOpen: (row, at) =>
      !areShut(shut.findLast(({ from }) => from <= at)?.hours ?? input.hours) &&
      windowAt(hours, regions.get(row) ?? '', at).open,
    clocksMs: CLOCKS_MS,
  };
};

/** A grant outlives an outage, however long: the hours it was given in are judged in calm time only. */
const afterTrouble = (dial: Dial): Dial =>
  dial.mayBeLateMs > CALM_DIAL_MS ? { ...dial, mayBeLateMs: FULL_MS } : dial;

const changesOf = ({ event, payload }: HistoryRow): CampaignChanges =>
  event === 'changed' ? ((JSON.parse(payload ?? '{}') as { changes?: CampaignChanges }).changes ?? {}) : {};

const pacesOf = (entries: readonly HistoryRow[], { pace }: CampaignInput): Pace[] =>
  entries.flatMap((entry, index) => {
    const callsPerMinute = index === 0 ? pace.callsPerMinute : changesOf(entry).pace?.callsPerMinute;
    return callsPerMinute === undefined ? [] : [{ from: entry.at, callsPerMinute }];
  });

/** The hours in force, by the moment that they were changed at. */
const hoursOf = (
  entries: readonly HistoryRow[],
  { hours }: CampaignInput,
): { from: number; hours: CampaignDatesAndHours }[] => {
  let current = hours;
  return entries.flatMap((entry) => {
    const { hours: changed } = changesOf(entry);
    if (!changed) return [];
    current = { ...current, ...changed };
    return [{ from: entry.at, hours: current }];
  });
};
