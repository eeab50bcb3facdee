/** Trunks and their routes, as bodies and answers of the admin API write them. */
import * as z from 'zod';
import {
  accountRecords,
  at,
  priceFieldSchema,
  referenceTo,
  text,
  callingWindowsFieldSchema,
  writeOnly,
} from '../fieldSchemas.ts';
import { sipFields, trunkSipAnswerSchemas } from './sipFields.ts';

/** Digits that numbers in international format begin with. */
const digits = z.string().regex(/^\d{0,15}$/, 'must be the first digits of numbers in international format');

/** Names that the settings give. */
const ofSettings = ['asterisk', 'sandbox'];

const trunkName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/,
    'must be letters, digits, dots, dashes or underscores, at most 40',
  )
  .refine((name) => !ofSettings.includes(name), 'is the name of the trunk that the settings make');

/** What ends a call everywhere: another trunk would ring the same telephone, or the callee has said no. */
const final = [486, 487, 600, 603, 607, 608];
/** An INVITE that was not answered may have rung. */
const unanswered = [408];

const sipStatus = z
  .int()
  .min(400, 'must be a final SIP answer, 400 to 699')
  .max(699, 'must be a final SIP answer, 400 to 699')
  .refine((status) => !final.includes(status), 'is the answer of the callee: no other trunk is tried')
  .refine((status) => !unanswered.includes(status), 'leaves open whether a telephone rang');

const callerId = z
  .string()
  .regex(/^(?:\d{3,15}|\d{0,14}\*)$/, 'must be digits in international format, or first digits and *');

const dialPattern = text(200).regex(
  /^(?:PJSIP\/[^\s,&/]*\{number\}[^\s,&]*)?$/,
  'must be as Asterisk dials, with {number}: PJSIP/{number}@carrier',
);

const state = z.enum(['on', 'draining', 'off']);
const states = 'on; draining: what is under way goes on and nothing new begins; off.';

const pricing = z.strictObject({
  prefix: digits.default(''),
  per_minute: priceFieldSchema,
  first_seconds: z.int().min(1).max(3_600).default(1),
  step_seconds: z.int().min(1).max(3_600).default(1),
});

const prices = z
  .array(pricing)
  .max(1_000)
  .refine(
    (all) => new Set(all.map(({ prefix }) => prefix)).size === all.length,
    'a prefix stands there twice',
  );

export const closedPrefixesSchema = z.strictObject({
  open: z.array(digits.min(1)).max(200).default([]),
  closed: z.array(digits.min(1)).max(200).default([]),
});

/** What an operator may change of a trunk. */
const changeable = {
  number_format: z.enum(['e164', 'plus', 'national']),
  caller_ids: z.array(callerId).max(1_000),
  calls_per_second: z.int().min(1).max(100_000),
  legs: z.int().min(1).max(1_000_000),
  failover: z.array(sipStatus).max(50),
  closed_prefixes: closedPrefixesSchema,
  spend_per_day: priceFieldSchema.nullable(),
  hours: callingWindowsFieldSchema,
  prices,
  state,
};

export const trunkChangesSchema = z
  .strictObject({ ...changeable, dial_pattern: dialPattern, ...sipFields })
  .partial();

export const newTrunkSchema = trunkChangesSchema.required({ calls_per_second: true, legs: true }).extend({
  name: trunkName,
  server: referenceTo({ list: '/trunk-servers', value: 'name' }, text(40).min(1)),
  simulates: z.enum(['first', 'second']).optional(),
});

export const trunkSchema = z.object({
  trunk_id: z.int(),
  name: z.string().describe('The text of `route` and `tfix`.'),
  server: z.string().describe('The name of its server.'),
  dial_pattern: z
    .string()
    .describe(
      'How Asterisk dials, with {number}; beside `sip_host` with {endpoint}, too. Empty: PJSIP/{number}@{endpoint}, and for the sandbox none.',
    ),
  ...trunkSipAnswerSchemas,
  number_format: z.string().describe('e164: 5511987654321; plus: +5511987654321; national: 011987654321.'),
  caller_ids: z
    .array(z.string())
    .describe('What it may show, in international format; `*` stands for any rest. Empty: any.'),
  calls_per_second: z.int().describe('New legs a second.'),
  legs: z.int().describe('Legs at a time.'),
  failover: z
    .array(z.int())
    .describe('SIP answers before ringing after which the attempt is tried on the next trunk.'),
  simulates: z.string().describe('Of the sandbox: which of its two carriers, first or second.'),
  closed_prefixes: z
    .object({ open: z.array(z.string()), closed: z.array(z.string()) })
    .describe('open: it carries these alone, where there are any. closed: it never carries these.'),
  spend_per_day: z
    .string()
    .nullable()
    .describe('What its calls may cost in a day of São Paulo, by its prices; null: no matter.'),
  hours: z.unknown().describe('When it may be used, as calling windows; null: at any time.'),
  prices: z
    .array(
      z.object({ prefix: z.string(), per_minute: z.string(), first_seconds: z.int(), step_seconds: z.int() }),
    )
    .describe('What the carrier asks for; the longest prefix counts.'),
  state: state.describe(states),
  from_settings: z.boolean().describe('The settings say how it dials.'),
  created_at: at,
  share: z
    .object({ calls_per_second: z.int(), legs: z.int() })
    .nullable()
    .describe('What the answering node may put on it; all nodes together no more than it bears.'),
  health: z
    .object({
      legs: z.int().describe('Legs that ended in the last five minutes, 500 at most.'),
      answered: z.int(),
      failed: z.int().describe('Refused by the network before they rang, or without a word of it.'),
      causes: z.record(z.string(), z.int()).describe('Failures by SIP answer, else by Q.850 cause (Q34).'),
      answer_seizure_ratio: z.number().nullable().describe('Answered of all, 0 to 1; null: none ended.'),
      post_dial_ms: z.int().nullable().describe('From the dial until it rang, in the mean; null: none rang.'),
      rests_for_ms: z
        .number()
        .nullable()
        .describe(
          'It fares far worse than usual and is left out where others may carry the call; it is tried again then.',
        ),
      rests_because: z
        .string()
        .nullable()
        .describe('What it rests for: failed, unanswered or slow (until they ring); null: it does not rest.'),
    })
    .describe('How it fares, by the legs of the answering node.'),
  live_legs: z.int().describe('Legs that the answering node has on it.'),
});

