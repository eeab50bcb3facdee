/** A campaign's scenario, gathered from the database: what is left to dial, who waits, what is known of people. */
import type { CallTemplate } from '../../../../machines/campaign/input.ts';
import type { CampaignContext } from '../../../../machines/campaign/context.ts';
import type { PromptSource } from '../../../../machines/call/input.ts';
import { firstIdAt } from '../../../engine/contract/idGenerator.ts';
import type { RegionRows, Scenario, WaitingCalls } from '../../../forecast/scenario.ts';
import { readWindows } from '../../../rules/voice/windows.ts';
import type { AccountRow } from '../../../store/control.ts';
import {
  callHistory,
  type CallsOf,
  livingCalls,
  type LivingCallRow,
  mediaSeconds,
  unclaimedRows,
} from '../../../store/reads/campaigns/forecast.ts';
import { packNumber } from '../../../rules/voice/packedNumbers.ts';
import type { ForecastDeps } from './deps.ts';
import { gatherMoney, type Money, tollRulesOf } from './trunksAndBalances.ts';
import { DEFAULT_RATES, dialsOf, ENOUGH_DIALS, ratesOf, type RateSource } from './rates.ts';

export interface ForecastSubject {
  account: AccountRow;
  /** `cp_id`. */
  id: number;
  context: CampaignContext;
}

const HISTORY_MS = 30 * 86_400_000;

/** The rates of the first source that has enough to say. */
export const readRates = async (
  deps: ForecastDeps,
  { account, id, context }: ForecastSubject,
): Promise<{ source: RateSource; rates: Scenario['rates'] }> => {
  const fromId = firstIdAt(deps.engine.now(account.shard) - HISTORY_MS);
  const transfers = mayTransfer(context.definition.call);
  const sources: [RateSource, CallsOf][] = [
    ['campaign', { campaign: id }],
    ['campaigns', 'campaigns'],
    ['calls', 'calls'],
  ];
  for (const [source, of] of sources) {
    const history = await callHistory(deps.pool(account.shard), { account: account.id, fromId, of });
    if (dialsOf(history) >= ENOUGH_DIALS) return { source, rates: ratesOf(history, transfers) };
  }
  return { source: 'default', rates: DEFAULT_RATES };
};

const mayTransfer = ({ transfer, keys }: CallTemplate): boolean =>
  transfer !== undefined || Object.values(keys).some((action) => action.do === 'transfer');

/** All but the rates and what is asked. */
export const gather = async (
  deps: ForecastDeps,
  { account, id, context }: ForecastSubject,
  signal: AbortSignal,
): Promise<Money & Pick<Scenario, 'campaign' | 'list' | 'waiting' | 'account' | 'mediaSeconds'>> => {
  const pool = deps.pool(account.shard);
  const list: RegionRows[] = [];
  for (const [region, { count, cursor }] of Object.entries(context.regions)) {
    const query = { account: account.id, campaign: id, region, cursor };
    list.push(await readRegion(unclaimedRows(pool, query), { region, cursor, room: count - cursor }, signal));
  }
  const money = await gatherMoney(deps, account);
  const limit = Math.max(0, context.counts.started - context.counts.ended);
  const living = await livingCalls(pool, { account: account.id, campaign: id, limit });
  return {
    campaign: withoutRinging(context, living),
    list,
    waiting: waitingOf(living, context.definition.call.schedule.intervalMs),
    account: {
      id: account.id,
      ...tollRulesOf(account),
      zone: account.time_zone,
      ...(account.campaign_windows && { table: readWindows(account.calling_windows) }),
      concurrentCalls: account.concurrent_calls,
      callRate: account.call_rate.toFixed(4),
    },
    ...money,
    mediaSeconds: await mediaSeconds(pool, account.id, mediaOf(context.definition.call)),
  };
};

const readRegion = async (
  pages: ReturnType<typeof unclaimedRows>,
  { region, cursor, room }: { region: string; cursor: number; room: number },
  signal: AbortSignal,
): Promise<RegionRows> => {
  const [rows, counts] = [new Int32Array(room), new Uint8Array(room)];
  const dialled: number[] = [];
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const { seq, row, numbers } of page) {
      const those = numbers.split(' ').slice(0, 255);
      rows[seq - cursor - 1] = row;
      counts[seq - cursor - 1] = those.length;
      for (const number of those) dialled.push(packNumber(number));
    }
  }
  return { region, cursor, rows, numbers: counts, dialled: Float64Array.from(dialled) };
};

/** Calls that will dial again. Who is up is taken to be through; who rings is taken to be dialled once more. */
const waitingOf = (living: readonly LivingCallRow[], intervalMs: number): WaitingCalls => {
  const waiting = living.filter(
    (call) => call.status !== 'OK' && (call.status !== '' || call.answered_at === null),
  );
  return {
    regions: waiting.map(({ region }) => region),
    rows: Int32Array.from(waiting, ({ row }) => row),
    tried: Uint8Array.from(waiting, ({ status, attempt }) =>
      Math.min(255, status === '' ? Math.max(0, attempt - 1) : attempt),
    ),
    dueAt: Float64Array.from(waiting, ({ status, ended_at }) =>
      status === '' || ended_at === null ? 0 : ended_at + intervalMs,
    ),
    dialled: Float64Array.from(waiting, ({ destination }) => packNumber(destination)),
  };
};

/** Who rings for the first time is dialled once more, and counted as made then. */
const withoutRinging = (context: CampaignContext, living: readonly LivingCallRow[]): CampaignContext => {
  const ringing = living.filter(
    ({ status, attempt, dialed_at, answered_at }) =>
      status === '' && attempt === 1 && dialed_at !== null && answered_at === null,
  ).length;
  return { ...context, counts: { ...context.counts, made: context.counts.made - ringing } };
};

const mediaOf = ({ prompts }: CallTemplate): string[] => {
  const { opening, slots, validate = {}, ...single } = prompts;
  const all: (PromptSource | undefined)[] = [
    ...opening,
    ...Object.values(slots),
    ...Object.values(validate),
    ...Object.values(single),
  ];
  return all.flatMap((source) => (source && 'media' in source ? [source.media] : []));
};
