/** Parameters of CreateCampaign that only one type of campaign has (spec 4.3). */
import { int, wordChoiceSchema, textMatchingRegexSchema, text } from '../../parameterValueSchemas.ts';
import { declareNumberedParams, defineParams } from '../../param.ts';

/** An audio id, and the word for one that the account does not have. */
export const campaignAudioParam = <const Word extends string>(refusedAs: Word) => ({
  schema: text(140).optional(),
  refusedAs,
});

/** `cp_type` 4: question and answer. */
export const questionCampaignParams = defineParams({
  ...declareNumberedParams('cont', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], {
    tool: true,
    ...campaignAudioParam('noBranchAudio'),
    description: (n) => `cp_type 4: audio id played after digit ${n}.`,
    toolDescription: (n) => (n === 0 ? 'cp_type 4: audio id after digit 0; cont1 to cont9 likewise.' : ''),
  }),
  contentNoDigit: {
    rest: 'contentno',
    tool: 'contentno',
    ...campaignAudioParam('noDigitAudio'),
    description: 'cp_type 4: audio id played when no digit came.',
  },
  replayDigit: {
    rest: 'dtmfini',
    tool: 'dtmfini',
    schema: textMatchingRegexSchema(1, /^[0-9*]$/, 'one key, 0 to 9 or *').optional(),
    description: 'cp_type 4: the key that replays the main message.',
  },
  answerDigits: {
    rest: 'nans',
    tool: 'nans',
    schema: int(1, 3).default(1),
    refusedAs: 'badAnswerDigits',
    description: 'cp_type 4: digits of the answer.',
  },
  secondAnswerDigits: {
    rest: 'nans2',
    tool: 'nans2',
    schema: int(1, 3).optional(),
    refusedAs: 'badSecondAnswerDigits',
    description: 'cp_type 4: digits of a second answer.',
  },
  digitSeconds: {
    rest: 'dtime',
    tool: 'dtime',
    schema: int(4, 15).default(7),
    refusedAs: 'badDigits',
    description: 'Seconds to wait for digits.',
  },
});

/** What the numbered audio of cp_type 6 is for. */
const branches: Readonly<Record<number, string>> = {
  2: 'audio id that asks for the digits.',
  3: 'audio id played when they match.',
  4: 'audio id played when it was not confirmed.',
  5: 'audio id played when no digit came.',
  6: 'audio id played before the transfer.',
  7: 'audio id played when no member of the queue is free.',
  8: 'audio id of the goodbye.',
};

/** `cp_type` 6: confirmation and validation. */
export const validationCampaignParams = defineParams({
  ...declareNumberedParams('content', [2, 3, 4, 5, 6, 7, 8], {
    tool: true,
    ...campaignAudioParam('noBranchAudio'),
    description: (n) => `cp_type 6: ${branches[n]}`,
  }),
  contentWrong: {
    rest: 'contentfail',
    tool: 'contentfail',
    ...campaignAudioParam('noWrongAudio'),
    description: 'cp_type 6: audio id played when the digits do not match.',
  },
  validationDigits: {
    rest: 'ndigval',
    tool: 'ndigval',
    schema: int(1, 20).optional(),
    refusedAs: 'badDigits',
    description: 'cp_type 6, required there: digits expected.',
  },
  confirmDigit: {
    rest: 'dtmf2',
    tool: 'dtmf2',
    schema: textMatchingRegexSchema(1, /^[0-9*]$/, 'one key, 0 to 9 or *').default('1'),
    description: 'cp_type 6: the key that confirms.',
  },
  filter: {
    rest: 'fdtmf',
    tool: 'fdtmf',
    schema: text(300).optional(),
    refusedAs: 'badFilter',
    description: '<column>|<value>: only records whose column has this value.',
  },
  compare: {
    rest: 'compw',
    tool: 'compw',
    schema: wordChoiceSchema(['cod_cli', 'extra1', 'extra2', 'extra3']).optional(),
    refusedAs: 'badCompare',
    description: 'cp_type 6, required there: the column whose end the digits must be.',
  },
});
