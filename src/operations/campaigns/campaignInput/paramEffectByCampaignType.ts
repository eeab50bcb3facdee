/** In which types of campaign a parameter of CreateCampaign acts, and if what. */
import type { AccountRow } from '../../../store/controlDatabase.ts';
import {
  type ParameterAppliesCondition,
  type ParameterModeTable,
  type Row,
  ignoredParamTableRowBuilders,
  repeatModeRowForParams,
} from '../../ignoredParamWarnings.ts';
import type { CampaignParamValues } from './params.ts';

/** What conditions look at: of a clone, with what is copied from its source. */
export interface CampaignRequestFacts {
  params: CampaignParamValues;
  account: Pick<AccountRow, 'callback_url'>;
}

type If = ParameterAppliesCondition<CampaignRequestFacts>;

const modes = ['0', '4', '6'] as const;
const { always, when, only } = ignoredParamTableRowBuilders<CampaignRequestFacts, (typeof modes)[number]>(
  modes,
);

const text: If = { if: 'text is given', holds: ({ params }) => params.text !== undefined };
const noText: If = {
  if: 'text, which goes before it, is not given',
  holds: ({ params }) => params.text === undefined,
};
const noOther: If = {
  if: 'text and urlcontent, which go before it, are not given',
  holds: ({ params }) => params.text === undefined && params.contentUrl === undefined,
};
const nothingElse: If = {
  if: 'text, urlcontent and content, which go before it, are not given',
  holds: ({ params }) => [params.text, params.contentUrl, params.content].every((one) => one === undefined),
};
const retried: If = { if: 'resends is 1 or more', holds: ({ params }) => params.retries > 0 };
const told: If = {
  if: 'rurl is given, or the account has a callback address',
  holds: ({ params, account }) => params.callbackUrl !== undefined || account.callback_url !== '',
};
const asks: If = {
  if: 'sms_action is dtmf1: nothing else of it waits for a key',
  holds: ({ params }) => params.smsAction?.trim() === 'dtmf1',
};
const transfers: If = { if: 'queue_id is given', holds: ({ params }) => params.queue !== undefined };

const question = only({ '4': true });
const validation = only({ '6': true });
const transfer = only({ '6': transfers });

const answers = ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((n) => `cont${n}` as const);
const branches = ([2, 3, 4, 5, 8] as const).map((n) => `content${n}` as const);

const rows: Readonly<Record<keyof CampaignParamValues, Row<CampaignRequestFacts>>> = {
  name: always,
  description: always,
  list: always,
  source: always,
  type: always,
  correlation: always,
  content: when(noOther),
  text: always,
  voice: when(text),
  machineAudio: always,
  contentUrl: when(noText),
  audio64: when(nothingElse),
  dateStart: always,
  dateEnd: always,
  timeStart: always,
  timeEnd: always,
  callsPerMinute: always,
  retries: always,
  retryMinutes: when(retried),
  mobile: always,
  maxAnswered: always,
  recordsPerName: always,
  skipBlocklist: always,
  group: always,
  queue: only({ '4': true, '6': true }),
  callbackUrl: always,
  callbackEvents: when(told),
  fixedRoutes: always,
  severalNumbers: always,
  // Other types refuse them (300).
  smsAction: always,
  smsText: always,
  active: always,
  records: always,
  resultsProfile: always,
  ...repeatModeRowForParams(answers, question),
  contentNoDigit: question,
  replayDigit: question,
  answerDigits: question,
  secondAnswerDigits: question,
  digitSeconds: only({ '0': asks, '4': true, '6': true }),
  ...repeatModeRowForParams(branches, validation),
  content6: transfer,
  content7: transfer,
  contentWrong: validation,
  validationDigits: validation,
  confirmDigit: validation,
  filter: always,
  compare: validation,
  requestId: always,
};

export const campaignParametersByType: ParameterModeTable<CampaignRequestFacts> = {
  ...{ by: 'cp_type', modes, rows },
  missing: [
    {
      mode: '4',
      isMissing: ({ params }) => answers.every((name) => !params[name]?.trim()),
      description: 'cp_type 4 without any of cont0 to cont9: an answer is kept, and nothing is said to it',
    },
  ],
};
