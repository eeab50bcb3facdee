/** An account as the routes answer it. */
import * as z from 'zod';
import { anyObject, at } from '../fieldSchemas.ts';

/** An account, with what it has. */
export const accountSchema = z.object({
  cdcs_id: z.int(),
  name: z.string(),
  shard: z.string().describe('The part of the database (shard) that it lives in.'),
  reseller_id: z.int().nullable().describe('The account that pays with it; null: none.'),
  active: z.boolean(),
  time_zone: z.string(),
  caller_id: z.string(),
  caller_ids: z.array(z.string()),
  skip_blocklist: z.boolean(),
  retry_declined: z.boolean(),
  regional_window: z.int(),
  calling_windows: z.unknown().describe('Null: the default table.'),
  fixed_routes: z.boolean(),
  callback_url: z.string(),
  callback_method: z.string(),
  callback_type: z.string(),
  callback_events: z.string(),
  campaign_windows: z.boolean(),
  closed_prefixes: z
    .object({ open: z.array(z.string()), closed: z.array(z.string()) })
    .describe('open: its calls go to these alone, where there are any. closed: they never go to these.'),
  spend_per_day: z
    .string()
    .nullable()
    .describe('What its calls may cost it in a day of its zone; null: no matter.'),
  charge_calls: z
    .boolean()
    .describe('Its calls are paid out of the balance, step by step, before each begins.'),
  concurrent_calls: z.int().nullable(),
  webhook_secret: z
    .string()
    .nullable()
    .describe('Signs its callbacks; null when another `SECRET_KEY` sealed it.'),
  webhook_secret_before_until: at.nullable(),
  sms_night_cap: z.int(),
  settings: anyObject,
  created_at: at,
  has_callback_headers: z.boolean(),
  has_callback_user: z.boolean(),
  has_callback_password: z.boolean(),
  cdcs_uni_ctid: z.boolean(),
  balance: z.number(),
  call_rate: z.number().describe('Of a minute.'),
  price_1: z.number().describe('Of a chat message inside an open conversation.'),
  price_2: z.number().describe('Of a template.'),
});

/** The demo account. */
export const accountExample = {
  ...{ cdcs_id: 3, name: 'Demo', shard: 'a', reseller_id: null, active: true },
  ...{ time_zone: 'America/Sao_Paulo', caller_id: '', caller_ids: [], skip_blocklist: false },
  ...{ retry_declined: true, regional_window: 0, calling_windows: null, fixed_routes: false },
  ...{ callback_url: 'https://crm.example/ramal', callback_method: 'POST', callback_type: 'json' },
  ...{ callback_events: '', campaign_windows: false, concurrent_calls: null },
  ...{ closed_prefixes: { open: [], closed: [] }, spend_per_day: null, charge_calls: false },
  ...{ webhook_secret: '[secret]', webhook_secret_before_until: null, sms_night_cap: 300 },
  ...{ settings: {}, created_at: 1_795_325_744_421, has_callback_headers: false },
  ...{ has_callback_user: false, has_callback_password: false, cdcs_uni_ctid: false },
  ...{ balance: 100, call_rate: 0, price_1: 0, price_2: 0 },
};
