/** The voices of espeak-ng that we offer, by its own names. */
import type { SpeechVoice } from '../contracts/speech.ts';
import { builtInSpeechProvider as PROVIDER } from '../../rules/voice/voiceName.ts';

const LANGUAGES: Readonly<Record<string, string>> = {
  'pt-br': 'Portuguese (Brazil)',
  pt: 'Portuguese (Portugal)',
  'en-us': 'English (America)',
  'en-gb': 'English (Great Britain)',
  es: 'Spanish (Spain)',
  'es-419': 'Spanish (Latin America)',
  'fr-fr': 'French (France)',
  'fr-be': 'French (Belgium)',
  'fr-ch': 'French (Switzerland)',
  de: 'German',
  it: 'Italian',
  ca: 'Catalan',
  eu: 'Basque',
  ro: 'Romanian',
  nl: 'Dutch',
  da: 'Danish',
  sv: 'Swedish',
  nb: 'Norwegian (Bokmål)',
  fi: 'Finnish',
  is: 'Icelandic',
  et: 'Estonian',
  lv: 'Latvian',
  lt: 'Lithuanian',
  pl: 'Polish',
  cs: 'Czech',
  sk: 'Slovak',
  sl: 'Slovenian',
  hr: 'Croatian',
  sr: 'Serbian',
  bg: 'Bulgarian',
  uk: 'Ukrainian',
  ru: 'Russian',
  hu: 'Hungarian',
  el: 'Greek',
  tr: 'Turkish',
  he: 'Hebrew',
  ar: 'Arabic',
  fa: 'Persian',
  hi: 'Hindi',
  bn: 'Bengali',
  ta: 'Tamil',
  id: 'Indonesian',
  ms: 'Malay',
  vi: 'Vietnamese',
  th: 'Thai',
  cmn: 'Chinese (Mandarin)',
  yue: 'Chinese (Cantonese)',
  ja: 'Japanese',
  ko: 'Korean',
  sw: 'Swahili',
  af: 'Afrikaans',
  gn: 'Guarani',
  qu: 'Quechua',
  eo: 'Esperanto',
};

/** Every language with a man's voice, espeak's own, and a woman's, its variant f3. */
export const ESPEAK_VOICES: readonly SpeechVoice[] = Object.entries(LANGUAGES).flatMap(
  ([language, title]) => [
    { name: `${PROVIDER}|${language}`, title, language: languageTag(language), gender: 'M' as const },
    { name: `${PROVIDER}|${language}+f3`, title, language: languageTag(language), gender: 'F' as const },
  ],
);

function languageTag(language: string): string {
  const [primary = '', region] = language.split('-');
  return region === undefined ? primary : `${primary}-${region.toUpperCase()}`;
}
