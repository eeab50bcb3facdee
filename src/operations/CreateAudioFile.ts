/** Make an audio asset of a text, a file, base64 or a raw body (spec 4.8). What the parameters mean is in `audio/`. */
import * as z from 'zod';
import { encodings } from '../rules/encoding.ts';
import { createdAudio, writeCreatedAudio } from '../wire/audioRecord.ts';
import { type Asset, type AssetOutcome, type AssetWish, createAsset } from './audio/asset.ts';
import { type AudioSource, leastBytes, readSource } from './audio/source.ts';
import { readWish } from './audio/wish.ts';
import { date } from './campaignInput/fields.ts';
import { type Asked, noKeys, operation, params, type Refused, type Success } from './declare.ts';
import { decimal, flag, int, oneOf, text } from './fields.ts';
import { answeredBefore, idempotencyClaims, idempotencyErrors } from './idempotency.ts';
import { warnOfEncoding } from './encodingWarning.ts';

const audioParams = params({
  text: {
    rest: 'text',
    tool: 'text',
    schema: text(5_000).optional(),
    says: 'Text to speak. With placeholders it is kept as a text (type ttsvar), and a sample is spoken.',
    toolSays: 'Text to speak; with <NOME> and the like it is filled in for each person.',
  },
  voice: {
    rest: 'voice',
    tool: 'voice',
    schema: text(80).optional(),
    says: 'Provider|VoiceName of the text, or fad, the default voice.',
    toolSays: 'Provider|VoiceName.',
  },
  encoding: {
    rest: 'encoding',
    schema: oneOf([...encodings]).optional(),
    says: 'Encoding of the text. Default ISO-8859-1 for forms, UTF-8 for JSON.',
  },
  rate: {
    rest: 'rate',
    tool: 'rate',
    schema: int(-6, 6).default(0),
    says: 'Pace of the speech, -6 (slow) to 6 (fast).',
  },
  audio64: {
    rest: 'audio64',
    tool: 'audio64',
    schema: text(30_000_000).optional(),
    refusedAs: 'notDecoded',
    says: 'A sound file in base64, of either alphabet, behind `data:audio/<type>;base64,` or not.',
    toolSays: 'A sound file in base64.',
  },
  name: {
    rest: 'name',
    tool: 'name',
    schema: text(200).optional(),
    says: 'Friendly name. Default the name of the file, or the beginning of the text.',
    toolSays: 'Friendly name.',
  },
  fileName: {
    rest: 'name_up',
    aliases: ['nome_up'],
    schema: text(200).optional(),
    says: 'Stored file name. Default the name of the upload.',
  },
  type: {
    rest: 'type',
    schema: oneOf(['tts', 'upload', 'rec', 'ttsvar']).optional(),
    says: 'tts or ttsvar for a text, upload or rec for a file. Default by what is given.',
  },
  group: { rest: 'cdg_id', schema: int(1, 2 ** 31 - 1).optional(), says: 'Group of assets.' },
  speed: {
    rest: 'speed',
    schema: decimal(0.5, 2).default(1),
    says: 'How many times as fast, at the same pitch; 0.5 to 2.',
  },
  silence: {
    rest: 'delsilence',
    schema: int(0, 3).default(0),
    says: 'Cuts silence: 1 at the start, 2 at the end, 3 both.',
  },
  leadMs: {
    rest: 'incsilence',
    schema: int(0, 60_000).default(0),
    says: 'Milliseconds of silence put at the start.',
  },
  mp3: { rest: 'mp3', schema: text(10).optional(), says: '`no`: only the WAV is made.' },
  permanent: {
    rest: 'ttswrt',
    schema: flag().default(false),
    says: '1 keeps a text for five years instead of a day.',
  },
  expires: {
    rest: 'expires',
    tool: 'expires',
    schema: date().optional(),
    says: 'Last day, YYYY-MM-DD, in the account’s time zone. Default: a text a day, files five years.',
    toolSays: 'Last day, YYYY-MM-DD. Default: a text a day, a file five years.',
  },
  display: { rest: 'dis', schema: text(10).optional(), says: '`NO` hides it from GetAudiosList.' },
});

