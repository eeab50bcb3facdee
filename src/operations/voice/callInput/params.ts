/** Parameters and codes of MakeTTSCall (spec 4.2), and what its steps are given. */
import { callEventNames } from '../../../rules/deliveries/callbackEvents.ts';
import { clientTextEncodings } from '../../../lib/clientTextEncoding.ts';
import { smsTextLimit } from '../../../rules/sms/smsText.ts';
import type { RequestContext } from '../../declare.ts';
import {
  eventListSchema,
  flag,
  int,
  wordChoiceSchema,
  textMatchingRegexSchema,
  text,
} from '../../parameterValueSchemas.ts';
import { idempotencyErrors } from '../../idempotency.ts';
import { declaredSmsFollowUpErrors } from '../../sms/followUpSmsParams.ts';
import { declareNumberedParams, defineParams } from '../../param.ts';
import { callAudioParam, promptParams } from './declarePromptParams.ts';

const keypad = text(80).optional();

/** By our names; in the order in which the reference shows them. */
export const callParams = defineParams({
  // Core
  destination: {
    rest: 'dest',
    tool: 'dest',
    required: true,
    schema: text(40).optional(),
    refusedAs: 'badDestination',
    description: 'Destination number; national formats with setbrasil on, else E.164 without +.',
    toolDescription: 'Number as people in Brazil write it; with setbrasil off, E.164 without +.',
  },
  ...promptParams,
  encoding: {
    rest: 'encoding',
    schema: wordChoiceSchema([...clientTextEncodings]).optional(),
    description: 'Encoding of the texts. Default ISO-8859-1 for forms, UTF-8 for JSON.',
  },
  brazil: {
    rest: 'setbrasil',
    tool: 'setbrasil',
    schema: flag().default(true),
    description: '1 normalizes Brazilian numbers, 0 takes the number as it is.',
    toolDescription: '0 takes the number as it is.',
  },
  callerId: {
    rest: 'callerid',
    tool: 'callerid',
    schema: text(40).optional(),
    description:
      'Caller id; the account, and a trunk that carries the call, must be allowed to show it, else the default is used.',
    toolDescription: 'Must be allowed for the account.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).default(''),
    description: 'Customer-side id of the call.',
  },
  customerCampaign: {
    rest: 'cpid',
    tool: 'cpid',
    schema: text(64).default(''),
    description: 'Customer-side campaign id.',
  },
  duplicateWindow: {
    rest: 'httpdup',
    tool: 'httpdup',
    schema: int(1, 600, [0]).default(10),
    description: 'Seconds within which the same call is refused; 0 never.',
    toolDescription: 'Seconds in which it is placed once; 0 no limit.',
  },
  // Placeholders
  name: {
    rest: 'nome',
    tool: 'nome',
    schema: text(200).optional(),
    description: 'Spoken for <NOME> and <NAME>.',
  },
  ...declareNumberedParams('extra', [1, 2, 3, 4], {
    tool: true,
    schema: text(200).optional(),
    description: (n) => `Spoken for <EXTRA${n}>.`,
    toolDescription: (n) => (n === 1 ? 'Spoken for <EXTRA1>; the next ones likewise.' : ''),
  }),
  customerCode: {
    rest: 'cod_cli',
    tool: 'cod_cli',
    schema: text(200).optional(),
    description: 'Spoken for <COD_CLI> and <CODCLI>.',
  },
  // Call mode
  type: {
    rest: 'type',
    tool: 'type',
    schema: wordChoiceSchema(['0', '2', '3', '22', '100']).default('0'),
    description: '0 play, 2 confirm, 3 menu, 22 record the answer, 100 straight to an agent.',
    toolDescription: '0 play, 2 confirm, 3 menu, 22 record, 100 to an agent.',
  },
  // DTMF
  digits: { rest: 'ndig', tool: 'ndig', schema: int(1, 20).default(1), description: 'Digits expected.' },
  digitSeconds: {
    rest: 'dtime',
    tool: 'dtime',
    schema: int(1, 60).default(7),
    description: 'Seconds to wait for them.',
  },
  confirmDigit: {
    rest: 'dtmfconf',
    tool: 'dtmfconf',
    schema: textMatchingRegexSchema(1, /^[0-9*]$/, 'one key, 0 to 9 or *').default('1'),
    description: 'The key that confirms (type 2).',
  },
  initialDigit: {
    rest: 'dtmfini',
    tool: 'dtmfini',
    schema: text(40).optional(),
    description:
      'The key that replays the opening, while it is heard and (but for type 22) for dtime seconds after it; for type 100 the agent (ccba_id).',
    toolDescription: 'Replays the opening; type 100: the agent (ccba_id).',
  },
  dtmf: {
    rest: 'dtmf',
    tool: 'dtmf',
    schema: keypad,
    description:
      '[keys|]action for key 1. Actions: content<n>, text<n>, a leg as in dest2, replay, hangup, optout.',
    toolDescription:
      '[keys|]action for key 1; dtmf2 to dtmf9 for keys 2 to 9, dtmf10 for 0, dtmf11 for *. Actions: content<n>, text<n>, a leg as in dest2, replay, hangup, optout.',
  },
  ...declareNumberedParams('dtmf', [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], {
    tool: true,
    schema: keypad,
    description: (n) => `[keys|]action for key ${n < 10 ? n : n === 10 ? '0' : '*'}.`,
    toolDescription: () => '',
  }),
  // Second leg
  secondLeg: {
    rest: 'dest2',
    tool: 'dest2',
    schema: text(40).optional(),
    description: 'Number, RT<ccba_id>, WA<number> or FI<queue_id>.',
  },
  wait: {
    rest: 'fifo',
    tool: 'fifo',
    schema: flag().default(false),
    description: '1 keeps the caller with music until the second leg is free.',
    toolDescription: '1 holds the caller with music until the second leg is free.',
  },
  waitSeconds: {
    rest: 'fifolim',
    tool: 'fifolim',
    schema: int(1, 3_600).default(300),
    description: 'Longest such wait, seconds.',
  },
  sendDigits: {
    rest: 'senddtmf',
    schema: textMatchingRegexSchema(32, /^[0-9*#A-D]+$/, 'keys 0 to 9, *, #, A to D').optional(),
    description: 'Keys sent after the second leg answers.',
  },
  sendDigitsAfter: {
    rest: 'senddtmftime',
    schema: int(0, 60).default(1),
    description: 'Seconds to wait before sending them.',
  },
  // Recording
  recordSeconds: {
    rest: 'rec',
    tool: 'rec',
    schema: int(0, 7_200).default(0),
    description: 'Longest recording, seconds; 0 none. Type 22 records 60 seconds unless told.',
    toolDescription: 'Longest recording, seconds; 0 none.',
  },
  recordFrom: {
    rest: 'startrec',
    tool: 'startrec',
    schema: wordChoiceSchema(['ini', 'conf', 'pa']).optional(),
    description: 'Records from the start, from confirmation, or from the agent bridge. Default ini.',
    toolDescription: 'From the start, confirmation, or the agent. Default ini.',
  },
  // Scheduling
  repeat: {
    rest: 'repeat',
    tool: 'repeat',
    schema: text(60).optional(),
    description: 'tries|interval_min|until|YYYY-MM-DD HH:MM in the account’s time zone.',
  },
  priority: {
    rest: 'priority',
    tool: 'priority',
    schema: int(0, 100, [-20, -1]).default(0),
    description:
      'Of the account’s calls higher dials first; -1 before everything; -20 makes the audio before answering the request and dials at once.',
  },
  block: {
    rest: 'block',
    tool: 'block',
    schema: text(40).optional(),
    description: 'Do not dial before: YYYY-MM-DD HH:MM[:SS] in the account’s time zone, or ISO 8601.',
    toolDescription: 'Not before YYYY-MM-DD HH:MM, on the account’s clock.',
  },
  ringSeconds: {
    rest: 'ringtime',
    tool: 'ringtime',
    schema: int(1, 180).default(45),
    description: 'Seconds of ringing.',
  },
  limitSeconds: {
    rest: 'timelimit',
    tool: 'timelimit',
    schema: int(1, 14_400).default(3_600),
    description: 'Seconds of the whole call after answer.',
  },
  answerSeconds: {
    rest: 'answer',
    schema: int(0, 120).default(0),
    description: 'Seconds after which a call that only gives media counts as answered; 0 never.',
  },
  // SMS follow-up
  smsAction: {
    rest: 'sms_action',
    tool: 'sms_action',
    schema: text(40).optional(),
    refusedAs: 'smsActionUnknown',
    description: 'ok (answered), nae (not answered), oknae (either), dtmf1 (digit pressed).',
  },
  smsText: {
    rest: 'sms_text',
    tool: 'sms_text',
    // What is too long is refused by its own code, however long.
    schema: text(2_000_000)
      .meta({ json: { type: 'string', maxLength: smsTextLimit } })
      .optional(),
    description:
      'Text of the SMS, at most 160 characters, also once placeholders are filled in; accents are stripped.',
    toolDescription: '160 characters at most, filled in; no accents.',
  },
  smsDigit: {
    rest: 'sms_dtmf',
    tool: 'sms_dtmf',
    schema: textMatchingRegexSchema(1, /^[0-9*]$/, 'one key, 0 to 9 or *').optional(),
    description: 'The key of dtmf1; default 1.',
  },
  // Other
  free: {
    rest: 'free',
    tool: 'free',
    schema: flag().optional(),
    description: '1 passes the block lists; default follows the account.',
  },
  machineAudio: {
    rest: 'amd',
    tool: 'amd',
    ...callAudioParam,
    description: 'Audio id for answering machines; turns detection on.',
  },
  music: {
    rest: 'moh',
    schema: int(1, 3).default(2),
    description: 'While waiting: 1 dial tone, 2 music, 3 silence.',
  },
  callbackUrl: {
    rest: 'rurl',
    schema: text(2_000).optional(),
    description: 'Status callback URL; default the callback address of the account.',
  },
  callbackEvents: {
    rest: 'rurl_events',
    schema: eventListSchema(callEventNames).optional(),
    description: `Events told beside the final one: all, or a comma list of ${callEventNames.join(', ')}. Default that of the account.`,
  },
  numberLimit: {
    rest: 'numlim',
    schema: int(0, 1_000).default(0),
    description: 'With cpid: most calls to one number in 30 days; 0 no limit.',
  },
  audioLimit: {
    rest: 'audiolim',
    schema: int(0, 1_000).default(0),
    description: 'With cpid: most calls with the same audio to one number in 30 days; 0 no limit.',
  },
  regionalWindow: {
    rest: 'bkddd',
    tool: 'bkddd',
    schema: int(0, 2).optional(),
    description: 'Outside the regional window: 1 refuses, 2 waits, 0 dials; default follows the account.',
    toolDescription: 'Outside the calling hours: 1 refuses, 2 waits, 0 dials.',
  },
  fixedRoutes: {
    rest: 'tfix',
    schema: text(200).optional(),
    description:
      'Trunks that it goes by, in this order, separated by |, and by no others; authorized accounts only.',
  },
});

/** The refusals of MakeTTSCall, by the words that its steps use. */
export const callErrors = {
  ...idempotencyErrors,
  nothingToSay: {
    code: '201',
    text: 'one of text, text1 to text11, content, nome, extra1 to extra4 or cod_cli is required',
  },
  badDestination: { code: '203', text: 'dest cannot be normalized' },
  unknownAudio: { code: '204', text: 'an audio id does not belong to the account', absent: true },
  thirdPartyVoice: { code: '210', text: 'the provider of this voice is not permitted here' },
  correlationUsed: { code: '220', text: 'ctid was used before' },
  outsideWindow: { code: '230', text: 'regional or holiday time block' },
  duplicate: { code: '244', text: 'duplicate within the httpdup window' },
  notPlaced: { code: '250', text: 'call placement failed' },
  audioFailed: { code: '260', text: 'the audio of the call could not be made' },
  noAgent: { code: '290', text: 'type 100 needs dtmfini, the id of an active agent' },
  badValue: { code: '299', text: 'a parameter is out of range' },
  ...declaredSmsFollowUpErrors,
} as const;

/** What a step of MakeTTSCall is given. */
export type CallRequestContext = RequestContext<typeof callParams, typeof callErrors>;