const sharing = z.strictObject({
  trunk: referenceTo({ list: '/trunks', value: 'name' }, text(40).min(1)),
  share: z.int().min(0).max(100).optional(),
});

const routeFields = {
  position: z.int().min(-1_000_000).max(1_000_000),
  prefix: digits,
  line: z.enum(['any', 'mobile', 'fixed']),
  region: z.string().regex(/^(?:[A-Z]{2})?$/, 'must be a state, e.g. SP, or empty'),
  cdcs_id: referenceTo(accountRecords, z.int().min(1)).nullable(),
  cp_id: z.int().min(1).nullable(),
  order: z.enum(['fixed', 'share', 'leastCost']),
  trunks: z
    .array(sharing)
    .min(1)
    .max(20)
    .refine(
      (all) => new Set(all.map(({ trunk }) => trunk)).size === all.length,
      'a trunk stands there twice',
    ),
  active: z.boolean(),
};

export const callRouteChangesSchema = z.strictObject(routeFields).partial();
export const newCallRouteSchema = callRouteChangesSchema.required({ trunks: true });

export const callRouteSchema = z.object({
  route_id: z.int(),
  position: z.int().describe('The smallest counts where two are alike.'),
  prefix: z.string().describe('First digits in international format; empty: every number.'),
  line: z.string().describe('any, mobile or fixed.'),
  region: z.string().describe('State of the number; empty: any.'),
  cdcs_id: z.int().nullable().describe('Null: every account.'),
  cp_id: z.int().nullable().describe('Null: every campaign, and single calls.'),
  order: z.string().describe('fixed: as they stand; share: by percent; leastCost: by their prices.'),
  trunks: z.array(z.object({ trunk: z.string(), share: z.int().optional() })),
  active: z.boolean(),
  created_at: at,
});

const pattern = (what: string) =>
  text(200).regex(
    new RegExp(`^PJSIP/[^\\s,&]*\\{${what}\\}[^\\s,&]*$`),
    `must be as Asterisk dials, with {${what}}`,
  );

const credential = text(200).regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

/** Without a login, which would be shown, and without what no WebSocket takes. */
const isPlainAddress = (url: string): boolean => !/[?#]/.test(url) && !/^https?:\/\/[^/]*@/i.test(url);

/** What an operator may change of a server. */
const serverFields = {
  url: z
    .url({ protocol: /^https?$/, error: 'must be the address of ARI: http://10.0.0.5:8088/ari' })
    .max(200, 'is too long: 200 characters at the most')
    .refine(
      isPlainAddress,
      'must be an address alone: the login has fields of its own, and there is no query or fragment',
    ),
  username: credential,
  password: writeOnly(credential),
  sip_pattern: pattern('uri'),
  chat_pattern: pattern('number'),
  state,
};

export const trunkServerChangesSchema = z.strictObject(serverFields).partial();

export const newTelephonyServerSchema = trunkServerChangesSchema
  .required({ url: true, username: true, password: true })
  .extend({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and dashes, at most 40')
      .refine((name) => !ofSettings.includes(name), 'is the name of a server that the settings make'),
  });

export const asteriskServerSchema = z.object({
  server_id: z.int(),
  name: z.string(),
  kind: z.string().describe('asterisk or sandbox.'),
  url: z.string().describe('Where its ARI is; empty: the settings say it.'),
  username: z.string(),
  sip_pattern: z.string().describe('How it dials SIP addresses; empty: by the endpoint of its first trunk.'),
  chat_pattern: z.string().describe('How it dials the chat app; empty: it does not.'),
  state: z.string().describe(states),
  from_settings: z.boolean().describe('The settings say how it is reached.'),
  created_at: at,
  connection: z
    .object({ ok: z.boolean(), detail: z.string() })
    .nullable()
    .describe('How the answering node reaches it; null: it has no connection, or needs none.'),
});
