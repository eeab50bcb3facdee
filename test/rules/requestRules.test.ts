import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inCidr, isIpAddressOrCidr } from '../../src/lib/ipAddressRanges.ts';
import {
  cachedUrlChecker,
  readEncodedUrl,
  addUrlAllowingSettingHint,
} from '../../src/rules/deliveries/checkOutboundUrl.ts';
import {
  findUnstorableCharacter,
  decodeBytes,
  parseEncodingName,
  decodeUtf8OrLatin1,
  repairTextEncoding,
} from '../../src/lib/clientTextEncoding.ts';
import { readKeyActions } from '../../src/rules/voice/parseDtmfKeyActions.ts';
import { parseLegTarget } from '../../src/rules/voice/legTarget.ts';
import { fillPlaceholders } from '../../src/rules/voice/placeholders.ts';
import {
  priceForSeconds,
  amountToTenThousandths,
  formatCommaAmount,
  writeExactAmount,
} from '../../src/rules/accounts/pricing.ts';
import {
  isTooFar,
  rollScheduleForward,
  readDate,
  parseDateTime,
  parseCallRepeat,
  type DialAttemptSchedule,
} from '../../src/rules/voice/parseCallSchedule.ts';
import { stripAccents } from '../../src/rules/sms/smsText.ts';

const asIs = (number: string) => (/^\d+$/.test(number) ? number : undefined);

describe('placeholders', () => {
  test('are filled in whatever their case; a value is never read again', () => {
    const values = { nome: '<EXTRA1>', extra1: 'x', cod_cli: '9' };
    expect(fillPlaceholders('<nome>,<Extra1>,<CODCLI>,<EXTRA2>,<b>', values)).toBe('<EXTRA1>,x,9,,<b>');
  });
  test('a dollar sign in a value is a dollar sign', () => {
    expect(fillPlaceholders('<NOME>', { nome: '$& $1' })).toBe('$& $1');
  });
});

describe('encodings', () => {
  const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('latin1');

  test('every text survives its own encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeBytes(bytes(text, 'utf8'), 'UTF-8')).toBe(text);
        expect(decodeUtf8OrLatin1(Buffer.from(text, 'utf8'))).toBe(text.replace(/^\ufeff/, ''));
      }),
    );
  });
  test('text that was encoded twice is repaired, text that was not stays', () => {
    const twice = Buffer.from(bytes('não', 'utf8'), 'utf8').toString('latin1');
    expect(decodeBytes(twice, '2UTF-8')).toBe('não');
    expect(repairTextEncoding('nÃ£o', '2UTF-8')).toBe('não');
    expect(repairTextEncoding('não', '2UTF-8')).toBe('não');
  });
  test('bytes of the nineties are Windows-1252', () => {
    expect(decodeBytes('\x80 caf\xe9 \x93x\x94', 'ISO-8859-1')).toBe('€ café “x”');
    expect(decodeUtf8OrLatin1(Buffer.from('caf\xe9', 'latin1'))).toBe('café');
  });
  test('the word for an encoding is read in any case', () => {
    expect([parseEncodingName('utf-8'), parseEncodingName(' 2UTF-8 '), parseEncodingName('latin1')]).toEqual([
      'UTF-8',
      '2UTF-8',
      undefined,
    ]);
  });
  test('NUL and lone surrogates are bad, pairs are not', () => {
    expect([findUnstorableCharacter('a\0'), findUnstorableCharacter('\ud800x'), findUnstorableCharacter('x\udc00'), findUnstorableCharacter('😀')]).toEqual([
      'NUL', 'lone surrogate', 'lone surrogate', undefined,
    ]); // prettier-ignore
  });
});

describe('second legs and keys', () => {
  test('legs are read by prefix, in any case', () => {
    expect(parseLegTarget('rt12', asIs)).toEqual({ kind: 'agent', agent: 12 });
    expect(parseLegTarget(' FI 7 ', asIs)).toEqual({ kind: 'queue', queue: 7 });
    expect(parseLegTarget('WA123', asIs)).toEqual({ kind: 'chat', number: '123' });
    expect(parseLegTarget('123', asIs)).toEqual({ kind: 'number', number: '123' });
    for (const none of ['RT', 'RTx', 'RT0', 'RT99999999999', 'FI-1', 'WAx', 'x'])
      expect(parseLegTarget(none, asIs)).toBeUndefined();
  });
  test('# is no key, and a slot has its bounds', () => {
    for (const dtmf of ['#|replay', '|replay', 'a|replay', 'content16', 'text12', 'content0', '']) {
      expect(readKeyActions({ dtmf }, asIs)).toHaveProperty('refused');
    }
    expect(readKeyActions({ dtmf: '1,2 3|content15' }, asIs)).toEqual({
      keys: { 1: { do: 'play', slot: 15 }, 2: { do: 'play', slot: 15 }, 3: { do: 'play', slot: 15 } },
    });
  });
});

