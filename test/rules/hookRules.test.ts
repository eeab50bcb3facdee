import { describe, expect, test } from 'vitest';
import { redactUrlToHost } from '../../src/lib/redactUrl.ts';
import { contactIdsWithAndWithoutNinthDigit } from '../../src/rules/chat/contact.ts';
import { parseJsonKeepingLargeIds } from '../../src/lib/jsonIds.ts';
import { retryAfterMs } from '../../src/lib/retryAfter.ts';

describe('JSON with ids', () => {
  test('reads numbers too large for a number as text, digit by digit', () => {
    const text = '{"a":12345678901234567890,"b":[9007199254740993,-9007199254740993],"c":1795188600}';
    expect(parseJsonKeepingLargeIds(text)).toEqual({
      a: '12345678901234567890',
      b: ['9007199254740993', '-9007199254740993'],
      c: 1_795_188_600,
    });
  });

  test('leaves strings as they are, and numbers with a fraction or an exponent', () => {
    const text = String.raw`{"a":"say \"12345678901234567\" {","12345678901234567":1,"b":1234567890123456.5}`;
    expect(parseJsonKeepingLargeIds(text)).toEqual(JSON.parse(text));
    expect(parseJsonKeepingLargeIds('[1234567890123456e2]')).toEqual([1234567890123456e2]);
  });

  test('reads quotes and digits by the megabyte, and throws for what is no JSON', () => {
    const many = JSON.stringify(Array.from({ length: 30_000 }, () => '\\"1234567890123456789'));
    expect(parseJsonKeepingLargeIds(many)).toEqual(JSON.parse(many));
    for (const wrong of ['', '{', '"\\"'.repeat(400_000), '{"a":12345678901234567890'])
      expect(() => parseJsonKeepingLargeIds(wrong)).toThrow(SyntaxError);
  });
});

test('a Brazilian mobile is known with and without its ninth digit, anybody else by one id', () => {
  expect(contactIdsWithAndWithoutNinthDigit('551187650000')).toEqual(['551187650000', '5511987650000']);
  expect(contactIdsWithAndWithoutNinthDigit('5511987650000')).toEqual(['5511987650000', '551187650000']);
  for (const one of ['551132654321', '15550783881', '7015550100', ''])
    expect(contactIdsWithAndWithoutNinthDigit(one)).toEqual([one]);
});

test('an address for people ends with its host, and says that a path follows', () => {
  expect(redactUrlToHost('https://ana:secret@example.com:8443/in?key=1#x')).toBe(
    'https://example.com:8443/…',
  );
  expect(redactUrlToHost('https://example.com?key=1')).toBe('https://example.com/');
  expect(redactUrlToHost('nonsense')).toBe('');
});

test('Retry-After is read in seconds or as a date, and nonsense is nothing', () => {
  const now = Date.UTC(2026, 10, 20);
  expect(retryAfterMs('120', now)).toBe(120_000);
  expect(retryAfterMs(['7', '9'], now)).toBe(7_000);
  expect(retryAfterMs(new Date(now + 60_000).toUTCString(), now)).toBe(60_000);
  for (const nothing of [undefined, '', 'soon', '0', '-5', new Date(now - 1_000).toUTCString()])
    expect(retryAfterMs(nothing, now)).toBeUndefined();
});
