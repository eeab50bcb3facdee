/** Every reason that charts, the network and providers can give is told in words, in both languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { legOutcomeRules } from '../../machines/contracts/legOutcomeBySipAndCause.ts';
import { describeQ850Cause } from '../../src/admin/explained/causes.ts';
import { negotiateLanguage } from '../../src/admin/explained/language.ts';
import { callEndReasonTexts } from '../../src/admin/explained/callEndReasons.ts';
import { translateKnownText } from '../../src/admin/explained/translateKnownPhrases.ts';
import { describeCallRule } from '../../src/admin/explained/rules.ts';
import { callOutcomeSentence } from '../../src/admin/callOutcomeSentence.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = [
  ...['machines/call', 'machines/campaign'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((file) => join(folder, file)),
  ),
  ...[
    'call',
    'campaign',
    'contracts/campaign',
    'contracts/clearance',
    'contracts/targetResolutionAndQueue',
  ].map((file) => `machines/${file}.ts`),
  'src/providers/dialClearance/callAdmission.ts',
  'src/providers/dialClearance/checkDialRules.ts',
].map((file) => readFileSync(join(root, file), 'utf8'));

/** Words that stand where a chart or a provider says why. */
const said = (place: RegExp): string[] =>
  sources.flatMap((source) =>
    [...source.matchAll(place)].flatMap(([, words = '']) =>
      [...words.matchAll(/'([\w:]+)'/g)].map(([, word]) => word!),
    ),
  );
const known = {
  because: said(/noteEndReasonAction\(('\w+')\)/g),
  rules: said(/\brule:\s*((?:[^,;{}]*\?\s*)?'[\w:]+'(?:\s*:\s*'[\w:]+')?)/g),
  refusals: said(
    /type: '(?:refused|postponed|targetRefused|attemptDeferred|campaignOver)';?[^}]*?reason:([^;]*);/g,
  ),
};

/** A name of code: letters of both cases in one word, or a word with an underscore that no interface has. */
const CODE = /\b[a-z]+[A-Z]\w*|\b(?!retry_declined)[a-z]+_[a-z]\w*/;

it('finds what it walks', () => {
  expect(known.because).toEqual(expect.arrayContaining(['nobody', 'optedOut', 'noAnswerByKey', 'timeLimit']));
  expect(known.rules).toEqual(expect.arrayContaining(['retry', 'busyNumber', 'pace', 'max_answered', 'sms']));
  expect(known.refusals).toEqual(
    expect.arrayContaining(['blocklist', 'rested', 'window', 'queueInactive', 'expired']),
  );
});

test.each([
  ...new Set([...known.because, ...known.refusals, ...known.rules, ...Object.keys(legOutcomeRules)]),
])('%s has words in both languages, none of them a name of code', (word) => {
  const { says, todo } = describeCallRule(word)!;
  for (const text of [says.en, says.pt, todo?.en ?? '', todo?.pt ?? ''])
    expect([word, text]).toEqual([word, expect.not.stringMatching(CODE)]);
  expect([says.en.length, says.pt.length, says.en === says.pt]).toEqual([
    expect.any(Number),
    expect.any(Number),
    false,
  ]);
});

test.each(['filter', 'mobile', 'blocklist', 'duplicate', 'name'])(
  'a record left out by %s is told',
  (why) => {
    expect(describeCallRule(`skipped:${why}`)?.says.pt).toMatch(/./);
  },
);

test('the end of a call is told without a name of code, whatever its reason and cause', () => {
  for (const reason of [...Object.keys(callEndReasonTexts), 'someWordOfTheCarrier'])
    for (const cause of [0, 1, 16, 21, 47, 99])
      for (const language of ['en', 'pt'] as const) {
        const record = { status: 'BUSY', reason, attempt: 1, hangup_cause: cause, sip_status: 607 };
        expect(callOutcomeSentence(record, language)).not.toMatch(CODE);
      }
  const second = { status: 'OK', reason: 'nobody', attempt: 1, hangup_cause: 16, sip_status: 0 };
  expect(callOutcomeSentence(second)).toBe(
    'Its outcome is OK at attempt 1: it was answered, and the callee was to be passed on, and the second leg did not' +
      ' answer in time. Check dest2, the queue or the agent, and whether it is active.',
  );
  expect(callOutcomeSentence(second, 'pt')).toContain('o segundo destino não atendeu a tempo');
  expect(describeQ850Cause(21).pt).toBe('chamada rejeitada');
});

test('the language is the one asked for, else the first that we speak, else English', () => {
  expect(negotiateLanguage('pt', 'en')).toBe('pt');
  expect(negotiateLanguage(undefined, 'fr-FR, pt-BR;q=0.9, en;q=0.8')).toBe('pt');
  expect([negotiateLanguage(undefined, ''), negotiateLanguage('de', '*')]).toEqual(['en', 'en']);
});

test('one record and one destination are told of as one, in both languages', () => {
  const list = '1 records of the list were left out: on a block list';
  expect(translateKnownText(list, 'en')).toBe('1 record of the list was left out: on a block list');
  expect(translateKnownText(list, 'pt')).toBe('1 registro da lista ficou de fora: em uma lista de bloqueio');
  const over = 'all of its 1 destinations have ended';
  expect(translateKnownText(over, 'en')).toBe('its only destination has ended');
  expect(translateKnownText(over, 'pt')).toBe('o único destino terminou');
});
