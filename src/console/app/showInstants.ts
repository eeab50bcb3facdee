/** A sentence of the service with its days and its instants, these on the viewer's clock, where text alone is shown. */
import { formatDateTime, formatDay } from './format.ts';
import { partsOfSentence } from './momentsInSentences.ts';

export const showInstants = (sentence: string): string =>
  partsOfSentence(sentence, undefined)
    .map(({ text, at, isDay }) => (at === undefined ? (isDay ? formatDay(text) : text) : formatDateTime(at)))
    .join('');
