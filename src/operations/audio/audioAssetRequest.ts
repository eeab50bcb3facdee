/** From the parameters of CreateAudioFile to the asset that is wished for. */
import { computePermanentAudioExpiry } from '../../rules/audio/audioLife.ts';
import { endOfDay } from '../../lib/localTime.ts';
import { hasPlaceholders } from '../../rules/voice/placeholders.ts';
import { isThirdPartyVoice } from '../../rules/voice/voiceName.ts';
import { doesCampaignGroupExist } from '../../store/reads/campaigns/campaignParts.ts';
import type { AudioAssetRequest } from './uploadOrSynthesizeAudioAsset.ts';
import type { AudioSource } from './source.ts';
import type { SoundTreatment } from './audioFileServiceContract.ts';
import type { AudioRequestContext } from './params.ts';

const DAY_MS = 86_400_000;
/** A name made of a text is no longer than this, characters. */
const NAME_CHARACTERS = 60;

/** Throws 281 for a text where nothing speaks, 299 for what does not fit together. */
export const readAudioAssetRequest = async (
  ctx: AudioRequestContext,
  source: AudioSource,
): Promise<AudioAssetRequest> => {
  const { params } = ctx;
  const type = readType(ctx, source);
  return {
    source: await readOrigin(ctx, source),
    type,
    name: params.name?.trim() || nameOf(source),
    fileName: source.kind === 'text' ? (params.fileName ?? '') : source.fileName,
    group: await readGroup(ctx),
    visible: params.display?.trim().toUpperCase() !== 'NO',
    expiresAt: readExpiry(ctx, type),
    treatment: readTreatment(ctx),
    mp3: params.mp3?.trim().toLowerCase() !== 'no',
  };
};

/** A text with placeholders says something else in every call, so it is kept as a text. */
const readType = (
  { params, refuse }: AudioRequestContext,
  source: AudioSource,
): AudioAssetRequest['type'] => {
  const isText = source.kind === 'text';
  if (params.type === undefined) return isText ? (hasPlaceholders(source.text) ? 'ttsvar' : 'tts') : 'upload';
  const isTextType = params.type === 'tts' || params.type === 'ttsvar';
  if (isText !== isTextType)
    throw refuse(
      'badValue',
      `type must be ${isText ? 'tts or ttsvar for a text' : 'upload or rec for a file'}`,
    );
  return params.type;
};

const readOrigin = async (
  { account, params, services, refuse }: AudioRequestContext,
  source: AudioSource,
): Promise<AudioAssetRequest['source']> => {
  if (source.kind !== 'text') return { upload: source.path };
  if (services.cannotSpeak !== undefined && !isThirdPartyVoice(params.voice ?? ''))
    throw refuse('notSpoken', services.cannotSpeak);
  const voice = await services.voiceNamed(account.id, params.voice ?? '');
  if (voice === undefined)
    throw refuse('badValue', `voice must be one of GetTTSVoices; "${params.voice}" is not`);
  return { text: source.text, voice, rate: params.rate };
};

const nameOf = (source: AudioSource): string =>
  source.kind === 'text' ? source.text.slice(0, NAME_CHARACTERS).replace(halfCharacter, '') : source.fileName;

/** The first half of a character of two code units, whose other half was cut off. */
const halfCharacter = /[\ud800-\udbff]$/;

const readGroup = async ({
  account,
  params,
  services,
  refuse,
}: AudioRequestContext): Promise<number | null> => {
  if (params.group === undefined) return null;
  if (await doesCampaignGroupExist(services.database(account.shard), account.id, params.group))
    return params.group;
  throw refuse('badValue', `cdg_id ${params.group} is not a group of this account`);
};

/** Spec 8 "Audio expiry". A day that is named is the last one, in the account's time zone. */
const readExpiry = (
  { account, params, services, refuse }: AudioRequestContext,
  type: AudioAssetRequest['type'],
): number => {
  const now = services.engine.now(account.shard);
  if (params.expires !== undefined) {
    const end = endOfDay(params.expires, account.time_zone);
    if (end <= now) throw refuse('badValue', 'expires must not be over');
    return end;
  }
  const isText = type === 'tts' || type === 'ttsvar';
  return isText && !params.permanent ? now + DAY_MS : computePermanentAudioExpiry(now, account.time_zone);
};

const readTreatment = ({ params }: AudioRequestContext): SoundTreatment => ({
  speed: params.speed,
  trim: {
    start: params.silence === 1 || params.silence === 3,
    end: params.silence === 2 || params.silence === 3,
  },
  leadMs: params.leadMs,
});
