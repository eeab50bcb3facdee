/**
 * From what is wished to an audio asset: a draft of its row, its files, then the row settled. Whatever stops it,
 * neither files nor row are left; what a crash leaves goes with the assets that expired.
 */
import type { ExclusiveKeyClaimRequest } from '../../engine/contract/api.ts';
import { fillPlaceholders, type PlaceholderValues } from '../../rules/voice/placeholders.ts';
import {
  mediaIdsOfAudioAsset,
  type FinishedAudio,
  insertPendingAudioAsset,
  removeAudio,
  finishPendingAudioAsset,
} from '../../store/writeAudioAssets.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { Services } from '../services.ts';
import type { SoundFault, SoundFileCreationResult, SoundTreatment } from './audioFileServiceContract.ts';

export interface AudioAssetRequest {
  source: { upload: string } | { text: string; voice: string; rate: number };
  type: 'tts' | 'upload' | 'rec' | 'ttsvar';
  name: string;
  fileName: string;
  group: number | null;
  visible: boolean;
  /** Epoch milliseconds. */
  expiresAt: number;
  treatment: SoundTreatment;
  mp3: boolean;
}

export interface AudioAsset {
  id: number;
  seconds: number;
  /** Media ids; empty: none. */
  wav: string;
  mp3: string;
  sample: string;
}

export type AudioAssetOutcome =
  | { outcome: 'made'; asset: AudioAsset }
  /** The claim was another's: nothing was made. */
  | { outcome: 'repeated' }
  | { outcome: 'refused'; why: SoundFault | 'notSpoken'; text: string }
  /** It cannot be made now; later it may. */
  | { outcome: 'away'; text: string };

/** `claimOf`: what must be unique, made in the same statement as the asset. */
export const createAudioAsset = async (
  services: Services,
  account: AccountRow,
  wish: AudioAssetRequest,
  claimOf: (asset: AudioAsset) => ExclusiveKeyClaimRequest | undefined = () => undefined,
): Promise<AudioAssetOutcome> => {
  const id = await services.audio.newId();
  const { name, fileName, type, group } = wish;
  const spoken = 'text' in wish.source ? wish.source : { text: '', voice: '', rate: 0 };
  const at = services.engine.now(account.shard);
  const pool = services.database(account.shard);
  await insertPendingAudioAsset(pool, {
    account: account.id,
    id,
    name,
    fileName,
    type,
    ...spoken,
    group,
    at,
  });
  let settled = false;
  try {
    const made = await makeFiles(services, account, id, wish);
    if (made.outcome !== 'made') return made;
    const asset = { id, ...made };
    settled = await finishPendingAudioAsset(pool, settlement(account, wish, asset, at), claimOf(asset));
    return settled ? { outcome: 'made', asset } : { outcome: 'repeated' };
  } finally {
    if (!settled) await removeAsset(services, account, id).catch(logged(services, account, id));
  }
};

/** Removes an asset with its files; false: the account has none with this id. */
export const removeAsset = async (services: Services, account: AccountRow, id: number): Promise<boolean> => {
  await services.audio.forget(account.id, mediaIdsOfAudioAsset(id).all);
  return removeAudio(services.database(account.shard), account.id, id);
};

const logged =
  (services: Services, account: AccountRow, id: number) =>
  (error: unknown): void =>
    services.log.error(
      { err: error, account: account.id, audio: id },
      'a draft of an audio could not be removed',
    );

const settlement = (
  account: AccountRow,
  wish: AudioAssetRequest,
  asset: AudioAsset,
  at: number,
): FinishedAudio => ({
  account: account.id,
  ...asset,
  visible: wish.visible,
  expiresAt: wish.expiresAt,
  at,
});

type Files =
  | Exclude<AudioAssetOutcome, { outcome: 'made' | 'repeated' }>
  | ({ outcome: 'made' } & Omit<AudioAsset, 'id'>);

const makeFiles = async (
  services: Services,
  account: AccountRow,
  id: number,
  wish: AudioAssetRequest,
): Promise<Files> => {
  const { wav, sample } = mediaIdsOfAudioAsset(id);
  if (wish.type !== 'ttsvar') return asMain(await makeSound(services, account, wav, wish));
  return asSample(await makeSound(services, account, sample, wish));
};

const makeSound = async (
  services: Services,
  account: AccountRow,
  media: string,
  { source, treatment, mp3 }: AudioAssetRequest,
): Promise<SoundFileCreationResult | { outcome: 'refused'; why: 'notSpoken'; text: string }> => {
  if ('upload' in source) return services.audio.make(account.id, media, { source, treatment, mp3 });
  const spoken = await services.speak(account.id, {
    ...source,
    text: fillPlaceholders(source.text, samples),
  });
  if (spoken.outcome !== 'spoken') return { outcome: 'refused', why: 'notSpoken', text: spoken.why };
  return services.audio.make(account.id, media, { source: { spoken: spoken.media }, treatment, mp3 });
};

/** In a sample each placeholder says its own name. */
const samples: PlaceholderValues = {
  nome: 'nome',
  extra1: 'extra 1',
  extra2: 'extra 2',
  extra3: 'extra 3',
  extra4: 'extra 4',
  cod_cli: 'cod cli',
};

type Sound = Awaited<ReturnType<typeof makeSound>>;

const asMain = (sound: Sound): Files => (sound.outcome === 'made' ? { ...sound, sample: '' } : sound);

const asSample = (sound: Sound): Files =>
  sound.outcome === 'made' ? { ...sound, wav: '', sample: sound.wav } : sound;
