/**
 * The speech cache: finds what was spoken before, has the rest spoken, and keeps it in the media store under a name
 * made of voice and text.
 */
import { createHash } from 'node:crypto';
import type { SpeechSynthesisEffects } from '../../../machines/contracts/speech.ts';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import { singleflight } from '../../lib/singleflight.ts';
import { splitVoiceProviderAndName } from '../../rules/voice/voiceName.ts';
import type { MediaStore } from '../contracts/media.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import type { EffectCall, EffectResult } from '../../engine/contract/performer.ts';
import type { TextToSpeech, SpokenAudio, Synthesizer, Utterance } from '../contracts/speech.ts';
import { LruFileIndex } from './lruFileCache.ts';

export interface SpeechCacheOptions {
  media: MediaStore;
  /** One for each provider whose voices can be spoken here. */
  synthesizers: readonly Synthesizer[];
  /** Spoken texts kept, in bytes of all accounts together; the longest unused go first. Default 1 GiB. */
  maxBytes?: number;
  /** Longest text, in characters. Default 10,000 (some 12 minutes). */
  maxCharacters?: number;
  /** What people call a file. Default its media id. */
  nameOf?: (media: string) => string;
  /** Milliseconds of any clock. Default `Date.now`. */
  now?: () => number;
}

interface Order {
  account: number;
  /** The media id, made of the rest. */
  id: string;
  synthesizer: Synthesizer;
  /** `voice` is the name without provider. */
  utterance: Required<Utterance>;
}

/** A file that was there is believed to be there still, so that a campaign's calls do not all look. */
const BELIEVED_MS = 5000;

/** Ids of spoken texts begin with this. */
const PREFIX = 'tts-';

/** Opens the cache and takes stock of what was spoken before. `prepareAudio` throws what the synthesizer throws. */
export const openSpeechCache = async (options: SpeechCacheOptions): Promise<TextToSpeech> => {
  const { media, synthesizers, maxBytes = 2 ** 30, maxCharacters = 10_000, now = Date.now } = options;
  const { nameOf = (id) => id } = options;
  const files = new LruFileIndex(maxBytes);

  const find = async ({ account, id }: Order): Promise<SpokenAudio | undefined> => {
    const known = await storing(() => media.stat(account, id));
    if (known) await use(account, id, known.bytes);
    else files.forget(account, id);
    return known && { media: id, seconds: known.seconds };
  };

  // Two accounts that say the same at the same time have it spoken once.
  const voiced = singleflight(
    ({ synthesizer, utterance }: Order) => synthesizer.speak(utterance),
    ({ id }) => id,
  );

  const make = async (order: Order): Promise<SpokenAudio> => {
    const { account, id } = order;
    const wav = await voiced(order);
    const { bytes, seconds } = await storing(() => media.put(account, id, wav));
    await use(account, id, bytes);
    return { media: id, seconds };
  };

  const keyOf = ({ account, id }: Order): string => `${account}/${id}`;
  const findOrMake = singleflight(async (order: Order) => (await find(order)) ?? make(order), keyOf);
  const prepare = withTtlCache(findOrMake, { keyOf, now, forMs: BELIEVED_MS });

  const use = async (account: number, id: string, bytes: number): Promise<void> => {
    for (const old of files.use(account, id, bytes)) await storing(() => media.delete(old.account, old.id));
  };

  const orderOf = (account: number, { text, voice: name, rate = 0 }: Utterance): Order => {
    const { provider, voice } = splitVoiceProviderAndName(name);
    const synthesizer = synthesizers.find((one) => one.provider.toLowerCase() === provider.toLowerCase());
    if (!synthesizer || voice === '') throw new NotRetryable('unknownVoice', `there is no voice "${name}"`);
    if (text.length > maxCharacters) {
      throw new NotRetryable(
        'tooLong',
        `a text of ${text.length} characters is longer than ${maxCharacters}`,
      );
    }
    const utterance = { text, voice, rate };
    return { account, id: idOf(synthesizer.provider, utterance), synthesizer, utterance };
  };

  const look = async (account: number, id: string): Promise<void> => {
    if (!(await storing(() => media.stat(account, id))))
      throw new NotRetryable('audioGone', `${nameOf(id)}, which is to be played, is not there any more`);
  };

  const prepareAudio = async (
    call: EffectCall<SpeechSynthesisEffects['prepareAudio']>,
  ): Promise<EffectResult> => {
    const { texts, files = [] } = call.params;
    const { account } = call.machine;
    const orders = texts.map((utterance) => orderOf(account, utterance));
    const [audio] = await Promise.all([
      Promise.all(orders.map(prepare)),
      Promise.all(files.map((file) => look(account, file))),
    ]);
    return { events: [{ type: 'audioPrepared', audio }] };
  };

  for (const old of await media.list(PREFIX)) await use(old.account, old.id, old.bytes);

  return {
    performers: { prepareAudio },
    speak: async (account, utterance) => prepare(orderOf(account, utterance)),
    stop: async () => {
      await Promise.all(synthesizers.map((one) => one.stop()));
    },
  };
};

/** A rate of 0 is not part of the name, so that what was spoken before there were rates is found. */
const idOf = (provider: string, { text, voice, rate }: Required<Utterance>): string => {
  const spokenBy = `${provider}|${voice}${rate === 0 ? '' : `@${rate}`}`;
  return PREFIX + createHash('sha256').update(`${spokenBy}\0${text}`).digest('hex').slice(0, 40);
};

const storing = async <Answer>(store: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await store();
  } catch (cause) {
    throw new Retryable('the media store does not work', { cause });
  }
};
