/** When a campaign will end and what it will come to, played ahead; in figures and in sentences. */
import * as z from 'zod';
import { decimalSchema, int } from '../operations/parameterValueSchemas.ts';
import type { AccountRow } from '../store/controlDatabase.ts';
import type { CampaignForecast, ExplainAndForecastService } from './explainAndForecastContract.ts';
import { formatLocalDateTime } from '../lib/formatLocalDateTime.ts';
import { toolSuccess, customTool } from './defineCustomTool.ts';
import { toolFailure, type Json, type Tool } from './tool.ts';
import { defineParams } from '../operations/param.ts';

const answer = z.object({
  cp_id: z.int(),
  summary: z.array(z.string()).describe('The same in sentences.'),
  ends: z
    .enum(['completed', 'limitReached', 'expired', 'truncated'])
    .describe('expired: its last day is over first.'),
  ends_at: z.string().describe('YYYY-MM-DD HH:MM:SS.'),
  time_zone: z.string().describe('Of ends_at.'),
  destinations: z.int().describe('Not dialled yet.'),
  unreached: z.int().describe('Of those, never dialled by then.'),
  calls: z.int().describe('From now on.'),
  attempts: z.int().describe('Dials, retries counted.'),
  answered: z.int(),
  transferred: z.int(),
  minutes: z.number().describe('Of talk.'),
  cost: z.string().describe('With a comma, in the currency of the account.'),
  unfunded: z.int().describe('For want of balance.'),
  answer_rate: z.number().describe('Assumed share of dials.'),
  rates_from: z
    .enum(['campaign', 'campaigns', 'calls', 'default', 'given'])
    .describe('Its own calls, other campaigns, all calls, a guess, the question.'),
});

const most = int(1, 1_000_000).optional();

const forecastParams = defineParams({
  campaign: {
    rest: 'cp_id',
    tool: 'cp_id',
    schema: int(1, 2 ** 31 - 1).optional(),
    description: 'The campaign.',
  },
  callsPerMinute: {
    rest: 'calls_per_minute',
    tool: 'calls_per_minute',
    schema: most,
    description: 'What if: so many a minute.',
  },
  maxTransfers: {
    rest: 'max_transfers',
    tool: 'max_transfers',
    schema: most,
    description: 'What if: so many at a time.',
  },
  answerRate: {
    rest: 'answer_rate',
    tool: 'answer_rate',
    schema: decimalSchema(0, 1).optional(),
    description: 'What if: this share of dials.',
  },
});

export const campaignForecastTool = ({ forecast }: Pick<ExplainAndForecastService, 'forecast'>): Tool =>
  customTool({
    name: 'campaign_forecast',
    title: 'Forecast a campaign',
    description:
      'Plays a campaign ahead: when it ends, whom it reaches, what it costs, what is left over. No call is' +
      ' made; takes seconds. A paused one is played as if started now; calls_per_minute, max_transfers,' +
      ' answer_rate ask what if. 409: it is over, or its list is still read. 503: try again.',
    permission: 'telephony',
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    params: forecastParams,
    requires: ['campaign'],
    answer,
    example: { cp_id: 3, calls_per_minute: 60 },
    async handle(wish, { caller: { account }, signal }) {
      const told = await forecast(account, { ...wish, campaign: wish.campaign! }, signal);
      if (told.outcome === 'refused') return toolFailure(told.code, told.why);
      return toolSuccess({ cp_id: wish.campaign, ...figuresOf(told.forecast, account) });
    },
  });

const figuresOf = (told: CampaignForecast, { time_zone: zone }: AccountRow): Json => {
  const { ends, endsAt, destinations, unreached, calls, attempts, answered, transferred, minutes, cost } =
    told;
  return {
    summary: summaryOf(told, zone),
    ...{ ends, ends_at: formatLocalDateTime(endsAt, zone), time_zone: zone },
    ...{ destinations, unreached, calls, attempts, answered, transferred, minutes, cost },
    unfunded: told.unfunded,
    answer_rate: told.answerRate,
    rates_from: told.ratesFrom,
  };
};

const summaryOf = (told: CampaignForecast, zone: string): string[] => {
  const given = told.active ? 'As it goes on now' : 'If it is switched on now';
  return [
    `${given}, ${endings[told.ends]} ${formatLocalDateTime(told.endsAt, zone)} (${zone}).`,
    ...(told.reason === '' ? [] : [`Why: ${told.reason}.`]),
    told.unreached === 0
      ? 'Every destination is dialled by then.'
      : `${told.unreached} of ${told.destinations} destinations are never dialled by then.`,
    ...leftOutOf(told),
    `${told.answered} of ${told.calls} calls are answered, with ${told.attempts} dials and ${told.minutes} minutes of talk; they cost ${told.cost}.`,
    ...(told.runsOutAt === null
      ? []
      : [
          `The balance runs out at ${formatLocalDateTime(told.runsOutAt, zone)}: ${told.unfunded} destinations are not dialled for it.`,
        ]),
    `${sources[told.ratesFrom]}: ${Math.round(told.answerRate * 100)} % of the dials are answered.`,
  ];
};

/** Who is not dialled or has to wait, and why. */
const leftOutOf = ({ leftOut }: CampaignForecast): string[] =>
  leftOut.map(({ waits, reason, destinations }) => {
    const why = reasons[reason] ?? reason;
    return `${destinations} destinations ${waits ? 'have to wait' : 'are not dialled'}: ${why}.`;
  });

const reasons: Readonly<Record<string, string>> = {
  route: 'no trunk carries them',
  closedPrefix: 'the account does not call such numbers',
  dayLimit: 'the account has spent what it may in a day',
};

const endings: Readonly<Record<CampaignForecast['ends'], string>> = {
  completed: 'its list is dialled through on',
  limitReached: 'it has reached as many as it is to reach on',
  expired: 'its last day is over before its list, on',
  truncated: 'it could be played only until',
};

const sources: Readonly<Record<CampaignForecast['ratesFrom'], string>> = {
  campaign: 'As in its own calls so far',
  campaigns: 'As in the campaigns of the account of late',
  calls: 'As in all calls of the account of late',
  default: 'Too few calls are known, so that this is a guess',
  given: 'As was asked',
};
