/**
 * The speech desk: finds what was spoken before, has the rest spoken, and keeps it in the media store under a name
 * made of voice and text.
 */
import { createHash } from 'node:crypto';
import type { SpeechEffects } from '../../../machines/vocabulary/speech.ts';
import { remember } from '../../rules/remember.ts';
import type { MediaStore } from '../media.ts';
import { Retryable, Terminal } from '../performer.ts';
import type { EffectCall, Performed } from '../performer.ts';
import type { Speech, Synthesizer } from '../speech.ts';
import { Shelf } from './shelf.ts';
import { VOICES, voiceNamed } from './voices.ts';

export interface SpeechDeskOptions {
  media: MediaStore;
  synthesizer: Synthesizer;
  /** Spoken texts kept, in bytes of all accounts together; the longest unused go first. Default 1 GiB. */
  maxBytes?: number;
  /** Longest text, in characters. Default 10,000 (some 12 minutes). */
  maxCharacters?: number;
  /** Milliseconds of any clock. Default `Date.now`. */
  now?: () => number;
}

interface Audio {
  media: string;
  seconds: number;
}

interface Order {
  account: number;
  /** The media id, made of the rest. */
  id: string;
  text: string;
  /** Full name. */
  voice: string;
}

/** A file that was there is believed to be there still, so that a campaign's calls do not all look. */
const BELIEVED_MS = 5000;

/** Ids of spoken texts begin with this. */
const PREFIX = 'tts-';

/** Opens the desk and takes stock of what was spoken before. `prepareAudio` throws what the synthesizer throws. */
export const openSpeechDesk = async (options: SpeechDeskOptions): Promise<Speech> => {
  const { media, synthesizer, maxBytes = 2 ** 30, maxCharacters = 10_000, now = Date.now } = options;
  const shelf = new Shelf(maxBytes);

  const find = async ({ account, id }: Order): Promise<Audio | undefined> => {
    const known = await storing(() => media.stat(account, id));
    if (known) await use(account, id, known.bytes);
    else shelf.forget(account, id);
    return known && { media: id, seconds: known.seconds };
  };

  // Two accounts that say the same at the same time have it spoken once.
  const speak = shared(
    ({ text, voice }: Order) => synthesizer.speak(text, voice.slice(voice.indexOf('|') + 1)),
    ({ id }) => id,
  );

  const make = async (order: Order): Promise<Audio> => {
    const { account, id } = order;
    const wav = await speak(order);
    const { bytes, seconds } = await storing(() => media.put(account, id, wav));
    await use(account, id, bytes);
    return { media: id, seconds };
  };

  const keyOf = ({ account, id }: Order): string => `${account}/${id}`;
  const findOrMake = shared(async (order: Order) => (await find(order)) ?? make(order), keyOf);
  const prepare = remember(findOrMake, { keyOf, now, forMs: BELIEVED_MS });

  const use = async (account: number, id: string, bytes: number): Promise<void> => {
    for (const old of shelf.use(account, id, bytes)) await storing(() => media.delete(old.account, old.id));
  };

  const prepareAudio = async (call: EffectCall<SpeechEffects['prepareAudio']>): Promise<Performed> => {
    const { account } = call.machine;
    const orders = call.params.texts.map(({ text, voice }) => orderOf(account, text, voice, maxCharacters));
    const audio = await Promise.all(orders.map(prepare));
    return { events: [{ type: 'audioPrepared', audio }] };
  };

  for (const old of await media.list(PREFIX)) await use(old.account, old.id, old.bytes);

  return { performers: { prepareAudio }, voices: VOICES, voiceNamed, stop: () => synthesizer.stop() };
};

const orderOf = (account: number, text: string, name: string, maxCharacters: number): Order => {
  const voice = voiceNamed(name);
  if (voice === undefined) throw new Terminal('unknownVoice', `there is no voice "${name}"`);
  if (text.length > maxCharacters) {
    throw new Terminal('tooLong', `a text of ${text.length} characters is longer than ${maxCharacters}`);
  }
  return { account, id: idOf(text, voice), text, voice };
};

const idOf = (text: string, voice: string): string =>
  PREFIX + createHash('sha256').update(`${voice}\0${text}`).digest('hex').slice(0, 40);

/** The same function, but while one call of a key is under way the others wait for its answer. */
const shared = <Question, Answer>(
  act: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): ((question: Question) => Promise<Answer>) => {
  const underWay = new Map<string, Promise<Answer>>();
  return (question) => {
    const key = keyOf(question);
    const known = underWay.get(key);
    if (known) return known;
    const answer = act(question).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
};

const storing = async <Answer>(store: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await store();
  } catch (cause) {
    throw new Retryable('the media store does not work', { cause });
  }
};
