/** Campaigns as the routes answer them. */
import * as z from 'zod';
import type { CampaignRow } from '../../store/reads/campaigns/campaigns.ts';
import { at } from '../fieldSchemas.ts';
import { lineSchema, rowSchema } from '../lists/destinationListSchemas.ts';

/** A campaign in a list. */
export const campaignSchema = z.object({
  cp_id: z.int(),
  cdcs_id: z.int(),
  created_at: at,
  mode: z.string().describe('play, question or validate.'),
  correlation: z.string(),
  list_id: z.int(),
  name: z.string(),
  detail: z.string(),
  group_id: z.int().nullable(),
  group_name: z.string().nullable(),
  active: z.boolean(),
  state: z.string().describe('loading, active, paused, completed, limitReached, expired or failed.'),
  phase: z
    .string()
    .describe('The same, and while it is active: waitingWindow, dialing, throttled or draining.'),
  reason: z.string().describe('Why it failed.'),
  model: z.boolean().describe('It is cloned and never dialled.'),
  date_start: z.string().describe('YYYY-MM-DD.'),
  date_end: z.string(),
  time_start: z.string().describe('HH:MM:SS.'),
  time_end: z.string(),
  calls_per_minute: z.int().nullable().describe('Null: as many as the carrier bears.'),
  max_transfers: z.int().nullable().describe('Null: no limit.'),
  destinations: z.int(),
  skipped: z.int().describe('Records left out.'),
  made: z.int().describe('Destinations dialled at least once.'),
  answered: z.int(),
  transferred: z.int(),
  ended: z.int().describe('Calls that ended.'),
  finished_at: at.nullable(),
  transfers: z.boolean().describe('Its calls may be transferred.'),
});

/** One that dials. */
export const campaignExample = {
  ...{ cp_id: 12, cdcs_id: 3, created_at: 1_795_325_744_421, mode: 'play', correlation: '', list_id: 1 },
  ...{ name: 'Reminders', detail: '', group_id: null, group_name: null, active: true, state: 'active' },
  ...{ phase: 'dialing', reason: '', model: false, date_start: '2026-11-22', date_end: '2026-11-23' },
  ...{ time_start: '09:00:00', time_end: '18:00:00', calls_per_minute: 60, max_transfers: null },
  ...{ destinations: 1000, skipped: 3, made: 120, answered: 48, transferred: 0, ended: 118 },
  ...{ finished_at: null, transfers: false },
};

/** A record that was left out. */
export const skip = z.object({
  row: rowSchema,
  line: lineSchema,
  reason: z.string().describe('duplicate, blocklist, mobile, filter or name.'),
  numbers: z.string(),
  name: z.string(),
});

/** A record that is dialled, with its call. */
export const campaignDestinationSchema = z.object({
  region: z.string(),
  seq: z.int(),
  row: rowSchema,
  numbers: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'calling', 'ended']),
  call: z
    .object({
      cd_id: z.string(),
      status: z.string().nullable(),
      reason: z.string().nullable(),
      attempt: z.int().nullable(),
    })
    .nullable()
    .describe('Null: it waits.'),
});

export const show = (account: number, { id, ...row }: CampaignRow) => ({
  cp_id: id,
  cdcs_id: account,
  ...row,
});

/** How its calls stand and ended. */
export const campaignFiguresSchema = z.object({
  states: z.array(z.object({ state: z.string(), count: z.int() })).describe('Calls that have not ended.'),
  outcomes: z
    .record(z.string(), z.int())
    .describe('Calls that ended: answered, machine, noAnswer, busy, failed, cancelled, notDialled.'),
  cost: z
    .object({
      sale: z.string().describe('What the account pays for their talk.'),
      purchase: z.string().describe('What the trunks ask for it.'),
      margin: z.string(),
      unpriced: z.int().describe('Answered calls whose trunk had no price: they are in no purchase.'),
    })
    .describe('Of calls that ended, with four decimals; each call is rounded by itself.'),
  from: at.describe('Where the first bucket begins, epoch milliseconds.'),
  step_ms: z.int().describe('Length of a bucket: a minute to a week, so that there are 120 at most.'),
  ended: z
    .array(z.object({ bucket: z.int(), outcome: z.string(), count: z.int() }))
    .describe('Outcomes by when the call ended.'),
  dialled: z
    .array(z.object({ bucket: z.int(), dials: z.int(), answers: z.int() }))
    .describe('Attempts by when they were dialled.'),
});

export const campaignFiguresExample = {
  states: [{ state: 'dialing.ringing', count: 2 }],
  outcomes: { answered: 48, noAnswer: 70 },
  cost: { sale: '5.7600', purchase: '2.1600', margin: '3.6000', unpriced: 0 },
  ...{ from: 1_795_325_700_000, step_ms: 60_000 },
  ended: [
    { bucket: 0, outcome: 'answered', count: 48 },
    { bucket: 0, outcome: 'noAnswer', count: 70 },
  ],
  dialled: [{ bucket: 0, dials: 120, answers: 48 }],
};