describe('schedules', () => {
  const zone = 'America/Sao_Paulo';
  const now = Date.parse('2026-05-04T12:00:00-03:00');

  test('a moment stands on the zone’s wall clock unless it brings its own offset', () => {
    expect(parseDateTime('2026-05-04 15:00', zone)).toBe(Date.parse('2026-05-04T15:00:00-03:00'));
    expect(parseDateTime('2026-05-04T15:00:00+02:00', zone)).toBe(Date.parse('2026-05-04T15:00:00+02:00'));
    expect(parseDateTime('2026-05-04T15:00:00.250Z', zone)).toBe(Date.parse('2026-05-04T15:00:00Z'));
    for (const none of [
      '2026-13-01 10:00',
      '2026-05-04',
      '2026-05-04 24:00',
      '04/05/2026 10:00',
      '2026-05-04T15:00+25:00',
      '2026-05-04T15:00-03:60',
    ]) {
      expect(parseDateTime(none, zone)).toBeUndefined();
    }
    expect([readDate('2026-02-28'), readDate('2026-02-29')]).toEqual(['2026-02-28', undefined]);
    expect([readDate('0001-01-01'), readDate('9999-12-31')]).toEqual(['0001-01-01', '9999-12-31']);
  });
  test('repeat’s until is the next such time of day after the first call', () => {
    const until = (text: string) => (parseCallRepeat(text, zone, now) as { until?: number }).until;
    expect(until('3|30|18:00|2026-05-05 09:00')).toBe(Date.parse('2026-05-05T18:00:00-03:00'));
    expect(until('3|30|02:00|2026-05-05 20:00')).toBe(Date.parse('2026-05-06T02:00:00-03:00'));
    expect(until('3|30||2026-05-05 20:00')).toBeUndefined();
    expect(until('3|30|13:00')).toBe(Date.parse('2026-05-04T13:00:00-03:00'));
  });
  test('repeat that is over moves on to the first day that is not', () => {
    const at = (text: string) => Date.parse(`${text}-03:00`);
    const moved = (text: string, moment = now) => {
      const { notBefore, until } = rollScheduleForward(
        parseCallRepeat(text, zone, now) as DialAttemptSchedule,
        moment,
      );
      return [notBefore, until];
    };
    // It is 12:00 on the 4th of May.
    const [afternoon, evening] = [at('2026-05-04T15:00'), at('2026-05-04T18:00')];
    expect(moved('3|30|18:00|2020-12-01 15:00')).toEqual([afternoon, evening]);
    expect(moved('3|30|11:00|2026-05-04 10:00')).toEqual([at('2026-05-05T10:00'), at('2026-05-05T11:00')]);
    expect(moved('3|30|18:00|2026-05-04 10:00')).toEqual([at('2026-05-04T10:00'), evening]);
    expect(moved('3|30||2020-12-01 10:00')).toEqual([at('2020-12-01T10:00'), undefined]);
    expect(moved('3|30|18:00|2026-05-04 15:00', at('2026-05-09T16:00'))).toEqual([
      at('2026-05-09T15:00'),
      at('2026-05-09T18:00'),
    ]);
  });
  test('repeat has bounds', () => {
    for (const none of [
      '',
      'x',
      '51|30',
      '3|0',
      '3|1441',
      '3|30|9',
      '3|30|18:00|soon',
      '3|30|18:00|2026-05-05 09:00|x',
    ]) {
      expect(parseCallRepeat(none, zone, now)).toHaveProperty('refused');
    }
    expect([isTooFar(now + 60 * 86_400_000, now), isTooFar(now + 60 * 86_400_000 + 1, now)]).toEqual([
      false,
      true,
    ]);
  });
});

