/** What assistants may know of their own calls and campaigns, out of what the administration knows. */
import { kinds } from '../../machines/index.ts';
import { explain } from '../admin/explain.ts';
import type { ForecastDeps } from '../admin/campaigns/forecast/deps.ts';
import { playCampaign } from '../admin/campaigns/forecasts.ts';
import type { Told } from '../admin/campaigns/forecast/answer.ts';
import { outcomeSentence } from '../admin/outcome.ts';
import { AdminError } from '../admin/respond.ts';
import type { MachineView } from '../engine/contract/api.ts';
import type { CallInsight, CampaignForecast, Insight } from './insight.ts';
import { writeAmount } from '../rules/accounts/pricing.ts';
import { recordOf } from '../store/reads/machines/machines.ts';

/** Clients of assistants wait for a minute at most. */
const patienceMs = 20_000;
const callKind = kinds.find(({ name }) => name === 'call')!;

export const ownCallsOf = (desk: ForecastDeps): Insight => ({
  async call({ id: account, shard }, id) {
    const row = await recordOf(desk.pool(shard), callKind.record!.table, account, id);
    if (!row) return undefined;
    const view = await desk.engine.view({ shard, account, id });
    return callInsight(row as unknown as CallRecordRow, view, desk.engine.now(shard));
  },

  async forecast(account, { campaign, callsPerMinute, maxTransfers, answerRate }, signal) {
    try {
      const asked = {
        patienceMs,
        ...(callsPerMinute !== undefined && { calls_per_minute: callsPerMinute }),
        ...(maxTransfers !== undefined && { max_transfers: maxTransfers }),
        ...(answerRate !== undefined && { answer_rate: answerRate }),
      };
      const told = await playCampaign(desk, { account, id: campaign }, asked, signal);
      return { outcome: 'forecast', forecast: campaignForecast(told, answerRate !== undefined) };
    } catch (error) {
      if (!(error instanceof AdminError)) throw error;
      return { outcome: 'refused', code: error.status, why: error.message };
    }
  },
});

/** What is read of a call's record. */
interface CallRecordRow {
  destination: string;
  requested_at: number;
  status: string;
  attempt: number;
  ended_at: number | null;
  [column: string]: unknown;
}

/** A machine of long ago is gone, and its record tells. */
const callInsight = (row: CallRecordRow, view: MachineView | undefined, now: number): CallInsight => {
  const told = view && explain(view, callKind, now);
  return {
    destination: row.destination,
    requestedAt: row.requested_at,
    status: row.status,
    attempts: row.attempt,
    state: view?.state.split('.')[0] ?? '',
    ended: told?.ended ?? true,
    outcome: outcomeSentence(row),
    reasons: told?.reasons ?? [],
    stuck: Boolean(view?.attention),
  };
};

const campaignForecast = (
  { scenario, forecast, source }: Pick<Told, 'scenario' | 'forecast' | 'source'>,
  given: boolean,
): CampaignForecast => {
  const { ends, endsAt, reason, unreached, calls, attempts, answered, transferred, seconds, cost } = forecast;
  const { phase } = scenario.campaign;
  return {
    active: phase !== 'paused',
    ...{ ends, endsAt, reason, unreached, calls, attempts, answered, transferred },
    destinations: scenario.list.reduce((sum, { rows }) => sum + rows.length, 0),
    minutes: Math.round(seconds / 0.6) / 100,
    cost: writeAmount(cost),
    answerRate: Math.round(scenario.rates.answer * 10_000) / 10_000,
    ratesFrom: given ? 'given' : source,
  };
};
