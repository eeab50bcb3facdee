/** Parameters and codes of CreateAudioFile, and what its steps are given. */
import { clientTextEncodings } from '../../lib/clientTextEncoding.ts';
import { date } from '../campaigns/campaignInput/campaignValueSchemas.ts';
import type { RequestContext } from '../declare.ts';
import { decimalSchema, flag, int, wordChoiceSchema, text } from '../parameterValueSchemas.ts';
import { idempotencyErrors } from '../idempotency.ts';
import { defineParams } from '../param.ts';

/** By our names; in the order in which the reference shows them. */
export const audioParams = defineParams({
  text: {
    rest: 'text',
    tool: 'text',
    schema: text(5_000).optional(),
    description:
      'Text to speak. With placeholders it is kept as a text (type ttsvar), and a sample is spoken.',
    toolDescription: 'Text to speak; with <NOME> and the like it is filled in for each person.',
  },
  voice: {
    rest: 'voice',
    tool: 'voice',
    schema: text(80).optional(),
    description: 'Provider|VoiceName of the text, or fad, the default voice.',
    toolDescription: 'Provider|VoiceName.',
  },
  encoding: {
    rest: 'encoding',
    schema: wordChoiceSchema([...clientTextEncodings]).optional(),
    description: 'Encoding of the text. Default ISO-8859-1 for forms, UTF-8 for JSON.',
  },
  rate: {
    rest: 'rate',
    tool: 'rate',
    schema: int(-6, 6).default(0),
    description: 'Pace of the speech, -6 (slow) to 6 (fast).',
  },
  audio64: {
    rest: 'audio64',
    tool: 'audio64',
    schema: text(30_000_000).optional(),
    refusedAs: 'notDecoded',
    description: 'A sound file in base64, of either alphabet, behind `data:audio/<type>;base64,` or not.',
    toolDescription: 'A sound file in base64.',
  },
  name: {
    rest: 'name',
    tool: 'name',
    schema: text(200).optional(),
    description: 'Friendly name. Default the name of the file, or the beginning of the text.',
    toolDescription: 'Friendly name.',
  },
  fileName: {
    rest: 'name_up',
    aliases: ['nome_up'],
    schema: text(200).optional(),
    description: 'Stored file name. Default the name of the upload.',
  },
  type: {
    rest: 'type',
    schema: wordChoiceSchema(['tts', 'upload', 'rec', 'ttsvar']).optional(),
    description: 'tts or ttsvar for a text, upload or rec for a file. Default by what is given.',
  },
  group: { rest: 'cdg_id', schema: int(1, 2 ** 31 - 1).optional(), description: 'Group of assets.' },
  speed: {
    rest: 'speed',
    schema: decimalSchema(0.5, 2).default(1),
    description: 'How many times as fast, at the same pitch; 0.5 to 2.',
  },
  silence: {
    rest: 'delsilence',
    schema: int(0, 3).default(0),
    description: 'Cuts silence: 1 at the start, 2 at the end, 3 both.',
  },
  leadMs: {
    rest: 'incsilence',
    schema: int(0, 60_000).default(0),
    description: 'Milliseconds of silence put at the start.',
  },
  mp3: { rest: 'mp3', schema: text(10).optional(), description: '`no`: only the WAV is made.' },
  permanent: {
    rest: 'ttswrt',
    schema: flag().default(false),
    description: '1 keeps a text for five years instead of a day.',
  },
  expires: {
    rest: 'expires',
    tool: 'expires',
    schema: date().optional(),
    description: 'Last day, YYYY-MM-DD, in the account’s time zone. Default: a text a day, files five years.',
    toolDescription: 'Last day, YYYY-MM-DD. Default: a text a day, a file five years.',
  },
  display: { rest: 'dis', schema: text(10).optional(), description: '`NO` hides it from GetAudiosList.' },
});

/** The refusals of CreateAudioFile, by the words that its steps use. */
export const audioErrors = {
  ...idempotencyErrors,
  dangerous: { code: '205', text: 'the file is a program or infected' },
  noSource: { code: '220', text: 'one of text, a file, audio64 or a raw audio body is required' },
  uploadFailed: { code: '221', text: 'upload error' },
  noFileName: { code: '222', text: 'the file has no name, and name_up is absent' },
  tooSmall: { code: '223', text: 'the file is smaller than 100 bytes' },
  notDecoded: { code: '224', text: 'audio64 cannot be decoded' },
  discarded: { code: '226', text: 'the body was discarded: size limits exceeded' },
  notSpoken: { code: '281', text: 'the text could not be spoken' },
  badValue: { code: '299', text: 'a parameter is out of range' },
} as const;

/** What a step of CreateAudioFile is given. */
export type AudioRequestContext = RequestContext<typeof audioParams, typeof audioErrors>;