const audioErrors = {
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

export type AudioAsked = Asked<typeof audioParams, typeof audioErrors>;

const operationName = 'CreateAudioFile';

export const CreateAudioFile = operation({
  name: operationName,
  section: '4.8',
  topic: 'audio',
  summary: 'Make an audio asset: synthesize a text, or take a sound file.',
  permission: 'telephony',
  creates: true,
  params: audioParams,
  needs: ['text', 'audio64'],
  errors: audioErrors,
  upload: {
    limit: 'audio',
    raw: /^audio\//,
    leastBytes,
    spills: ['audio64'],
    refusedAs: {
      tooLarge: 'uploadFailed',
      discarded: 'discarded',
      partial: 'uploadFailed',
      notStored: 'uploadFailed',
    },
  },
  answer: { fields: createdAudio, beside: noKeys, failed: z.object({ cdw_file: z.literal('0') }) },
  failure: { fields: { cdw_file: '0' }, beside: {} },
  tools: [
    {
      name: 'create_audio',
      title: 'Make an audio',
      says:
        'Makes an audio of a text (or of a sound file in base64), for content of make_tts_call and create_campaign.' +
        ' Nobody is called. The same arguments within a minute return the first outcome. 281: the text or the voice' +
        ' cannot be spoken.',
      effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      repeats: true,
      refusals: { '220': 'text or audio64 is required' },
      done: ({ cdw_file: id }) => `Audio ${String(id)} is there: pass it as content.`,
      example: { text: 'Olá, esta é uma mensagem.', name: 'Aviso' },
    },
  ],
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', text: 'Olá, esta é uma mensagem.', name: 'Aviso' },
    response: {
      return: {
        status: 'OK', status_code: '0', cdw_file: 'tf12', cdw_file_test: '', cdw_name: 'Aviso',
        'cdw_sec ': '2.318', 'cdw_expires ': '2026-11-21', 'cdw_type ': 'tts',
      },
    },
  }, // prettier-ignore

  async handle(asked) {
    warnOfEncoding(asked, { text: asked.params.text, name: asked.params.name });
    const content = await contentDigest(asked);
    const before = await answeredBefore(operationName, withContent(asked, content));
    if (before) return { fields: before, replayed: true };
    const source = await readSource(asked);
    const wish = await readWish(asked, source);
    const claimOf = (asset: Asset) =>
      idempotencyClaims(
        operationName,
        asked.idempotency,
        withContent(asked, content).params,
        fieldsOf(asked, wish, asset),
      )[0];
    const created = await createAsset(asked.services, asked.account, wish, claimOf);
    return answer(asked, source, wish, created, content);
  },
});

/** What was sent besides the parameters belongs to the request that an Idempotency-Key names. */
const contentDigest = async ({ idempotency, file, spilled }: AudioAsked): Promise<string> => {
  const sent = file ?? spilled['audio64'];
  return !idempotency || !sent ? '' : sent.digest();
};

const withContent = (asked: AudioAsked, content: string): AudioAsked => ({
  ...asked,
  params: { ...asked.params, audio64: content },
});

const fieldsOf = ({ account }: AudioAsked, { name, type, expiresAt }: AssetWish, asset: Asset) =>
  writeCreatedAudio({ ...asset, name, type, expires_at: expiresAt }, account.time_zone);

const answer = async (
  asked: AudioAsked,
  source: AudioSource,
  wish: AssetWish,
  created: AssetOutcome,
  content: string,
): Promise<Success | Refused> => {
  switch (created.outcome) {
    case 'made':
      return { fields: fieldsOf(asked, wish, created.asset) };
    case 'repeated':
      return { fields: (await answeredBefore(operationName, withContent(asked, content)))!, replayed: true };
    case 'away':
      return asked.refuse('uploadFailed', `upload error 8: ${created.text}; try again later`);
    case 'refused':
      return refused(asked, source, created.why, created.text);
  }
};

/** Which code a fault has: 205 for what is dangerous, 224 and 221 for what is no sound, with clients' numbers of upload errors. */
const refused = (
  { refuse }: AudioAsked,
  { kind }: AudioSource,
  why: Extract<AssetOutcome, { outcome: 'refused' }>['why'],
  text: string,
): Refused => {
  switch (why) {
    case 'executable':
    case 'infected':
      return refuse('dangerous', text);
    case 'notSpoken':
      return refuse('notSpoken', `the text could not be spoken: ${text}`);
    case 'tooLong':
    case 'tooMuch':
      return refuse('uploadFailed', `upload error 2: ${text}`);
    case 'notSound':
    case 'onlySilence':
    case 'notScanned':
      return kind === 'base64'
        ? refuse('notDecoded', `audio64 cannot be decoded: ${text}`)
        : refuse('uploadFailed', `upload error 8: ${text}`);
  }
};
