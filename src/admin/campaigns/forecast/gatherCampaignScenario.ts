/** A campaign's scenario, gathered from the database: what is left to dial, who waits, what is known of people. */
import type { CallTemplate } from '../../../../machines/campaign/input.ts';
import type { CampaignContext } from '../../../../machines/campaign/context.ts';
import type { PromptSource } from '../../../../machines/call/input.ts';
import { firstIdAt } from '../../../engine/contract/idGenerator.ts';
import type {
  UnclaimedDestinationsOfRegion,
  ForecastSimulationInput,
  CallsAwaitingRetry,
} from '../../../forecast/scenarioAndResultTypes.ts';
import { parseCallingWindows } from '../../../rules/voice/callingWindows.ts';
import type { AccountRow } from '../../../store/controlDatabase.ts';
import {
  readCallHistoryFigures,
  type CallHistoryScope,
  readUnfinishedCampaignCalls,
  type LivingCallRow,
  readMediaDurations,
  unclaimedDestinationPages,
} from '../../../store/reads/campaigns/forecastInputs.ts';
import { packPhoneNumber } from '../../../rules/voice/packedNumbers.ts';
import type { ForecastDeps } from './deps.ts';
import {
  gatherForecastTrunksAndBalances,
  type ForecastTrunksAndBalances,
  tollRulesOf,
} from './trunksAndBalances.ts';
import {
  DEFAULT_CALL_OUTCOME_RATES,
  sumDialOutcomes,
  ENOUGH_DIALS,
  outcomeRatesFromHistory,
  type OutcomeRateSource,
} from './callOutcomeRates.ts';

export interface CampaignToForecast {
  account: AccountRow;
  /** `cp_id`. */
  id: number;
  context: CampaignContext;
}

const HISTORY_MS = 30 * 86_400_000;

/** The rates of the first source that has enough to say. */
export const estimateCallOutcomeRates = async (
  deps: ForecastDeps,
  { account, id, context }: CampaignToForecast,
): Promise<{ source: OutcomeRateSource; rates: ForecastSimulationInput['rates'] }> => {
  const fromId = firstIdAt(deps.engine.now(account.shard) - HISTORY_MS);
  const transfers = mayTransfer(context.definition.call);
  const sources: [OutcomeRateSource, CallHistoryScope][] = [
    ['campaign', { campaign: id }],
    ['campaigns', 'campaigns'],
    ['calls', 'calls'],
  ];
  for (const [source, of] of sources) {
    const history = await readCallHistoryFigures(deps.pool(account.shard), {
      account: account.id,
      fromId,
      of,
    });
    if (sumDialOutcomes(history) >= ENOUGH_DIALS)
      return { source, rates: outcomeRatesFromHistory(history, transfers) };
  }
  return { source: 'default', rates: DEFAULT_CALL_OUTCOME_RATES };
};

const mayTransfer = ({ transfer, keys }: CallTemplate): boolean =>
  transfer !== undefined || Object.values(keys).some((action) => action.do === 'transfer');

/** All but the rates and what is asked. */
export const gatherCampaignScenario = async (
  deps: ForecastDeps,
  { account, id, context }: CampaignToForecast,
  signal: AbortSignal,
): Promise<
  ForecastTrunksAndBalances &
    Pick<ForecastSimulationInput, 'campaign' | 'list' | 'waiting' | 'account' | 'mediaSeconds'>
> => {
  const pool = deps.pool(account.shard);
  const list: UnclaimedDestinationsOfRegion[] = [];
  for (const [region, { count, cursor }] of Object.entries(context.regions)) {
    const query = { account: account.id, campaign: id, region, cursor };
    list.push(
      await readRegion(
        unclaimedDestinationPages(pool, query),
        { region, cursor, room: count - cursor },
        signal,
      ),
    );
  }
  const money = await gatherForecastTrunksAndBalances(deps, account);
  const limit = Math.max(0, context.counts.started - context.counts.ended);
  const living = await readUnfinishedCampaignCalls(pool, { account: account.id, campaign: id, limit });
  return {
    campaign: madeAsOf(context, living),
    list,
    waiting: waitingOf(living, context.definition.call.schedule.intervalMs),
    account: {
      id: account.id,
      ...tollRulesOf(account),
      zone: account.time_zone,
      ...(account.campaign_windows && { table: parseCallingWindows(account.calling_windows) }),
      concurrentCalls: account.concurrent_calls,
      callRate: account.call_rate.toFixed(4),
    },
    ...money,
    mediaSeconds: await readMediaDurations(pool, account.id, mediaOf(context.definition.call)),
  };
};

const readRegion = async (
  pages: ReturnType<typeof unclaimedDestinationPages>,
  { region, cursor, room }: { region: string; cursor: number; room: number },
  signal: AbortSignal,
): Promise<UnclaimedDestinationsOfRegion> => {
  const [rows, counts] = [new Int32Array(room), new Uint8Array(room)];
  const dialled: number[] = [];
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const { seq, row, numbers } of page) {
      const those = numbers.split(' ').slice(0, 255);
      rows[seq - cursor - 1] = row;
      counts[seq - cursor - 1] = those.length;
      for (const number of those) dialled.push(packPhoneNumber(number));
    }
  }
  return { region, cursor, rows, numbers: counts, dialled: Float64Array.from(dialled) };
};

/** Calls that will dial again. Who is up is taken to be through; who rings is taken to be dialled once more. */
const waitingOf = (living: readonly LivingCallRow[], intervalMs: number): CallsAwaitingRetry => {
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
    dialled: Float64Array.from(waiting, ({ destination }) => packPhoneNumber(destination)),
  };
};

/**
 * The campaign with what its calls have made by now. Who rings for the first time is dialled once more, and counted as made
 * then. What a call has begun is heard by its campaign a moment later: until then its grant is out, and it is not counted.
 */
const madeAsOf = (context: CampaignContext, living: readonly LivingCallRow[]): CampaignContext => {
  const unheard = new Set(context.flow.granted.map(({ call }) => call));
  const begun = living.filter(
    ({ status, attempt, dialed_at }) => status === '' && attempt === 1 && dialed_at !== null,
  );
  const ringing = begun.filter(({ id, answered_at }) => answered_at === null && !unheard.has(id)).length;
  const up = begun.filter(({ id, answered_at }) => answered_at !== null && unheard.has(id)).length;
  return { ...context, counts: { ...context.counts, made: context.counts.made - ringing + up } };
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
