/** What would become of a campaign: played ahead on a virtual clock, nothing is dialled and nothing is written. */
import type { Context } from 'koa';
import * as z from 'zod';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { CampaignChanges } from '../../../machines/campaign/input.ts';
import type { ForecastResult } from '../../forecast/scenarioAndResultTypes.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { markChangesNothing } from '../admitAndAuditAdministrator.ts';
import { defineRoute, type PathResourceLookup } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { dateTimeFieldSchema, pathIdField } from '../fieldSchemas.ts';
import { type Told, formatForecastApiAnswer } from './forecast/answer.ts';
import type { ForecastDeps } from './forecast/deps.ts';
import {
  type CampaignToForecast,
  gatherCampaignScenario,
  estimateCallOutcomeRates,
} from './forecast/gatherCampaignScenario.ts';
import { outcomeRateOverridesError, applyOutcomeRateOverrides } from './forecast/callOutcomeRates.ts';
import { forecastAnswerSchema, forecastExample } from './forecast/forecastAnswerSchema.ts';
import { AdminError, omitUndefined, notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';
import { findCampaignAccount } from './campaignInPath.ts';

/** Dates of later years are written in another way. Epoch milliseconds. */
const YEAR_10000 = Date.UTC(10_000, 0, 1);

const share = z.number('must be a number from 0 to 1').min(0).max(1);

const rates = {
  answer_rate: share,
  busy_rate: share,
  no_answer_rate: share,
  failure_rate: share,
  transfer_rate: share,
  hang_up_rate: share,
  talk_seconds: z.number().min(1).max(3_600),
};

const fields = z
  .strictObject({
    ...rates,
    seed: z.int().min(0).max(4_294_967_295),
    start: dateTimeFieldSchema
      .refine((at) => at < YEAR_10000, 'must be before the year 10000')
      .meta({ format: 'moment' }),
    calls_per_minute: z.int().min(0).max(1_000_000).nullable(),
    max_transfers: z.int().min(1).max(1_000_000).nullable(),
  })
  .partial();

export type ForecastRequestBody = z.output<typeof fields>;

/** More would take longer than anybody waits. */
const MOST_DESTINATIONS = 1_000_000;
/** Real time that it may play, milliseconds; what there is by then is the answer. */
const PATIENCE_MS = 60_000;
const DEFAULT_SEED = 1;

/** A forecast of the campaign that the path names. */
const forecast = (scope: PathResourceLookup<{ account: AccountRow }>) =>
  defineRoute({
    role: 'operator',
    summary: 'Plays a campaign ahead: nothing is dialled and nothing is written.',
    scope,
    path: z.object({ campaign: pathIdField }),
    body: fields,
    answer: forecastAnswerSchema,
    refuses: { 409: 'Nothing is left to be forecast.', 503: 'As many as may are played already.' },
    example: forecastExample,
    handle: ({ deps, ctx, account, body, written }) => {
      markChangesNothing(ctx);
      return play(deps, ctx, account, written['campaign'], body);
    },
  });

const ofOwner: PathResourceLookup<{ account: AccountRow }> = {
  params: {},
  find: async ({ deps, written }) => ({ account: await findCampaignAccount(deps, written['campaign']) }),
};

export const forecastRoutes = {
  'POST /accounts/:account/campaigns/:campaign/forecast': forecast(accountInPath),
  'POST /campaigns/:campaign/forecast': forecast(ofOwner),
};

const play = async (
  deps: AdminDeps,
  ctx: Context,
  account: AccountRow,
  written: string | undefined,
  asked: ForecastRequestBody,
) => {
  const objection = outcomeRateOverridesError(asked);
  if (objection)
    throw new AdminError(400, `${objection.field}: ${objection.text}`, { field: objection.field });
  const leaving = whenLeft(ctx);
  try {
    const began = performance.now();
    const id = parsePathId(written, 'campaign');
    const played = await simulateCampaign(
      deps,
      { account, id },
      { ...asked, patienceMs: PATIENCE_MS },
      leaving.signal,
    );
    const tookMs = Math.round(performance.now() - began);
    const given = Object.keys(rates).filter((name) => asked[name as keyof ForecastRequestBody] !== undefined);
    return formatForecastApiAnswer({ ...played, given, tookMs });
  } catch (error) {
    if (error instanceof AdminError && error.status === 503) ctx.set('Retry-After', '5');
    throw error;
  } finally {
    leaving.forget();
  }
};

/**
 * Plays a campaign ahead, for so much real time. Throws `AdminError`: 404, 409 for one that has nothing left to be forecast, 503 when many are
 * played already.
 */
export const simulateCampaign = async (
  deps: ForecastDeps,
  { account, id }: { account: AccountRow; id: number },
  asked: ForecastRequestBody & { patienceMs: number },
  signal: AbortSignal,
): Promise<Pick<Told, 'scenario' | 'forecast' | 'source'>> => {
  const subject = await subjectOf(deps, account, id);
  const place = deps.forecasts.take();
  if (!place) throw new AdminError(503, 'as many forecasts as may go on at a time go on already');
  try {
    const { source, scenario } = await scenarioOf(deps, subject, asked, signal);
    return { source, scenario, forecast: await place.play(scenario, signal) };
  } finally {
    place.release();
  }
};

/** Milliseconds of real time that a forecast may take that a page shows beside others, and that it may play of them. */
const SHOWN = { waitMs: 30_000, patienceMs: 10_000 };

/** How a running campaign will end as it is. Throws `AdminError` as `simulateCampaign` does. */
export const forecastRunningCampaign = async (
  deps: ForecastDeps & { control: Pick<AdminDeps['control'], 'account'> },
  { account_id: account, id }: { account_id: number; id: number },
): Promise<ForecastResult> => {
  const owner = await deps.control.account(account);
  if (!owner) throw notFound(`account ${account}`);
  const { patienceMs } = SHOWN;
  const signal = AbortSignal.timeout(SHOWN.waitMs);
  return (await simulateCampaign(deps, { account: owner, id }, { patienceMs }, signal)).forecast;
};

/** Throws a 404, and a 409 for a campaign that has nothing left to be forecast. */
const subjectOf = async (
  deps: ForecastDeps,
  account: AccountRow,
  id: number,
): Promise<CampaignToForecast> => {
  const view = await deps.engine.view({ shard: account.shard, account: account.id, id });
  if (view?.kind !== 'campaign') throw notFound(`campaign ${id}`, account.shard);
  const context = view.context as CampaignContext;
  const objection = standing(context) ?? sizeObjection(context);
  if (objection !== undefined) throw new AdminError(409, objection);
  return { account, id, context };
};

const standing = ({ phase, reason }: CampaignContext): string | undefined => {
  switch (phase) {
    case 'loading':
      return 'the destinations of the campaign are being chosen: try again in a moment';
    case 'failed':
      return `the destinations of the campaign could not be chosen: ${reason}`;
    case 'completed':
    case 'limitReached':
    case 'expired':
      return `the campaign is over (${phase}): nothing is left to forecast`;
    default:
      return undefined;
  }
};

const sizeObjection = ({ counts }: CampaignContext): string | undefined =>
  counts.destinations > MOST_DESTINATIONS
    ? `the campaign has ${counts.destinations} destinations; forecasts are made of up to ${MOST_DESTINATIONS}`
    : undefined;

const scenarioOf = async (
  deps: ForecastDeps,
  subject: CampaignToForecast,
  asked: ForecastRequestBody & { patienceMs: number },
  signal: AbortSignal,
): Promise<Pick<Told, 'source' | 'scenario'>> => {
  const [known, gathered] = [
    await estimateCallOutcomeRates(deps, subject),
    await gatherCampaignScenario(deps, subject, signal),
  ];
  const scenario = {
    ...gathered,
    changes: changesOf(asked),
    start: asked.start ?? deps.engine.now(subject.account.shard),
    seed: asked.seed ?? DEFAULT_SEED,
    rates: applyOutcomeRateOverrides(known.rates, asked),
    patienceMs: asked.patienceMs,
  };
  return { source: known.source, scenario };
};

const changesOf = (asked: ForecastRequestBody): CampaignChanges => ({
  pace: omitUndefined({ callsPerMinute: asked.calls_per_minute, maxTransfers: asked.max_transfers }),
});

/** Aborted when the caller goes away before there is an answer. */
const whenLeft = ({ res }: Context): { signal: AbortSignal; forget(): void } => {
  const left = new AbortController();
  const leave = (): void =>
    left.abort(new AdminError(499, 'the client does not wait for the forecast any more'));
  res.once('close', leave);
  // Who left while the body was read is not told of again.
  if (res.closed || res.destroyed) leave();
  return { signal: left.signal, forget: () => void res.off('close', leave) };
};
