/** Sentences say who acts, and names that were given up for the field's words do not return. */
import { describe, expect, test } from 'vitest';
import { formerNames, riddles } from './words.ts';
import { schema, texts } from './wordTexts.ts';

test('sentences name who acts', () => {
  expect(texts.length).toBeGreaterThan(500);
  expect(texts.flatMap(riddles)).toEqual([]);
});

test('former names of identifiers, files and words of the database stay away', () => {
  // Values of CSS are not ours to name.
  const named = texts.filter(({ path }) => !path.endsWith('.css'));
  expect([...named, schema].flatMap(formerNames)).toEqual([]);
});

describe('the keeper of the words catches', () => {
  const wrong: [string, string, string][] = [
    ['a comment', `/** Somebody waits. */`, 'Somebody'],
    ['a string', `const said = 'nobody waits';`, 'nobody'],
    ['prose', `Whoever asks is told.`, 'Whoever'],
    ['two words', `// 503 on a bad day`, 'bad day'],
  ];
  test.each(wrong)('a riddle in %s', (_where, text, word) => {
    expect(riddles({ path: 'src/rest/endpoint.ts', text })).toEqual([`src/rest/endpoint.ts:1 says ${word}`]);
  });

  const named: [string, string, string, string][] = [
    ['an identifier', 'src/rest/endpoint.ts', `const courier = 1;`, 'courier'],
    ['a part of one', 'src/rest/endpoint.ts', `openWebhookCourier();`, 'openWebhookCourier'],
    ['a form of one', 'src/rest/endpoint.ts', `openVouched();`, 'openVouched'],
    ['two words in the plural', 'src/rest/endpoint.ts', `openRowImages();`, 'openRowImages'],
    ['two words of one', 'src/rest/endpoint.ts', `isPutBackWithJournals();`, 'isPutBackWithJournals'],
    ['a private one', 'src/rest/endpoint.ts', `this.#workshops = [];`, 'workshops'],
    ['an exact one', 'src/rest/endpoint.ts', `sentBefore();`, 'sentBefore'],
    ['a table in a statement', 'src/store/x.ts', 'const text = `SELECT FROM purses`;', 'purses'],
    ['a metric', 'src/metrics.ts', `name: 'ramal_due_lag_seconds'`, 'ramal_due_lag_seconds'],
    ['a setting', 'src/config/x.ts', `read('REST_MINUTES')`, 'REST_MINUTES'],
  ];
  test.each(named)('a former name as %s', (_what, path, text, word) => {
    expect(formerNames({ path, text })).toEqual([`${path}:1 names ${word}`]);
  });

  test('a file, and a folder, of a former name', () => {
    expect(formerNames({ path: 'src/providers/sms/desk.ts', text: '' })).toEqual([
      'src/providers/sms/desk.ts is named desk',
    ]);
    expect(formerNames({ path: 'src/workshops/sound.ts', text: '' })).toEqual([
      'src/workshops/sound.ts is named workshops',
    ]);
  });
});

test('and lets pass a comment on a former name, and names that only contain its letters', () => {
  const text = `// a courier\n/* the purse */\nconst theirs = noBody + embedded;`;
  expect(formerNames({ path: 'src/rest/endpoint.ts', text })).toEqual([]);
  expect(riddles({ path: 'src/rest/endpoint.ts', text })).toEqual([]);
});
