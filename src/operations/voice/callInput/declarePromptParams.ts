/** Parameters of MakeTTSCall that say what is heard: texts, audios and the voice. */
import { allPromptContentSlotNumbers, allPromptTextSlotNumbers } from '../../../rules/voice/promptSlots.ts';
import { text } from '../../parameterValueSchemas.ts';
import { declareNumberedParams, defineParams } from '../../param.ts';

/** Longest text of one prompt, characters: about six minutes of speech. */
const spoken = text(5_000).optional();

/** An audio of the account, by its id. */
export const callAudioParam = { schema: text(140).optional(), refusedAs: 'unknownAudio' } as const;

/** By our names; in the order in which the reference shows them. */
export const promptParams = defineParams({
  text: { rest: 'text', tool: 'text', schema: spoken, description: 'Text spoken first, after `content`.' },
  ...declareNumberedParams('text', allPromptTextSlotNumbers, {
    tool: true,
    schema: spoken,
    description: (n) => `Text that a dtmf action may play as slot ${n}.`,
    toolDescription: (n) =>
      n === 1 ? 'Text that the dtmf action text1 speaks; text2 to text11 likewise.' : '',
  }),
  content: {
    rest: 'content',
    tool: 'content',
    ...callAudioParam,
    description: 'Audio id played first. With or without the prefix tf.',
  },
  ...declareNumberedParams('content', allPromptContentSlotNumbers, {
    ...callAudioParam,
    description: (n) => `Audio id that a dtmf action may play as slot ${n}; wins over text${n}.`,
  }),
  contentAsk: { rest: 'contentdtmf', ...callAudioParam, description: 'Audio id that asks for digits.' },
  contentNoDigit: {
    rest: 'contentno',
    ...callAudioParam,
    description: 'Audio id played when no digit came.',
  },
  contentWrong: {
    rest: 'contentfail',
    ...callAudioParam,
    description: 'Audio id played after a wrong digit, or when the transfer was not answered.',
  },
  contentEnd: { rest: 'contentend', ...callAudioParam, description: 'Audio id played before hanging up.' },
  voice: {
    rest: 'voice',
    tool: 'voice',
    schema: text(80).optional(),
    description: 'Provider|VoiceName, or fad, the default voice.',
  },
});
