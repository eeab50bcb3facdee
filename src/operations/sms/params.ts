/** Parameters and codes of MakeSMS, and what its steps are given. */
import { smsTextLimit } from '../../rules/sms/smsText.ts';
import type { RequestContext } from '../declare.ts';
import { flag, int, textMatchingRegexSchema, text, yesOrNoParamSchema } from '../parameterValueSchemas.ts';
import { idempotencyErrors } from '../idempotency.ts';
import { defineParams } from '../param.ts';

/** By our names; in the order in which the reference shows them. */
export const smsParams = defineParams({
  destination: {
    rest: 'dest',
    required: true,
    tool: 'dest',
    schema: text(40).optional(),
    refusedAs: 'badNumber',
    description:
      'Mobile number: 0DDD9XXXXYYYY, DDD9XXXXYYYY or 55DDD9XXXXYYYY; with setbrasil off, international without +.',
    toolDescription: 'Brazilian mobile, with or without 55; with setbrasil off, international without +.',
  },
  message: {
    rest: 'message',
    required: true,
    aliases: ['text', 'msg_text'],
    tool: 'text',
    // What is too long is refused by its own code, however long, or cut when that is wished.
    schema: text(2_000_000)
      .meta({ json: { type: 'string' } })
      .optional(),
    description: 'The text, at most 160 characters; cuttext cuts a longer one.',
    toolDescription: 'The text, at most 160 characters; cut_text cuts a longer one.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).default(''),
    description: 'Customer-side id of the message.',
  },
  brazil: {
    rest: 'setbrasil',
    tool: 'setbrasil',
    schema: flag().default(true),
    description: '1 normalizes Brazilian mobiles, 0 takes the number as it is.',
    toolDescription: '0 takes the number as it is.',
  },
  cutsText: {
    rest: 'cuttext',
    tool: 'cut_text',
    schema: yesOrNoParamSchema().default(false),
    description: '1 or yes cuts a text at 160 characters instead of refusing it.',
    toolDescription: '1 cuts a longer text instead of refusing it.',
  },
  duplicateWindow: {
    rest: 'httpdup',
    tool: 'httpdup',
    schema: int(1, 600, [0]).default(10),
    description: 'Seconds within which the same text to the same number is refused; 0 never.',
    toolDescription: 'Seconds in which it is sent once; 0 no limit.',
  },
  sender: {
    rest: 'from',
    tool: 'from_number',
    schema: textMatchingRegexSchema(20, /^\+?[\w .&-]+$/, 'a number or a name').default(''),
    description: 'Sender id, for providers that support it.',
  },
  campaign: {
    rest: 'cp_id',
    schema: text(64).default(''),
    description: 'Campaign id, kept in the message log.',
  },
  call: {
    rest: 'cd_id',
    schema: text(64).default(''),
    description: 'The call it belongs to, <cdcs_db>_<cd_id>; kept in the message log.',
  },
  provider: {
    rest: 'provider',
    schema: text(40).optional(),
    description: 'prov_b, prov_c or prov_d; honoured only for the administrative account.',
  },
});

/** The refusals of MakeSMS, by the words that its steps use. */
export const makeSmsErrors = {
  ...idempotencyErrors,
  noRoute: { code: '220', text: 'the account is not provisioned for SMS via the requested provider' },
  noDestination: { code: '230', text: 'dest is required' },
  noText: { code: '235', text: 'message is required' },
  tooLong: { code: '238', text: `message must be at most ${smsTextLimit} characters` },
  badNumber: { code: '240', text: 'dest is not a mobile number' },
  duplicate: { code: '244', text: 'duplicate within the httpdup window' },
  nightCap: { code: '245', text: 'the night cap (22:00 to 06:00) is reached' },
  noBalance: { code: '250', text: 'insufficient balance of the account or of a reseller above it' },
  noTariff: { code: '255', text: 'there is no SMS tariff for dest' },
  blocked: { code: '260', text: 'dest is on the block list' },
  impersonation: {
    code: '270',
    text: 'message names a bank and carries a link or a number, and is none of the approved models',
  },
  badValue: { code: '299', text: 'a parameter is out of range' },
  providerError: { code: '300', text: 'the provider refused the message' },
} as const;

/** What a step of MakeSMS is given. */
export type SmsRequestContext = RequestContext<typeof smsParams, typeof makeSmsErrors>;
