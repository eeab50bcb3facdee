/** A sentence of the service with its instants on the viewer's clock, where text alone is shown. */
import { formatDateTime } from './format.ts';
import { partsOfSentence } from './momentsInSentences.ts';

export const showInstants = (sentence: string): string =>
  partsOfSentence(sentence, undefined)
    .map(({ text, at }) => (at === undefined ? text : formatDateTime(at)))
    .join('');
