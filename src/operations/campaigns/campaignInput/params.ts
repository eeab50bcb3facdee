/** Parameters of CreateCampaign (spec 4.3), and what its steps are given. */
import * as z from 'zod';
import { smsTextLimit } from '../../../rules/sms/smsText.ts';
import type { campaignErrors } from './errors.ts';
import { date, maxAudioBase64Characters, callsPerMinuteSchema, time } from './campaignValueSchemas.ts';
import {
  campaignAudioParam,
  questionCampaignParams,
  validationCampaignParams,
} from './campaignTypeParams.ts';
import type { RequestContext } from '../../declare.ts';
import { callEventNames } from '../../../rules/deliveries/callbackEvents.ts';
import {
  eventListSchema,
  flag,
  int,
  wordChoiceSchema,
  textMatchingRegexSchema,
  text,
} from '../../parameterValueSchemas.ts';
import { destinationRecordsParamSchema } from '../../lists/listRecordsSchema.ts';
import { destinationListRecordsToolSchema } from '../../lists/listRecordsToolSchema.ts';
import { defineParams } from '../../param.ts';

const id = int(1, 2 ** 31 - 1).optional();

/** By our names; in the order in which the reference shows them. */
export const campaignParams = defineParams({
  // Core
  name: {
    rest: 'name',
    tool: 'name',
    schema: text(200).optional(),
    description: 'Name. Default the name of its list; of a clone, that of the source’s list.',
    toolDescription: 'Default the name of its list.',
  },
  description: {
    rest: 'detail',
    tool: 'detail',
    schema: text(1_000).default(''),
    description: 'Description.',
  },
  list: {
    rest: 'cdlc_id',
    tool: 'cdlc_id',
    schema: id,
    refusedAs: 'noList',
    description: 'Destination list; required unless a list is sent along or the campaign is a clone.',
    toolDescription: 'Destination list; or destinations.',
  },
  source: {
    rest: 'cp_id',
    tool: 'cp_id',
    schema: id,
    refusedAs: 'sourceNotOurs',
    description: 'Campaign to clone: what is not given is copied from it.',
  },
  type: {
    rest: 'cp_type',
    tool: 'cp_type',
    schema: wordChoiceSchema(['0', '4', '6']).default('0'),
    refusedAs: 'badType',
    description: '0 play, 4 question and answer, 6 confirmation and validation.',
  },
  correlation: {
    rest: 'cp_ctid',
    tool: 'cp_ctid',
    schema: text(64).default(''),
    description: 'Customer-side campaign id.',
  },
  // What is heard
  content: {
    rest: 'content',
    tool: 'content',
    ...campaignAudioParam('noContent'),
    description: 'Audio id of the main message.',
  },
  text: {
    rest: 'text',
    tool: 'text',
    schema: text(5_000).optional(),
    description: 'Text spoken instead of content. With placeholders it is filled in for each record.',
    toolDescription: 'Spoken instead of content; placeholders are filled in.',
  },
  voice: {
    rest: 'voice',
    tool: 'voice',
    schema: text(80).optional(),
    description: 'Provider|VoiceName of the text, or fad, the default voice.',
  },
  machineAudio: {
    rest: 'amd',
    tool: 'amd',
    ...campaignAudioParam('noMachineAudio'),
    description: 'Audio id for answering machines; turns detection on.',
  },
  contentUrl: {
    rest: 'urlcontent',
    tool: 'urlcontent',
    schema: text(2_000).optional(),
    refusedAs: 'notFetched',
    description: 'http or https address of an audio file, used instead of content.',
    toolDescription: 'Address of an audio file, instead of content.',
  },
  audio64: {
    rest: 'audio64',
    schema: z.unknown().meta({ json: { type: 'string', maxLength: maxAudioBase64Characters } }),
    description: 'Base64 of an audio file, used when content is empty.',
  },
  // When
  dateStart: {
    rest: 'date_start',
    tool: 'date_start',
    schema: date().optional(),
    refusedAs: 'badDateStart',
    description: 'First day, YYYY-MM-DD. Default today in the account’s time zone.',
    toolDescription: 'First day, YYYY-MM-DD. Default today.',
  },
  dateEnd: {
    rest: 'date_end',
    tool: 'date_end',
    schema: date().optional(),
    refusedAs: 'badDateEnd',
    description: 'Last day. Default date_start.',
  },
  timeStart: {
    rest: 'time_start',
    tool: 'time_start',
    schema: time().default('00:00:00'),
    refusedAs: 'badTimeStart',
    description: 'From this time of day, in the destination’s time zone.',
  },
  timeEnd: {
    rest: 'time_end',
    tool: 'time_end',
    schema: time().default('23:59:59'),
    refusedAs: 'badTimeEnd',
    description: 'To this time of day.',
  },
  // How
  callsPerMinute: {
    rest: 'vel',
    tool: 'vel',
    schema: callsPerMinuteSchema(1, 100).default('max'),
    refusedAs: 'badPace',
    description: 'Calls per minute, 1 to 100, or max.',
  },
  retries: {
    rest: 'resends',
    tool: 'resends',
    schema: int(0, 3).default(0),
    refusedAs: 'badRetries',
    description: 'Retries after a failure; attempts = resends + 1.',
  },
  retryMinutes: {
    rest: 'time_resends',
    tool: 'time_resends',
    schema: int(1, 240).default(30),
    refusedAs: 'badRetryMinutes',
    description: 'Minutes between retries.',
  },
  mobile: {
    rest: 'mobile',
    tool: 'mobile',
    schema: flag().default(true),
    refusedAs: 'badMobile',
    description: '0 leaves mobile numbers out.',
  },
  maxAnswered: {
    rest: 'max_answered',
    tool: 'max_answered',
    schema: int(1, 1_000_000).optional(),
    refusedAs: 'badMaxAnswered',
    description: 'Stop after so many answered calls.',
  },
  recordsPerName: {
    rest: 'limit_name',
    tool: 'limit_name',
    schema: int(0, 2).default(1),
    refusedAs: 'badLimitName',
    description: 'At most so many records of the same name; 0 no limit.',
    toolDescription: 'At most so many of one name; 0 no limit.',
  },
  skipBlocklist: {
    rest: 'no_block',
    tool: 'no_block',
    schema: flag().default(false),
    refusedAs: 'badNoBlock',
    description: '1 passes the block lists.',
  },
  group: { rest: 'group', tool: 'group', schema: id, refusedAs: 'noGroup', description: 'Group id.' },
  queue: {
    rest: 'queue_id',
    tool: 'queue_id',
    schema: id,
    description: 'Contact-center queue for transfers.',
  },
  callbackUrl: {
    rest: 'rurl',
    schema: text(2_000).optional(),
    refusedAs: 'badCallback',
    description: 'Status callback URL; default the callback address of the account.',
  },
  callbackEvents: {
    rest: 'rurl_events',
    schema: eventListSchema(callEventNames).optional(),
    description: `Events told of each call beside the final one: all, or a comma list of ${callEventNames.join(', ')}. Default that of the account.`,
  },
  fixedRoutes: {
    rest: 'tfix',
    schema: text(200).optional(),
    description:
      'Trunks that it goes by, in this order, separated by |, and by no others; authorized accounts only.',
  },
  severalNumbers: {
    rest: 'xnum',
    tool: 'xnum',
    schema: flag().default(false),
    description: '1 tries all numbers of a record in their order.',
    toolDescription: '1 tries all numbers of a record.',
  },
  smsAction: {
    rest: 'sms_action',
    tool: 'sms_action',
    schema: text(40).optional(),
    refusedAs: 'smsActionUnknown',
    description:
      'ok (answered), nae (not answered), oknae (either), dtmf1 (digit 1 pressed); cp_type 0 only.',
  },
  smsText: {
    rest: 'sms_text',
    tool: 'sms_text',
    // What is too long is refused by its own code, however long.
    schema: text(2_000_000)
      .meta({ json: { type: 'string', maxLength: smsTextLimit } })
      .optional(),
    description:
      'Text of the SMS, at most 160 characters; accents are stripped, placeholders filled in for each record.',
    toolDescription: '160 characters at most; no accents.',
  },
  active: {
    rest: 'cp_ativo',
    tool: 'cp_ativo',
    schema: flag().default(false),
    description: '1 starts at once, 0 keeps it paused.',
  },
  records: {
    rest: 'datajson',
    tool: 'destinations',
    toolShape: destinationListRecordsToolSchema,
    toolDescription: 'A list sent along, instead of cdlc_id: an object for each person.',
    schema: destinationRecordsParamSchema,
    description:
      'A list sent along, as in CreateDestinationBase: records as a JSON array, or its text. Or a .csv or .json file as' +
      ' multipart under any name.',
  },
  resultsProfile: {
    rest: 'relftp',
    schema: id,
    refusedAs: 'noProfile',
    description: 'Delivery profile to which the results go at the end.',
  },
  // Of one type only
  ...questionCampaignParams,
  ...validationCampaignParams,
  // Once
  requestId: {
    rest: 'request_id',
    schema: textMatchingRegexSchema(
      64,
      /^[A-Za-z0-9._:-]{8,64}$/,
      '8 to 64 letters, digits, dots, underscores, colons or hyphens',
    ).optional(),
    description: 'As Idempotency-Key; a repeated request is answered with duplicate_request 1.',
  },
});

/** What a step of CreateCampaign is given. */
export type CreateCampaignContext = RequestContext<typeof campaignParams, typeof campaignErrors>;

/** What a campaign is made of, by our names of the parameters. */
/** Its parameters as they were read, by our names. */
export type CampaignParamValues = CreateCampaignContext['params'];
