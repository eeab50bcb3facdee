/** What assistants may know of their own calls, messages and campaigns, out of what the administration knows. */
import { machineKinds } from '../../machines/index.ts';
import { explainMachine } from '../admin/explainMachine.ts';
import type { ForecastDeps } from '../admin/campaigns/forecast/deps.ts';
import { simulateCampaign } from '../admin/campaigns/forecasts.ts';
import type { Told } from '../admin/campaigns/forecast/answer.ts';
import { callOutcomeSentence } from '../admin/callOutcomeSentence.ts';
import { AdminError } from '../admin/adminErrorsAndRequestParsing.ts';
import { explainAccountAndCampaignHolds } from '../admin/explained/accountAndCampaignHolds.ts';
import { explainMessageRow } from '../admin/explained/messageRow.ts';
import { callNextStepSentence } from '../admin/explained/nextStepSentence.ts';
import { timeZoneNotice } from '../admin/explained/machineStatusSentences.ts';
import type { MachineView } from '../engine/contract/api.ts';
import type { Explanation } from '../engine/contract/kind.ts';
import type {
  CallInsight,
  CampaignForecast,
  ExplainAndForecastService,
  ExplanationLanguage,
} from './explainAndForecastContract.ts';
import { formatLocalDateTime } from '../lib/formatLocalDateTime.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import { formatCommaAmount } from '../rules/accounts/pricing.ts';
import { readMachineRecord } from '../store/reads/machines/machines.ts';

/** Clients of assistants wait for a minute at most. */
const patienceMs = 20_000;
const callKind = machineKinds.find(({ name }) => name === 'call')!;

export interface AccountExplainAndForecastDeps extends ForecastDeps {
  control: Pick<ControlDatabase, 'switchedOff' | 'payersOf'>;
}

export const createExplainAndForecastService = (
  deps: AccountExplainAndForecastDeps,
): ExplainAndForecastService => ({
  async call(account, id, language) {
    const { id: account_id, shard } = account;
    const pool = deps.pool(shard);
    const row = await readMachineRecord(pool, callKind.record!.table, account_id, id);
    if (!row) return undefined;
    const view = await deps.engine.view({ shard, account: account_id, id });
    const now = deps.engine.now(shard);
    const switchedOff = await deps.control.switchedOff(account);
    const held = view ? await explainAccountAndCampaignHolds({ view, pool, switchedOff, now }) : [];
    return callInsight(row as unknown as CallRecordRow, {
      view,
      held,
      now,
      language,
      zone: account.time_zone,
    });
  },

  message: ({ time_zone: zone }, row, language) => explainMessageRow(row, language, zone),

  async forecast(account, { campaign, callsPerMinute, maxTransfers, answerRate }, signal) {
    try {
      const asked = {
        patienceMs,
        ...(callsPerMinute !== undefined && { calls_per_minute: callsPerMinute }),
        ...(maxTransfers !== undefined && { max_transfers: maxTransfers }),
        ...(answerRate !== undefined && { answer_rate: answerRate }),
      };
      const told = await simulateCampaign(deps, { account, id: campaign }, asked, signal);
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
  reason: string;
  attempt: number;
  [column: string]: unknown;
}

interface Beside {
  /** Undefined: a machine of long ago is gone, and its record tells. */
  view: MachineView | undefined;
  held: readonly Explanation[];
  now: number;
  language: ExplanationLanguage;
  zone: string;
}

const askedFor: Readonly<Record<ExplanationLanguage, (when: string) => string>> = {
  en: (when) => `It was asked for at ${when}.`,
  pt: (when) => `Foi pedida em ${when}.`,
};

/** What went wrong inside is for operators: here it is only said that they are to be told. */
const callInsight = (row: CallRecordRow, { view, held, now, language, zone }: Beside): CallInsight => {
  const settings = { held, language, zone };
  const told = view && explainMachine({ ...view, attention: null }, callKind, now, undefined, settings);
  const ended = told?.ended ?? true;
  const until = told?.reasons.findLast(({ open }) => open)?.until;
  const story =
    told?.sentences ?? [callOutcomeSentence(row, language), timeZoneNotice[language](zone)].filter(isText);
  return {
    destination: row.destination,
    status: row.status,
    attempts: row.attempt,
    ended,
    sentences: [askedFor[language](formatLocalDateTime(row.requested_at, zone)), ...story],
    next: callNextStepSentence(
      {
        ...{ ended, reason: row.reason, stuck: Boolean(view?.attention), heldBy: held[0]?.rule },
        until: until === undefined ? undefined : formatLocalDateTime(until, zone),
      },
      language,
    ),
  };
};

const isText = (text: string | undefined): text is string => text !== undefined;

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
    cost: formatCommaAmount(cost),
    unfunded: forecast.balance?.unfunded ?? 0,
    runsOutAt: forecast.balance?.runsOutAt ?? null,
    leftOut: leftOutOf(forecast),
    answerRate: Math.round(scenario.rates.answer * 10_000) / 10_000,
    ratesFrom: given ? 'given' : source,
  };
};

/** By reason, whatever the trunks: their names are the operator's. A balance is told of apart. */
const leftOutOf = ({ leftOut }: Told['forecast']): CampaignForecast['leftOut'] => {
  const sums = new Map<string, CampaignForecast['leftOut'][number]>();
  for (const { type, reason, destinations } of leftOut) {
    if (reason === 'insufficientBalance') continue;
    const key = `${type} ${reason}`;
    const before = sums.get(key)?.destinations ?? 0;
    sums.set(key, { waits: type === 'postponed', reason, destinations: before + destinations });
  }
  return [...sums.values()];
};
