/** Audio assets made of a text, or of a sound file. */
import * as z from 'zod';
import { CreateAudioFileOperation } from '../../operations/audio/CreateAudioFile.ts';
import {
  type AudioAssetOutcome,
  type AudioAssetRequest,
  createAudioAsset,
} from '../../operations/audio/uploadOrSynthesizeAudioAsset.ts';
import { smallestAudioUploadBytes } from '../../operations/audio/source.ts';
import { computePermanentAudioExpiry } from '../../rules/audio/audioLife.ts';
import { hasPlaceholders } from '../../rules/voice/placeholders.ts';
import { Unavailable } from '../../engine/contract/api.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { dateTimeFieldSchema, optionalQueryField, queryMoment, text } from '../fieldSchemas.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { requireVoice } from '../voice/requireVoice.ts';
import { receiveUploadedFile } from '../readUploadedFile.ts';
import { checkExpiry, requireAudio } from './audios.ts';
import { audioExample, audioSchema } from './audioSchemas.ts';

const { errors } = CreateAudioFileOperation;
/** A name made of a text is no longer than this, characters. */
const nameCharacters = 60;
const expiryHelp = 'From then on nothing new may play it. Default: in five years.';

export const createAudioRoutes = {
  'POST /accounts/:account/audios': defineRoute({
    role: 'admin',
    summary: 'Makes an audio of a text.',
    description: 'As CreateAudioFile does, but it is kept for five years where nothing else is said.',
    scope: accountInPath,
    body: z.strictObject({
      text: text(5_000)
        .refine((value) => value.trim() !== '', 'must not be empty')
        .describe('What is said. With `<NOME>` and the like it is filled in for each person.'),
      voice: text(200)
        .optional()
        .describe('`provider|name`, as the list of voices has them; empty: the usual one.'),
      rate: z.int().min(-6).max(6).default(0).describe('How fast: -6 to 6.'),
      name: text(200).optional().describe('Default: the beginning of the text.'),
      expires_at: dateTimeFieldSchema.optional().describe(expiryHelp),
    }),
    answer: audioSchema,
    http: 201,
    refuses: { 409: 'The text or the voice cannot be spoken.' },
    example: { body: { text: 'Olá, esta é uma mensagem.', name: 'Aviso' }, answer: audioExample },
    handle: async ({ deps, account, body: { text: said, voice, rate, name, expires_at: expiresAt } }) => {
      const words = said.trim();
      return make(deps, account, {
        source: { text: words, voice: await requireVoice(deps, account.id, voice ?? ''), rate },
        type: hasPlaceholders(words) ? 'ttsvar' : 'tts',
        name: name?.trim() || words.slice(0, nameCharacters),
        fileName: '',
        expiresAt,
      });
    },
  }),
  'POST /accounts/:account/audios/upload': defineRoute({
    role: 'admin',
    summary: 'Makes an audio of a sound file: WAV, MP3, OGG, FLAC and what else the decoder reads.',
    description:
      'The file is looked through for programs and viruses, and is kept for five years where nothing else is said.',
    scope: accountInPath,
    query: z.object({
      name: optionalQueryField(text(200)).describe('Default: the name of the file.'),
      file: optionalQueryField(text(200)).describe('Name of the file.'),
      expires_at: optionalQueryField(queryMoment).describe(expiryHelp),
    }),
    file: 'sound',
    answer: audioSchema,
    http: 201,
    refuses: {
      413: 'The file is too large.',
      415: 'It is compressed, or JSON.',
      503: 'The scanner, the decoder or the media store does not work now.',
    },
    example: { query: { name: 'Welcome', file: 'welcome.wav' }, answer: audioExample },
    handle: async ({ deps, ctx, account, query }) => {
      const files = deps.files('audio');
      try {
        const named = query.file ?? '';
        const upload = await receiveUploadedFile(deps, ctx, files, { name: named, limit: 'audio' });
        if (upload.bytes < smallestAudioUploadBytes)
          throw new AdminError(400, errors.tooSmall.text, { field: null, code: errors.tooSmall.code });
        // Its size stands in the audit log; the file does not.
        (ctx.request as { body?: unknown }).body = { bytes: upload.bytes };
        return await make(deps, account, {
          source: { upload: upload.path },
          type: 'upload',
          name: query.name?.trim() || named || 'audio',
          fileName: named,
          expiresAt: query.expires_at,
        });
      } finally {
        await files.discard();
      }
    },
  }),
};

type Wish = Pick<AudioAssetRequest, 'source' | 'type' | 'name' | 'fileName'> & {
  expiresAt: number | undefined;
};

const make = async (deps: AdminDeps, account: AccountRow, { expiresAt, ...wish }: Wish) => {
  const now = deps.engine.now(account.shard);
  checkExpiry(expiresAt, now);
  const made = await createAudioAsset(deps.services, account, {
    ...wish,
    group: null,
    visible: true,
    expiresAt: expiresAt ?? computePermanentAudioExpiry(now, account.time_zone),
    treatment: { speed: 1, trim: { start: false, end: false }, leadMs: 0 },
    mp3: true,
  });
  if (made.outcome !== 'made') throw refusal(made);
  return requireAudio(deps, account, made.asset.id);
};

/** What is said of a sound that was not made, with the code that CreateAudioFile has for it. */
const refusal = (made: Exclude<AudioAssetOutcome, { outcome: 'made' }>): Error => {
  if (made.outcome === 'away') return new Unavailable(made.text, 5);
  if (made.outcome === 'repeated') return new Error('an audio without a claim was held by another');
  const { why, text: said } = made;
  if (why === 'notSpoken') return new AdminError(409, `text: ${said}`, { field: 'text' });
  const isDangerous = why === 'executable' || why === 'infected';
  const { code } = isDangerous ? errors.dangerous : errors.uploadFailed;
  return new AdminError(400, said, { field: null, code });
};
