/** From the parameters of CreateAudioFile to the asset that is wished for. */
import { permanentUntil } from '../../rules/audio/audioLife.ts';
import { endOfDay } from '../../lib/localTime.ts';
import { hasPlaceholders } from '../../rules/voice/placeholders.ts';
import { isThirdParty } from '../../rules/voice/voiceName.ts';
import { hasGroup } from '../../store/reads/campaigns/campaignParts.ts';
import type { AssetWish } from './asset.ts';
import type { AudioSource } from './source.ts';
import type { SoundTreatment } from './audioFiles.ts';
import type { AudioAsked } from './params.ts';

const DAY_MS = 86_400_000;
/** A name made of a text is no longer than this, characters. */
const NAME_CHARACTERS = 60;

/** Throws 281 for a text where nothing speaks, 299 for what does not fit together. */
export const readWish = async (asked: AudioAsked, source: AudioSource): Promise<AssetWish> => {
  const { params: given } = asked;
  const type = readType(asked, source);
  return {
    source: await readOrigin(asked, source),
    type,
    name: given.name?.trim() || nameOf(source),
    fileName: source.kind === 'text' ? (given.fileName ?? '') : source.fileName,
    group: await readGroup(asked),
    visible: given.display?.trim().toUpperCase() !== 'NO',
    expiresAt: readExpiry(asked, type),
    treatment: readTreatment(asked),
    mp3: given.mp3?.trim().toLowerCase() !== 'no',
  };
};

/** A text with placeholders says something else in every call, so it is kept as a text. */
const readType = ({ params: given, refuse }: AudioAsked, source: AudioSource): AssetWish['type'] => {
  const isText = source.kind === 'text';
  if (given.type === undefined) return isText ? (hasPlaceholders(source.text) ? 'ttsvar' : 'tts') : 'upload';
  const isTextType = given.type === 'tts' || given.type === 'ttsvar';
  if (isText !== isTextType)
    throw refuse(
      'badValue',
      `type must be ${isText ? 'tts or ttsvar for a text' : 'upload or rec for a file'}`,
    );
  return given.type;
};

const readOrigin = async (
  { account, params: given, services, refuse }: AudioAsked,
  source: AudioSource,
): Promise<AssetWish['source']> => {
  if (source.kind !== 'text') return { upload: source.path };
  if (services.cannotSpeak !== undefined && !isThirdParty(given.voice ?? ''))
    throw refuse('notSpoken', services.cannotSpeak);
  const voice = await services.voiceNamed(account.id, given.voice ?? '');
  if (voice === undefined)
    throw refuse('badValue', `voice must be one of GetTTSVoices; "${given.voice}" is not`);
  return { text: source.text, voice, rate: given.rate };
};

const nameOf = (source: AudioSource): string =>
  source.kind === 'text' ? source.text.slice(0, NAME_CHARACTERS) : source.fileName;

const readGroup = async ({
  account,
  params: given,
  services,
  refuse,
}: AudioAsked): Promise<number | null> => {
  if (given.group === undefined) return null;
  if (await hasGroup(services.database(account.shard), account.id, given.group)) return given.group;
  throw refuse('badValue', `cdg_id ${given.group} is not a group of this account`);
};

/** Spec 8 "Audio expiry". A day that is named is the last one, in the account's time zone. */
const readExpiry = (
  { account, params: given, services, refuse }: AudioAsked,
  type: AssetWish['type'],
): number => {
  const now = services.engine.now(account.shard);
  if (given.expires !== undefined) {
    const end = endOfDay(given.expires, account.time_zone);
    if (end <= now) throw refuse('badValue', 'expires must not be over');
    return end;
  }
  const isText = type === 'tts' || type === 'ttsvar';
  return isText && !given.permanent ? now + DAY_MS : permanentUntil(now, account.time_zone);
};

const readTreatment = ({ params: given }: AudioAsked): SoundTreatment => ({
  speed: given.speed,
  trim: {
    start: given.silence === 1 || given.silence === 3,
    end: given.silence === 2 || given.silence === 3,
  },
  leadMs: given.leadMs,
});
