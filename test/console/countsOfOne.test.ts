/** Sentences that count say one thing as one, in both languages. */
import { describe, expect, test } from 'vitest';
import { campaignsEn } from '../../src/console/app/words/campaigns.en.ts';
import { en as deliveriesEn } from '../../src/console/app/words/deliveries/en.ts';
import { pt as deliveriesPt } from '../../src/console/app/words/deliveries/pt.ts';
import { en } from '../../src/console/app/words/en.ts';
import { fillIn } from '../../src/console/app/words/fillIn.ts';
import { pt } from '../../src/console/app/words/pt.ts';
import { en as settingsEn } from '../../src/console/app/words/settings/en.ts';
import { pt as settingsPt } from '../../src/console/app/words/settings/pt.ts';
import { en as whyEn } from '../../src/console/app/words/why/en.ts';
import { pt as whyPt } from '../../src/console/app/words/why/pt.ts';

type Book = Readonly<Record<string, string>>;
const english: readonly Book[] = [en, deliveriesEn, settingsEn, whyEn];
const portuguese: readonly Book[] = [pt, deliveriesPt, settingsPt, whyPt];

const counts = [
  'count',
  'left',
  'all',
  'made',
  'answered',
  'dials',
  'answers',
  'rows',
  'kept',
  'waiting',
  'free',
];

const withOne = (sentence: string): string =>
  fillIn(sentence, Object.fromEntries(counts.map((name) => [name, 1])), String);

/** Said of two or more alone: one has a sentence of its own, or is not said. */
const ofSeveral = new Set([
  ...['callsUp', 'manyThings', 'deadLetters', 'replayText', 'listTaken', 'takeMendedCount', 'showLeftOut'],
  ...['rowRefused', 'rowsRefused', 'someRefuse', 'inARow', 'moreRefused', 'severalWrong'],
]);

const misfits = (books: readonly Book[], plural: RegExp): string[] =>
  books
    .flatMap((book) => Object.entries(book))
    .filter(([word, text]) => !ofSeveral.has(word) && plural.test(withOne(text)))
    .map(([word, text]) => `${word}: ${withOne(text)}`);

describe('a count of one', () => {
  test('has no word in the plural beside it in English', () => {
    const plural = /\b1 (?!is\b|was\b|has\b|goes\b|waits\b)(\w+s|are|were|have|wait|answered calls)\b/i;
    expect(misfits(english, plural)).toEqual([]);
  });

  test('has no word in the plural beside it in Portuguese', () => {
    const plural =
      /(?<=^|[^\p{L}])((1 (não )?(?!mais |tem|sem|em |discagem)\p{L}+(s|m))|as 1|são 1|(sobram|restam) 1)(?!\p{L})/iu;
    expect(misfits(portuguese, plural)).toEqual([]);
  });

  test('is told from several, each number of a sentence by itself', () => {
    const say = (fill: Record<string, number>) => fillIn(campaignsEn.fleetHave, fill, String);
    expect(say({ count: 1, waiting: 2 })).toBe(
      '1 call goes on. Only destinations that have a call are drawn; 2 have none yet.',
    );
    expect(say({ count: 0, waiting: 1 })).toBe(
      '0 calls go on. Only destinations that have a call are drawn; 1 has none yet.',
    );
    expect(fillIn(pt.visited, { count: 1 }, String)).toBe('visitado 1 vez');
    expect(fillIn(pt.visited, { count: 2 }, String)).toBe('visitado 2 vezes');
  });
});
