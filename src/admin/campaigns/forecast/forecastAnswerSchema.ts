/** The answer of a forecast, as the admin API declares it. */
import * as z from 'zod';

const amount = z.string().describe('Ten-thousandths, with a point: `5.7600`.');

const earnings = {
  sale: amount.describe('What the account pays.'),
  purchase: amount.describe('What the trunks ask.'),
  margin: amount,
  unpriced: z.int().describe('Answered calls whose trunk has no price: they are in no purchase.'),
};

const trunk = z.object({
  trunk: z.string(),
  calls: z.int().describe('Whose last attempt it carries.'),
  attempts: z.int(),
  answered: z.int(),
  minutes: z.number(),
  ...earnings,
});

const leftOut = z.object({
  ends: z.enum(['CANCEL', 'waits']).describe('CANCEL: never dialled. waits: not at once, or not any more.'),
  reason: z
    .string()
    .describe('As in explanations and records: `route`, `closedPrefix`, `dayLimit` and others.'),
  trunks: z.array(z.string()).describe('Trunks that would carry it and why they do not: `sandbox:hours`.'),
  destinations: z.int(),
});

const balance = z.object({
  runs_out_at: z.string().nullable().describe('When one first covers too little, ISO 8601; null: never.'),
  attempts_before: z.int().describe('Attempts that are paid for until then.'),
  unfunded: z.int().describe('Destinations that end CANCEL, `insufficientBalance`.'),
  cut_off: z.int().describe('Calls under way that are hung up for it.'),
  payers: z.array(z.object({ cdcs_id: z.int(), before: amount, after: amount })),
});

/** What a forecast answers. */
export const forecastAnswerSchema = z.object({
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
  earnings: z.object(earnings),
  trunks: z.array(trunk).describe('By which calls go, those of the most attempts first.'),
  left_out: z.array(leftOut).describe('Who is not dialled, or has to wait, capacity apart.'),
  balance: balance.nullable().describe('Null: calls are not paid out of a balance.'),
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

/** A question and its answer. */
export const forecastExample = {
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
    ...{ answered: 1, transferred: 0, minutes: 1, cost: '0,120', peak_concurrent: 1, steps: 20 },
    earnings: { sale: '0.1200', purchase: '0.0450', margin: '0.0750', unpriced: 0 },
    trunks: [
      {
        ...{ trunk: 'sandbox', calls: 1, attempts: 1, answered: 1, minutes: 1 },
        ...{ sale: '0.1200', purchase: '0.0450', margin: '0.0750', unpriced: 0 },
      },
    ],
    ...{ left_out: [], balance: null },
    calls_per_hour: [{ hour: '2026-11-22T12:00:00.000Z', dials: 1, answered: 1 }],
    windows: [{ region: 'SP', destinations: 1, opens_at: '2026-11-22T12:00:00.000Z' }],
    took_ms: 40,
  },
};
