/** Create a campaign (spec 4.3). Parameters and codes below; what they mean for the campaign is in `campaignInput/`. */
import * as z from 'zod';
import { smsTextLimit } from '../rules/smsText.ts';
import { date, perMinute, time } from './campaignInput/fields.ts';
import { create } from './campaignInput/create.ts';
import { type Asked, numbered, operation, params } from './declare.ts';
import { flag, int, oneOf, shaped, text } from './fields.ts';
import { idempotencyErrors } from './idempotency.ts';
import { smsErrors } from './smsFollowUp.ts';

const id = int(1, 2 ** 31 - 1).optional();
const audio = <const Word extends string>(refusedAs: Word) => ({ schema: text(140).optional(), refusedAs });

/** What the numbered audio of cp_type 6 is for. */
const branches: Readonly<Record<number, string>> = {
  2: 'audio id that asks for the digits.',
  3: 'audio id played when they match.',
  4: 'audio id played when it was not confirmed.',
  5: 'audio id played when no digit came.',
  6: 'audio id played before the transfer.',
  7: 'audio id played when nobody is free.',
  8: 'audio id of the goodbye.',
};

const campaignParams = params({
  // Core
  name: {
    rest: 'name',
    schema: text(200).optional(),
    says: 'Name. Default the name of its list; of a clone, that of the source’s list.',
  },
  description: { rest: 'detail', schema: text(1_000).default(''), says: 'Description.' },
  list: {
    rest: 'cdlc_id',
    schema: id,
    refusedAs: 'noList',
    says: 'Destination list; required unless a list is sent along or the campaign is a clone.',
  },
  source: {
    rest: 'cp_id',
    schema: id,
    refusedAs: 'sourceNotOurs',
    says: 'Campaign to clone: what is not given is copied from it.',
  },
  type: {
    rest: 'cp_type',
    schema: oneOf(['0', '4', '6']).default('0'),
    refusedAs: 'badType',
    says: '0 play, 4 question and answer, 6 confirmation and validation.',
  },
  correlation: { rest: 'cp_ctid', schema: text(64).default(''), says: 'Customer-side campaign id.' },
  // What is heard
  content: { rest: 'content', ...audio('noContent'), says: 'Audio id of the main message.' },
  text: {
    rest: 'text',
    schema: text(5_000).optional(),
    says: 'Text spoken instead of content. With placeholders it is filled in for each record.',
  },
  voice: {
    rest: 'voice',
    schema: text(80).optional(),
    says: 'Provider|VoiceName of the text, or fad, the default voice.',
  },
  machineAudio: {
    rest: 'amd',
    ...audio('noMachineAudio'),
    says: 'Audio id for answering machines; turns detection on.',
  },
  contentUrl: {
    rest: 'urlcontent',
    schema: text(2_000).optional(),
    refusedAs: 'notFetched',
    says: 'http or https address of an audio file, used instead of content.',
  },
  audio64: {
    rest: 'audio64',
    schema: z.unknown().meta({ json: { type: 'string' } }),
    says: 'Base64 of an audio file, used when content is empty.',
  },
  // When
  dateStart: {
    rest: 'date_start',
    schema: date().optional(),
    refusedAs: 'badDateStart',
    says: 'First day, YYYY-MM-DD. Default today in the account’s time zone.',
  },
  dateEnd: {
    rest: 'date_end',
    schema: date().optional(),
    refusedAs: 'badDateEnd',
    says: 'Last day. Default date_start.',
  },
  timeStart: {
    rest: 'time_start',
    schema: time().default('00:00:00'),
    refusedAs: 'badTimeStart',
    says: 'From this time of day, in the destination’s time zone.',
  },
  timeEnd: {
    rest: 'time_end',
    schema: time().default('23:59:59'),
    refusedAs: 'badTimeEnd',
    says: 'To this time of day.',
  },
  // How
  callsPerMinute: {
    rest: 'vel',
    schema: perMinute(1, 100).default('max'),
    refusedAs: 'badPace',
    says: 'Calls per minute, 1 to 100, or max.',
  },
  retries: {
    rest: 'resends',
    schema: int(0, 3).default(0),
    refusedAs: 'badRetries',
    says: 'Retries after a failure; attempts = resends + 1.',
  },
  retryMinutes: {
    rest: 'time_resends',
    schema: int(1, 240).default(30),
    refusedAs: 'badRetryMinutes',
    says: 'Minutes between retries.',
  },
  mobile: {
    rest: 'mobile',
    schema: flag().default(true),
    refusedAs: 'badMobile',
    says: '0 leaves mobile numbers out.',
  },
  maxAnswered: {
    rest: 'max_answered',
    schema: int(1, 1_000_000).optional(),
    refusedAs: 'badMaxAnswered',
    says: 'Stop after so many answered calls.',
  },
  recordsPerName: {
    rest: 'limit_name',
    schema: int(0, 2).default(1),
    refusedAs: 'badLimitName',
    says: 'At most so many records of the same name; 0 no limit.',
  },
  skipBlocklist: {
    rest: 'no_block',
    schema: flag().default(false),
    refusedAs: 'badNoBlock',
    says: '1 passes the block lists.',
  },
  group: { rest: 'group', schema: id, refusedAs: 'noGroup', says: 'Group id.' },
  queue: { rest: 'queue_id', schema: id, says: 'Contact-center queue for transfers.' },
  callbackUrl: {
    rest: 'rurl',
    schema: text(2_000).optional(),
    refusedAs: 'badCallback',
    says: 'Status callback URL.',
  },
  fixedRoutes: {
    rest: 'tfix',
    schema: text(200).optional(),
    says: 'Forced routes, separated by |; authorized accounts only.',
  },
  severalNumbers: {
    rest: 'xnum',
    schema: flag().default(false),
    says: '1 tries all numbers of a record in their order.',
  },
  smsAction: {
    rest: 'sms_action',
    schema: text(40).optional(),
    refusedAs: 'smsActionUnknown',
    says: 'ok (answered), nae (not answered), oknae (either), dtmf1 (digit 1 pressed); cp_type 0 only.',
  },
  smsText: {
    rest: 'sms_text',
    // What is too long is refused by its own code, however long.
    schema: text(2_000_000)
      .meta({ json: { type: 'string', maxLength: smsTextLimit } })
      .optional(),
    says: 'Text of the SMS, at most 160 characters; accents are stripped.',
  },
  active: {
    rest: 'cp_ativo',
    schema: flag().default(false),
    says: '1 starts at once, 0 keeps it paused.',
  },
  records: {
    rest: 'datajson',
    schema: z.unknown().meta({ json: { type: ['array', 'string'], items: { type: ['object', 'array'] } } }),
    says:
      'A list sent along, as in CreateDestinationBase: records as a JSON array, or its text. Or a .csv or .json file as' +
      ' multipart under any name.',
  },
  resultsProfile: {
    rest: 'relftp',
    schema: id,
    refusedAs: 'noProfile',
    says: 'Delivery profile to which the results go at the end.',
  },
  // Question and answer
  ...numbered('cont', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {
    ...audio('noBranchAudio'),
    says: (n) => `cp_type 4: audio id played after digit ${n}.`,
  }),
  contentNoDigit: {
    rest: 'contentno',
    ...audio('noDigitAudio'),
    says: 'cp_type 4: audio id played when no digit came.',
  },
  replayDigit: {
    rest: 'dtmfini',
    schema: shaped(1, /^[0-9*]$/, 'one key, 0 to 9 or *').optional(),
    says: 'cp_type 4: the key that replays the main message.',
  },
  answerDigits: {
    rest: 'nans',
    schema: int(1, 3).default(1),
    refusedAs: 'badAnswerDigits',
    says: 'cp_type 4: digits of the answer.',
  },
  secondAnswerDigits: {
    rest: 'nans2',
    schema: int(1, 3).optional(),
    refusedAs: 'badSecondAnswerDigits',
    says: 'cp_type 4: digits of a second answer.',
  },
  digitSeconds: {
    rest: 'dtime',
    schema: int(4, 15).default(7),
    refusedAs: 'badDigits',
    says: 'Seconds to wait for digits.',
  },
  // Confirmation and validation
  ...numbered('content', [2, 3, 4, 5, 6, 7, 8], {
    ...audio('noBranchAudio'),
    says: (n) => `cp_type 6: ${branches[n]}`,
  }),
  contentWrong: {
    rest: 'contentfail',
    ...audio('noWrongAudio'),
    says: 'cp_type 6: audio id played when the digits do not match.',
  },
  validationDigits: {
    rest: 'ndigval',
    schema: int(1, 20).optional(),
    refusedAs: 'badDigits',
    says: 'cp_type 6, required there: digits expected.',
  },
  confirmDigit: {
    rest: 'dtmf2',
    schema: shaped(1, /^[0-9*]$/, 'one key, 0 to 9 or *').default('1'),
    says: 'cp_type 6: the key that confirms.',
  },
  filter: {
    rest: 'fdtmf',
    schema: text(300).optional(),
    refusedAs: 'badFilter',
    says: '<column>|<value>: only records whose column has this value.',
  },
  compare: {
    rest: 'compw',
    schema: oneOf(['cod_cli', 'extra1', 'extra2', 'extra3']).optional(),
    refusedAs: 'badCompare',
    says: 'cp_type 6, required there: the column whose end the digits must be.',
  },
  // Once
  requestId: {
    rest: 'request_id',
    schema: shaped(
      64,
      /^[A-Za-z0-9._:-]{8,64}$/,
      '8 to 64 letters, digits, dots, underscores, colons or hyphens',
    ).optional(),
    says: 'As Idempotency-Key; a repeated request is answered with duplicate_request 1.',
  },
});