describe('small things', () => {
  test('accents go, and what no SMS can say becomes ?', () => {
    expect(stripAccents('“Ação” – ªº ß ñ 漢')).toBe('"Acao" - ao ss n ?');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => /^[\n\r\x20-\x7e]*$/.test(stripAccents(text))),
    );
  });
  test('prices are exact and rounded half up', () => {
    expect(formatCommaAmount(priceForSeconds(amountToTenThousandths('0.12'), 30))).toBe('0,060');
    expect(formatCommaAmount(priceForSeconds(amountToTenThousandths('0.1235'), 60))).toBe('0,124');
    expect(formatCommaAmount(amountToTenThousandths('12.3456'))).toBe('12,346');
    expect(formatCommaAmount(0n)).toBe('0,000');
    expect(
      ['0', '0.08', '0.0655', '12.3456', '0.0001'].map((price) =>
        writeExactAmount(amountToTenThousandths(price)),
      ),
    ).toEqual(['0,000', '0,080', '0,0655', '12,3456', '0,0001']);
  });
  test('callbacks into private networks are refused, in every spelling of an address', () => {
    for (const bad of [
      'ftp://x.com',
      'x',
      'http://127.0.0.1',
      'http://2130706433',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://169.254.169.254/',
      'http://localhost:8080',
      'http%3A%2F%2F10.0.0.1',
    ]) {
      expect(readEncodedUrl(bad, [])).toBeTypeOf('string');
    }
    expect(String(readEncodedUrl('https%3A%2F%2Fexample.com%2Fcb%3Fa%3Db', []))).toBe(
      'https://example.com/cb?a=b',
    );
    expect(readEncodedUrl('http://10.0.0.1/x', ['10.0.0.0/8'])).toBeInstanceOf(URL);
    // What leads to the machine itself names the setting that opens it.
    const opened = (written: string) =>
      /ALLOW_PRIVATE_TARGETS=(\S+)/.exec(
        addUrlAllowingSettingHint(String(readEncodedUrl(written, [])), written),
      )?.[1];
    expect(opened('http://localhost:9096/in')).toBe('127.0.0.1/32');
    expect(opened('http://[::1]:9096/in')).toBe('::1/128');
    expect(opened('http://10.0.0.1/')).toBeUndefined();
  });
  test('a receiver that is admitted is its own host and port, and counts no longer than it is', () => {
    const allowed = ['127.0.0.1:9096'];
    const read = cachedUrlChecker(allowed);
    const isOpen = (written: string) => 'href' in read(written);
    expect(isOpen('http://127.0.0.1:9096/in')).toBe(true);
    for (const other of [
      'http://127.0.0.1:9097/',
      'http://127.0.0.1/',
      'http://127.0.0.2:9096/',
      'http://[::1]:9096/',
    ])
      expect([other, isOpen(other)]).toEqual([other, false]);
    allowed.pop();
    expect(isOpen('http://127.0.0.1:9096/in')).toBe(false);
  });
  test('addresses lie in networks of their own family; IPv4 in IPv6 is IPv4', () => {
    expect(inCidr('::ffff:10.1.2.3', '10.0.0.0/8')).toBe(true);
    expect(inCidr('10.1.2.3', '10.1.2.3')).toBe(true);
    expect(inCidr('fe80::1', '0.0.0.0/0')).toBe(false);
    expect(inCidr('nonsense', '0.0.0.0/0')).toBe(false);
    expect([isIpAddressOrCidr('10.0.0.0/33'), isIpAddressOrCidr('::/0'), isIpAddressOrCidr('x')]).toEqual([
      false,
      true,
      false,
    ]);
  });
  test('a network of IPv4 may be written within IPv6, with the bits of IPv6', () => {
    expect(inCidr('10.1.2.255', '::ffff:10.1.2.0/120')).toBe(true);
    expect(inCidr('10.1.3.0', '::ffff:10.1.2.0/120')).toBe(false);
    expect(inCidr('192.0.2.1', '::ffff:0:0/96')).toBe(true);
    expect(inCidr('2001:db8::1', '::ffff:0:0/96')).toBe(false);
    expect([isIpAddressOrCidr('::ffff:10.1.2.0/120'), isIpAddressOrCidr('::ffff:10.1.2.0/24')]).toEqual([
      true,
      false,
    ]);
  });
  test.each([
    '10.1/16',
    '10.1.2',
    '012.1.2.3',
    '0x0a000000/8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '/8',
    '10.0.0.0/08x',
  ])('%s is no network: others would read it otherwise', (text) => {
    expect([isIpAddressOrCidr(text), inCidr('10.1.0.2', text), inCidr('10.0.0.1', text)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
