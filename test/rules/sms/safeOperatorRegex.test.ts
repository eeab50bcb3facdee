import { describe, expect, test } from 'vitest';
import { compileOperatorRegex } from '../../../src/rules/sms/safeOperatorRegex.ts';

const find = (expression: string, text: string): string | undefined => {
  const read = compileOperatorRegex(expression);
  if (typeof read === 'string') throw new Error(read);
  return read(text);
};

describe('an expression of an operator', () => {
  test.each([
    ['"id":"([^"]+)"', '{"id":"g1"}', 'g1'],
    ['OK: ([0-9-]+)', 'OK: 12-3 queued', '12-3'],
    ['^OK', 'OK: 1', 'OK'],
    ['^OK', 'ERR', undefined],
    ['(?<id>\\d+)', 'id 12', '12'],
    ['<id>(\\w+)<\\/id>', '<id>ab</id>', 'ab'],
    // As JavaScript spells it.
    ['\\u0041+', 'xAAx', 'AA'],
    ['a(b)?', 'ac', 'a'],
  ])('%s finds in %s: %s', (expression, text, found) => {
    expect(find(expression, text)).toBe(found);
  });

  // Each of these would go on for longer than this machine will stand, were it to go back and try again.
  test.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){20}$', '(?:a?){30}(?:a){30}b', '^([a-z]+)*[0-9]$'])(
    '%s comes to an end over sixty letters, and over nine thousand',
    (expression) => {
      expect(find(expression, `${'a'.repeat(60)}!`)).toBeUndefined();
      expect(find(expression, `${'a'.repeat(9_000)}!`)).toBeUndefined();
    },
  );

  test('searches the beginning of what is longer', () => {
    expect(find('b', `${'a'.repeat(9_999)}b`)).toBe('b');
    expect(find('b', `${'a'.repeat(10_000)}b`)).toBeUndefined();
  });

  test.each([
    ['(?=a)b', /^must be a regular expression of RE2/],
    ['(?<!a)b', /^must be a regular expression of RE2/],
    ['(a)\\1', /^must be a regular expression of RE2/],
    ['(', /^must be a regular expression$/],
    ['a'.repeat(201), /at most 200 characters$/],
    ['(a{100}){9}', /repeats less/],
    ['(a{100}){100}', /^must be a regular expression/],
  ])('is refused with a sentence: %s', (expression, sentence) => {
    expect(compileOperatorRegex(expression)).toMatch(sentence);
  });
});
