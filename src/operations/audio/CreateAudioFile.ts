/** Make an audio asset of a text, a file, base64 or a raw body (spec 4.8). Its parameters and codes, and what they mean, are in `audio/`. */
import * as z from 'zod';
import { createdAudioSchema, buildCreateAudioFileAnswer } from '../../wire/audioRecord.ts';
import {
  type AudioAsset,
  type AudioAssetOutcome,
  type AudioAssetRequest,
  createAudioAsset,
} from './uploadOrSynthesizeAudioAsset.ts';
import { type AudioSource, smallestAudioUploadBytes, readAudioSource } from './source.ts';
import { readAudioAssetRequest } from './audioAssetRequest.ts';
import { emptyObjectSchema, defineOperation, type OperationSuccess } from '../declare.ts';
import { replayedAnswer, buildIdempotencyClaims } from '../idempotency.ts';
import { warnOfMisreadUtf8 } from '../encodingWarning.ts';
import { warnOfUnknownWord } from '../unknownWordWarning.ts';
import type { Refused } from '../refused.ts';
import { audioParams, audioErrors, type AudioRequestContext } from './params.ts';

const operationName = 'CreateAudioFile';
const mp3Words = { acts: 'no', silent: ['yes', 'sim', '1'], instead: 'the MP3 is made' };
const displayWords = { acts: 'NO', silent: ['yes', 'sim', '1'], instead: 'GetAudiosList shows the audio' };

export const CreateAudioFileOperation = defineOperation({
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
    leastBytes: smallestAudioUploadBytes,
    spills: ['audio64'],
    refusedAs: {
      tooLarge: 'uploadFailed',
      discarded: 'discarded',
      partial: 'uploadFailed',
      notStored: 'uploadFailed',
    },
  },
  answer: {
    fields: createdAudioSchema,
    beside: emptyObjectSchema,
    failed: z.object({ cdw_file: z.literal('0') }),
  },
  failure: { fields: { cdw_file: '0' }, beside: {} },
  tools: [
    {
      name: 'create_audio',
      title: 'Make an audio',
      description:
        'Makes an audio of a text (or of a sound file in base64), for content of make_tts_call and create_campaign.' +
        ' No call is made. The same arguments within a minute return the first outcome. 281: the text or the voice' +
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

  async handle(ctx) {
    warnOfMisreadUtf8(ctx, { text: ctx.params.text, name: ctx.params.name });
    warnOfUnknownWord(ctx, 'mp3', ctx.params.mp3, mp3Words);
    warnOfUnknownWord(ctx, 'dis', ctx.params.display, displayWords);
    const content = await contentDigest(ctx);
    const before = await replayedAnswer(operationName, withContent(ctx, content));
    if (before) return { fields: before, replayed: true };
    const source = await readAudioSource(ctx);
    const wish = await readAudioAssetRequest(ctx, source);
    const claimOf = (asset: AudioAsset) =>
      buildIdempotencyClaims(
        operationName,
        ctx.idempotency,
        withContent(ctx, content).params,
        fieldsOf(ctx, wish, asset),
      )[0];
    const created = await createAudioAsset(ctx.services, ctx.account, wish, claimOf);
    return answer(ctx, source, wish, created, content);
  },
});

/** What was sent besides the parameters belongs to the request that an Idempotency-Key names. */
const contentDigest = async ({ idempotency, file, spilled }: AudioRequestContext): Promise<string> => {
  const sent = file ?? spilled['audio64'];
  return !idempotency || !sent ? '' : sent.digest();
};

const withContent = (ctx: AudioRequestContext, content: string): AudioRequestContext => ({
  ...ctx,
  params: { ...ctx.params, audio64: content },
});

const fieldsOf = (
  { account }: AudioRequestContext,
  { name, type, expiresAt }: AudioAssetRequest,
  asset: AudioAsset,
) => buildCreateAudioFileAnswer({ ...asset, name, type, expires_at: expiresAt }, account.time_zone);

const answer = async (
  ctx: AudioRequestContext,
  source: AudioSource,
  wish: AudioAssetRequest,
  created: AudioAssetOutcome,
  content: string,
): Promise<OperationSuccess | Refused> => {
  switch (created.outcome) {
    case 'made':
      return { fields: fieldsOf(ctx, wish, created.asset) };
    case 'repeated':
      return { fields: (await replayedAnswer(operationName, withContent(ctx, content)))!, replayed: true };
    case 'away':
      return ctx.refuse('uploadFailed', `upload error 8: ${created.text}; try again later`);
    case 'refused':
      return refused(ctx, source, created.why, created.text);
  }
};

/** Which code a fault has: 205 for what is dangerous, 224 and 221 for what is no sound, with clients' numbers of upload errors. */
const refused = (
  { refuse }: AudioRequestContext,
  { kind }: AudioSource,
  why: Extract<AudioAssetOutcome, { outcome: 'refused' }>['why'],
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