const campaignErrors = {
  ...idempotencyErrors,
  noProfile: { code: '200', text: 'relftp is not an active delivery profile of the account' },
  executable: { code: '205', text: 'the file is executable' },
  badInlineList: { code: '206', text: 'datajson is invalid' },
  badListFile: { code: '207', text: 'the list file is invalid' },
  badMaxAnswered: { code: '212', text: 'max_answered is invalid' },
  badMobile: { code: '213', text: 'mobile must be 0 or 1' },
  badPace: { code: '214', text: 'vel must be max or 1 to 100' },
  badRetries: { code: '215', text: 'resends must be 0 to 3' },
  badRetryMinutes: { code: '216', text: 'time_resends must be 1 to 240' },
  badType: { code: '217', text: 'cp_type must be 0, 4 or 6' },
  badNoBlock: { code: '218', text: 'no_block must be 0 or 1' },
  badFilter: {
    code: '219',
    text: 'fdtmf must be <column>|<value>, the column name, cod_cli or extra1 to extra4',
  },
  badDateStart: { code: '220', text: 'date_start is invalid' },
  badDateEnd: { code: '221', text: 'date_end is invalid, or before date_start' },
  badTimeStart: { code: '222', text: 'time_start is invalid' },
  badTimeEnd: { code: '223', text: 'time_end is invalid' },
  windowUpsideDown: { code: '224', text: 'time_end is earlier than time_start' },
  badDigits: { code: '225', text: 'dtime must be 4 to 15, ndigval 1 to 20' },
  badCallback: { code: '226', text: 'rurl is invalid' },
  badLimitName: { code: '227', text: 'limit_name must be 0 to 2' },
  nameTaken: { code: '230', text: 'an active campaign with the same name and start date exists' },
  noContent: { code: '240', text: 'content is not an audio of the account, or nothing is to be heard' },
  noMachineAudio: { code: '241', text: 'amd is not an audio of the account' },
  noBranchAudio: { code: '242', text: 'an audio of cont0 to cont9 or content2 to content8 does not exist' },
  noDigitAudio: { code: '243', text: 'contentno is not an audio of the account' },
  noWrongAudio: { code: '244', text: 'contentfail is not an audio of the account' },
  noGroup: { code: '250', text: 'group is not a group of the account' },
  noList: { code: '251', text: 'cdlc_id is missing, or not an active list of the account' },
  badCompare: { code: '252', text: 'compw must be cod_cli, extra1, extra2 or extra3' },
  sourceUnreadable: { code: '260', text: 'the campaign to clone cannot be copied' },
  notStarted: { code: '261', text: 'the campaign could not be stored' },
  noId: { code: '262', text: 'no campaign id could be made' },
  listEmpty: { code: '270', text: 'the list sent along has no valid destination' },
  listBroken: { code: '271', text: 'the list file breaks off, or cannot be read on' },
  listTooLong: { code: '272', text: 'the list sent along has too many records' },
  listNotArrived: { code: '273', text: 'the list sent along did not arrive whole' },
  listNotKept: { code: '274', text: 'the list sent along could not be kept' },
  listTooLarge: { code: '275', text: 'the list sent along is too large' },
  notSpoken: { code: '280', text: 'the text could not be spoken' },
  notFetched: { code: '281', text: 'urlcontent could not be fetched' },
  sourceNotOurs: { code: '282', text: 'cp_id is not a campaign of the account' },
  badAnswerDigits: { code: '290', text: 'nans must be 1 to 3' },
  badSecondAnswerDigits: { code: '291', text: 'nans2 must be 1 to 3' },
  badValue: { code: '299', text: 'a parameter is out of range' },
  smsElsewhere: { code: '300', text: 'an SMS follow-up needs cp_type 0' },
  ...smsErrors,
} as const;

export type CampaignAsked = Asked<typeof campaignParams, typeof campaignErrors>;
/** What a campaign is made of, by our names of the parameters. */
export type CampaignValues = CampaignAsked['params'];

export const CreateCampaign = operation({
  name: 'CreateCampaign',
  section: '4.3',
  summary: 'Create a campaign that calls every number of a list.',
  permission: 'telephony',
  creates: true,
  params: campaignParams,
  errors: campaignErrors,
  upload: {
    limit: 'list',
    spills: ['datajson', 'audio64'],
    refusedAs: { tooLarge: 'listTooLarge', partial: 'listNotArrived', notStored: 'listNotKept' },
  },
  failure: { fields: { cp_id: '0' }, beside: {} },
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      name: 'Reminders',
      cdlc_id: 12,
      text: 'Olá <NOME>',
      time_start: '09:00:00',
      time_end: '18:00:00',
      cp_ativo: 1,
    },
    response: { return: { status: 'OK', status_code: '0', cp_id: '41' } },
  },
  handle: create,
});
