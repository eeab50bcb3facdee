/** Why an operator should look at a machine, in words, in both languages: pages and streams of readers of either show it. */
import * as z from 'zod';
import type { Both, Language } from './language.ts';
import { translateOrQuote } from './translateKnownPhrases.ts';
import { describeMachineEffect } from './waits.ts';
import { both } from './words.ts';

export const attentionInWordsSchema = z
  .object({ en: z.string(), pt: z.string() })
  .describe('`attention` in words, in English and in Portuguese. What others said stands as they said it.');

const stepFailed = both('a step of it failed', 'um passo falhou');
const gaveUp = (effect: Both): Both =>
  both(`its request ${effect.en} was given up`, `o pedido ${effect.pt} foi abandonado`);

/** `hangUp: the carrier is away`, as the engine keeps it: an effect that was given up, or an event that broke the chart. */
export const attentionInWords = (attention: string): Both => {
  const [, name = '', message = attention] = /^([a-zA-Z]+): (.*)$/s.exec(attention) ?? [];
  const effect = describeMachineEffect(name);
  const what = effect ? gaveUp(effect) : stepFailed;
  const said = (language: Language) => `${what[language]}: ${translateOrQuote(message, language)}`;
  return { en: said('en'), pt: said('pt') };
};
