/** The particulars of a sentence in words: those of this service in either language, those of others as they are. */
import { describeHttpStatus, describeNetworkError } from './codes/http.ts';
import { describeSmppStatus } from './codes/smpp.ts';
import type { Language } from './language.ts';
import { callExplanationTranslations } from './phrases/callPhraseTranslations.ts';
import { deliveryPhraseTranslations } from './phrases/deliveryPhraseTranslations.ts';
import { smsAndChatPhraseTranslations } from './phrases/smsAndChatFaultTranslations.ts';
import { translateMatchingPhrase } from './phrases/phraseTranslation.ts';

const phrases = [
  ...callExplanationTranslations,
  ...smsAndChatPhraseTranslations,
  ...deliveryPhraseTranslations,
];

/** How deep a phrase may hold phrases, so that a text made up by others costs little. */
const deepest = 4;
/** Longer texts are none of this service's. */
const longest = 2_000;

/** Undefined: it is none of this service's texts. */
export const translateKnownText = (text: string, language: Language): string | undefined => {
  const said = text.length > longest ? undefined : translated(text, language, 0);
  return said === undefined ? undefined : withStatuses(said, language);
};

/** In words, else quoted as the words of others. */
export const translateOrQuote = (text: string, language: Language): string =>
  translateKnownText(text, language) ?? quoted(text);

export const quoted = (text: string): string => `“${text.trim().replaceAll(/\s+/g, ' ')}”`;

const translated = (text: string, language: Language, depth: number): string | undefined => {
  const code = describeSmppStatus(text) ?? describeNetworkError(text);
  if (code) return code[language];
  const put = (part: string): string =>
    (depth < deepest ? translated(part, language, depth + 1) : undefined) ?? part;
  for (const one of phrases) {
    const said = translateMatchingPhrase(one, text, language, put);
    if (said !== undefined) return said;
  }
  return undefined;
};

/** `HTTP 503 (service unavailable)`, `(HTTP 410, gone for good)`. */
const withStatuses = (text: string, language: Language): string =>
  text.replaceAll(/(\(?)HTTP (\d{3})\b/g, (said, open: string, status: string) => {
    const words = describeHttpStatus(status)[language];
    return open === '' ? `${said} (${words})` : `${said}, ${words}`;
  });
