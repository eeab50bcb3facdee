/** What would become of a campaign: played ahead on a virtual clock, nothing is dialled and nothing is written. */
import type { Context } from 'koa';
import * as z from 'zod';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { CampaignChanges } from '../../../machines/campaign/input.ts';
import type { AccountRow } from '../../store/control.ts';
import { ofAccount } from '../accounts/ofAccount.ts';
import { route, type Scope } from '../declare.ts';
import type { AdminDoor } from '../door.ts';
import { moment, writtenId } from '../fields.ts';
import { type Told, writeForecast } from './forecast/answer.ts';
import type { ForecastDeps } from './forecast/deps.ts';
import { type ForecastSubject, gather, readRates } from './forecast/gather.ts';
import { objectionTo, withGiven } from './forecast/rates.ts';
import { AdminError, given, notFound, pathId } from '../respond.ts';
import { ownerOf } from './ofCampaign.ts';

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
    start: moment,
    calls_per_minute: z.int().min(0).max(1_000_000).nullable(),
    max_transfers: z.int().min(1).max(1_000_000).nullable(),
  })
  .partial();

export type ForecastAsked = z.output<typeof fields>;

/** More would take longer than anybody waits. */
const MOST_DESTINATIONS = 1_000_000;
/** Real time that it may play, milliseconds; what there is by then is the answer. */
const PATIENCE_MS = 60_000;
const DEFAULT_SEED = 1;

const answer = z.object({
  source_of_rates: z
    .enum(['campaign', 'campaigns', 'calls', 'default'])
    .describe('Calls of the last 30 days that the rates were taken from; `default`: there were too few.'),
  given_rates: z.array(z.string()),
  rates: z.object({
    answer_rate: z.number(),
    busy_rate: z.number(),
    no_answer_rate: z.number(),
    failure_rate: z.number(),
    transfer_rate: z.number(),
    hang_up_rate: z.number(),
    talk_seconds: z.number(),
    ring_seconds: z.number(),
  }),
  seed: z.int(),
  destinations: z.int(),
  waiting_calls: z.int(),
  skipped: z.record(z.string(), z.int()).describe('Records left out, by reason.'),
  started_at: z.string().describe('ISO 8601.'),
  ends: z.string().describe('completed, expired, truncated and others.'),
  finishes_at: z.string().nullable().describe('When the list is dialled through; null: it is not.'),
  stops_at: z.string(),
  reason: z.string(),
  truncated: z.boolean().describe('The time for playing was over before the campaign was.'),
  expires_with_unreached: z.int(),
  unreached: z.int(),
  calls: z.int(),
  attempts: z.int(),
  answered: z.int(),
  transferred: z.int(),
  minutes: z.number(),
  cost: z.string().describe('With a comma.'),
  calls_per_hour: z.array(z.object({ hour: z.string(), dials: z.int(), answered: z.int() })),
  windows: z.array(
    z.object({
      region: z.string(),
      destinations: z.int(),
      opens_at: z.string().nullable().describe('Null: never again.'),
    }),
  ),
  peak_concurrent: z.int(),
  steps: z.int(),
  took_ms: z.int(),
});

const example = {
  body: { answer_rate: 0.4, seed: 7 },
  answer: {
    ...{ source_of_rates: 'default', given_rates: ['answer_rate'], seed: 7, destinations: 1 },
    rates: {
      ...{ answer_rate: 0.4, busy_rate: 0.08, no_answer_rate: 0.4, failure_rate: 0.12 },
      ...{ transfer_rate: 0.1, hang_up_rate: 0.3, talk_seconds: 120, ring_seconds: 9 },
    },
    ...{ waiting_calls: 0, skipped: {}, started_at: '2026-11-22T12:00:00.000Z', ends: 'completed' },
    ...{ finishes_at: '2026-11-22T12:01:00.000Z', stops_at: '2026-11-22T12:01:00.000Z', reason: '' },
    ...{ truncated: false, expires_with_unreached: 0, unreached: 0, calls: 1, attempts: 1 },
    ...{ answered: 1, transferred: 0, minutes: 1, cost: '0,00', peak_concurrent: 1, steps: 20 },
    calls_per_hour: [{ hour: '2026-11-22T12:00:00.000Z', dials: 1, answered: 1 }],
    windows: [{ region: 'SP', destinations: 1, opens_at: '2026-11-22T12:00:00.000Z' }],
    took_ms: 40,
  },
};

/** A forecast of the campaign that the path names. */
const forecast = (scope: Scope<{ account: AccountRow }>) =>
  route({
    role: 'operator',
    summary: 'Plays a campaign ahead: nothing is dialled and nothing is written.',
    scope,
    path: z.object({ campaign: writtenId }),
    body: fields,
    answer,
    refuses: { 409: 'Nothing is left to be forecast.', 503: 'As many as may are played already.' },
    example,
    handle: ({ door, ctx, account, body, written }) => play(door, ctx, account, written['campaign'], body),
  });

const ofOwner: Scope<{ account: AccountRow }> = {
  params: {},
  find: async ({ door, written }) => ({ account: await ownerOf(door, written['campaign']) }),
};

export const forecastRoutes = {
  'POST /accounts/:account/campaigns/:campaign/forecast': forecast(ofAccount),
  'POST /campaigns/:campaign/forecast': forecast(ofOwner),
};

const play = async (
  door: AdminDoor,
  ctx: Context,
  account: AccountRow,
  written: string | undefined,
  asked: ForecastAsked,
) => {
  const objection = objectionTo(asked);
  if (objection)
    throw new AdminError(400, `${objection.field}: ${objection.text}`, { field: objection.field });
  const leaving = whenLeft(ctx);
  try {
    const began = performance.now();
    const id = pathId(written, 'campaign');
    const played = await playCampaign(
      door,
      { account, id },
      { ...asked, patienceMs: PATIENCE_MS },
      leaving.signal,
    );
    const tookMs = Math.round(performance.now() - began);
    const given = Object.keys(rates).filter((name) => asked[name as keyof ForecastAsked] !== undefined);
    return writeForecast({ ...played, given, tookMs });
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
export const playCampaign = async (
  deps: ForecastDeps,
  { account, id }: { account: AccountRow; id: number },
  asked: ForecastAsked & { patienceMs: number },
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

/** Throws a 404, and a 409 for a campaign that has nothing left to be forecast. */
const subjectOf = async (deps: ForecastDeps, account: AccountRow, id: number): Promise<ForecastSubject> => {
  const view = await deps.engine.view({ shard: account.shard, account: account.id, id });
  if (view?.kind !== 'campaign') throw notFound(`campaign ${id}`);
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
  subject: ForecastSubject,
  asked: ForecastAsked & { patienceMs: number },
  signal: AbortSignal,
): Promise<Pick<Told, 'source' | 'scenario'>> => {
  const [known, gathered] = [await readRates(deps, subject), await gather(deps, subject, signal)];
  const scenario = {
    ...gathered,
    changes: changesOf(asked),
    start: asked.start ?? deps.engine.now(subject.account.shard),
    seed: asked.seed ?? DEFAULT_SEED,
    rates: withGiven(known.rates, asked),
    patienceMs: asked.patienceMs,
  };
  return { source: known.source, scenario };
};

const changesOf = (asked: ForecastAsked): CampaignChanges => ({
  pace: given({ callsPerMinute: asked.calls_per_minute, maxTransfers: asked.max_transfers }),
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
