/** What a voice says when one only wants to hear it. */

const SENTENCES: Readonly<Record<string, string>> = {
  pt: 'Olá! Esta é uma amostra da minha voz.',
  en: 'Hello! This is a sample of my voice.',
  es: '¡Hola! Esta es una muestra de mi voz.',
  fr: 'Bonjour ! Voici un échantillon de ma voix.',
  de: 'Hallo! Das ist eine Probe meiner Stimme.',
  it: 'Ciao! Questo è un esempio della mia voce.',
  ca: 'Hola! Aquesta és una mostra de la meva veu.',
  nl: 'Hallo! Dit is een voorbeeld van mijn stem.',
};

/** Numbers are read in any language. */
const ANYWHERE = '1, 2, 3, 4, 5, 6, 7.';

/** `language`: a tag, e.g. `pt-BR`. */
export const sampleSentence = (language: string): string =>
  SENTENCES[language.split('-')[0]!.toLowerCase()] ?? ANYWHERE;
