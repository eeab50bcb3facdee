/** What the callee hears first (spec 4.3): `text`, else `urlcontent`, else `content`, else `audio64`. */
import { rm } from 'node:fs/promises';
import type { PromptSource } from '../../../../machines/call/input.ts';
import { computePermanentAudioExpiry } from '../../../rules/audio/audioLife.ts';
import { decodeBase64Stream, NotBase64 } from '../../../lib/decodeClientBase64.ts';
import { pipeIntoNewFile } from '../../../lib/newFile.ts';
import { hasPlaceholders } from '../../../rules/voice/placeholders.ts';
import { isSpeakable } from '../../../rules/voice/isSpeakable.ts';
import { isThirdPartyVoice } from '../../../rules/voice/voiceName.ts';
import {
  type AudioAssetOutcome,
  type AudioAssetRequest,
  createAudioAsset,
  removeAsset,
} from '../../audio/uploadOrSynthesizeAudioAsset.ts';
import type { UploadedFile } from '../../operationUploadTypes.ts';
import type { CampaignPrompts } from './audio.ts';
import { maxAudioBase64Characters } from './campaignValueSchemas.ts';
import type { RequestUndoActions } from './compensation.ts';
import type { CreateCampaignContext } from './params.ts';

export interface OpeningPrompt {
  prompt: PromptSource;
  /** The asset that was made of what came with the request; absent: none was. */
  made?: string;
}

/** How it is made, once all the rest was checked. Throws 205, 240, 280 and 281; what it makes is noted. */
export type MakeOpeningPrompt = (compensation: RequestUndoActions) => Promise<OpeningPrompt>;

/** Throws 240 when there is nothing to be heard, 280 for a text where nothing speaks, 299 for an unknown voice. */
export const readOpeningPrompt = async (
  ctx: CreateCampaignContext,
  audio: CampaignPrompts,
): Promise<MakeOpeningPrompt> => {
  const { params, spilled, refuse } = ctx;
  const { content } = audio.prompts;
  const { audio64 } = spilled;
  if (params.text !== undefined) return spoken(ctx, params.text.trim(), await readVoice(ctx));
  if (params.contentUrl !== undefined) return fetched(ctx, params.contentUrl);
  if (content) return () => Promise.resolve({ prompt: content });
  if (audio64) return decoded(ctx, audio64);
  throw refuse('noContent', 'one of content, text, urlcontent or audio64 is required');
};

const readVoice = async ({ account, params, services, refuse }: CreateCampaignContext): Promise<string> => {
  if (services.cannotSpeak !== undefined && !isThirdPartyVoice(params.voice ?? ''))
    throw refuse('notSpoken', `text: ${services.cannotSpeak}`);
  const voice = await services.voiceNamed(account.id, params.voice ?? '');
  if (voice === undefined)
    throw refuse('badValue', `voice must be one of GetTTSVoices; "${params.voice}" is not`);
  return voice;
};

/** A text that is the same for all records is spoken once; one with placeholders for each record. */
const spoken = (ctx: CreateCampaignContext, text: string, voice: string): MakeOpeningPrompt => {
  if (!isSpeakable(text)) throw ctx.refuse('notSpoken', 'text says nothing');
  if (hasPlaceholders(text)) return () => Promise.resolve({ prompt: { text, voice } });
  return async (compensation) => {
    const made = await make(ctx, { type: 'tts', source: { text, voice, rate: 0 } }, compensation);
    return opened(ctx, made, 'text', 'notSpoken');
  };
};

const fetched =
  (ctx: CreateCampaignContext, url: string): MakeOpeningPrompt =>
  async (compensation) => {
    const { account, services, refuse } = ctx;
    const got = await services.download(account.id, url);
    if (got.outcome === 'refused') throw refuse('notFetched', `urlcontent ${got.why}`);
    try {
      return opened(ctx, await ofFile(ctx, got.file.path, compensation), 'urlcontent', 'notFetched');
    } finally {
      await got.file.discard();
    }
  };

const decoded =
  (ctx: CreateCampaignContext, sent: UploadedFile): MakeOpeningPrompt =>
  async (compensation) => {
    if (sent.bytes > maxAudioBase64Characters) throw ctx.refuse('noContent', 'audio64 is larger than 20 MB');
    const path = `${sent.path}-decoded`;
    try {
      await pipeIntoNewFile(decodeBase64Stream(sent.open()), path);
      return opened(ctx, await ofFile(ctx, path, compensation), 'audio64', 'noContent');
    } catch (error) {
      if (error instanceof NotBase64)
        throw ctx.refuse('noContent', `audio64 cannot be decoded: ${error.message}`);
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  };

const ofFile = (
  ctx: CreateCampaignContext,
  path: string,
  compensation: RequestUndoActions,
): Promise<AudioAssetOutcome> => make(ctx, { type: 'upload', source: { upload: path } }, compensation);

const asItIs = { speed: 1, trim: { start: false, end: false }, leadMs: 0 };

const make = async (
  { account, params, services }: CreateCampaignContext,
  what: Pick<AudioAssetRequest, 'type' | 'source'>,
  compensation: RequestUndoActions,
): Promise<AudioAssetOutcome> => {
  const made = await createAudioAsset(services, account, {
    ...what,
    name: params.name?.trim() ?? '',
    fileName: '',
    group: null,
    visible: true,
    // It may be activated long after it was created: all its audio is kept like an upload.
    expiresAt: computePermanentAudioExpiry(services.engine.now(account.shard), account.time_zone),
    treatment: asItIs,
    mp3: true,
  });
  if (made.outcome === 'made') compensation.add(() => removeAsset(services, account, made.asset.id));
  return made;
};

/** Programs and viruses have a code of their own; all else is the fault of the parameter that brought the sound. */
const opened = (
  { refuse }: CreateCampaignContext,
  made: AudioAssetOutcome,
  parameter: string,
  word: 'notSpoken' | 'notFetched' | 'noContent',
): OpeningPrompt => {
  if (made.outcome === 'made') {
    const { id, wav, seconds } = made.asset;
    return { prompt: { media: wav, seconds }, made: `tf${id}` };
  }
  if (made.outcome === 'repeated') throw new Error('an asset without a claim was refused its claim');
  const isHarmful = made.outcome === 'refused' && (made.why === 'executable' || made.why === 'infected');
  throw refuse(isHarmful ? 'executable' : word, `${parameter}: ${made.text}`);
};
