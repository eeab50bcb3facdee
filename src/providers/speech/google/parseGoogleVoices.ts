/** The list of Google's voices, as ours. */
import * as z from 'zod';
import { Retryable } from '../../../engine/contract/performer.ts';
import type { SpeechVoice } from '../../contracts/speech.ts';

const listed = z.object({ voices: z.array(z.unknown()) });

/** Other names (they begin with no language) need more than a name to be spoken. */
const usable = z.object({
  name: z.string().regex(/^[a-z]{2,3}-[A-Za-z0-9]{2,4}-[A-Za-z0-9_-]{1,80}$/),
  ssmlGender: z.string().optional(),
});

/** A provider that lists more is not believed. */
const MOST = 10_000;

/** Throws `Retryable` for an answer that lists no voice: what was known before is better. */
export const parseGoogleVoices = (provider: string, answer: unknown): SpeechVoice[] => {
  const read = listed.safeParse(answer);
  const voices = (read.data?.voices ?? []).slice(0, MOST).flatMap((one) => {
    const voice = usable.safeParse(one);
    return voice.success ? [voiceOf(provider, voice.data)] : [];
  });
  if (voices.length === 0) throw new Retryable('Google listed no voices');
  return voices;
};

const voiceOf = (provider: string, { name, ssmlGender }: z.output<typeof usable>): SpeechVoice => {
  const [primary = '', region = '', ...rest] = name.split('-');
  const language = `${primary}-${region}`;
  return {
    name: `${provider}|${name}`,
    title: `${languageTitle(language)} ${rest.join(' ')}`,
    language,
    // There are only two to choose from; what is neither is called as the default is.
    gender: ssmlGender === 'MALE' ? 'M' : 'F',
  };
};

const languages = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

const languageTitle = (language: string): string => {
  try {
    return languages.of(language) ?? language;
  } catch {
    return language;
  }
};
