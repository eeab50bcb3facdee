/** What remembers addresses says of each what it would say if it remembered none. */
import { describe, expect, it, test } from 'vitest';
import {
  privateNetworkRefusalText,
  cachedUrlChecker,
  readEncodedUrl,
  type UrlCheckResult,
} from '../../../src/rules/deliveries/checkOutboundUrl.ts';
import { insideAddresses, noAddresses } from '../../helpers/hostileAddresses.ts';

/** As it is said of an address that comes for the first time. */
const readAnew = (written: string, allowed: readonly string[] = []): UrlCheckResult => {
  const read = readEncodedUrl(written, allowed);
  return typeof read === 'string' ? { refused: read } : { href: read.href };
};
const good = (nth: number): string => `https://good.example/cb?nth=${nth}`;

describe('addresses that are remembered', () => {
  test.each([...insideAddresses, ...noAddresses])(
    'refuse as often as it comes, encoded or not: %j',
    (url) => {
      const read = cachedUrlChecker([]);
      for (const written of [url, encodeURIComponent(url), ` ${url} `]) {
        const refusal = { refused: expect.any(String) };
        expect([read(written), read(written)]).toEqual([refusal, refusal]);
        expect(read(written)).toEqual(readAnew(written));
      }
    },
  );

  it('are told by their whole spelling: one that is taken opens nothing for one that begins or reads like it', () => {
    const read = cachedUrlChecker([]);
    const taken = 'http://good.example/';
    expect(read(taken)).toEqual({ href: taken });
    for (const near of ['http://good.example', 'HTTP://GOOD.example/', '%68ttp://good.example/', ` ${taken}`])
      expect(read(near)).toEqual(readAnew(near));
    for (const hostile of [
      `${taken}\r\nHost: 127.0.0.1`,
      `${taken.slice(0, -1)}@127.0.0.1/`,
      `${taken.slice(0, -1)}.localhost/`,
      `${taken.slice(0, -1)}:0/`,
      `${taken}\\@127.0.0.1/`,
      `${taken}\u0000`,
    ])
      expect([hostile, read(hostile)]).toEqual([hostile, { refused: expect.any(String) }]);
    expect(read(taken)).toEqual({ href: taken });
  });

  it('are none of those that every object has', () => {
    const read = cachedUrlChecker([]);
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])
      expect([name, read(name)]).toEqual([name, { refused: 'is not an http or https address' }]);
  });

  it('are decoded once, also when what they are decoded to is remembered already', () => {
    const read = cachedUrlChecker([]);
    expect(read('http://good.example/')).toEqual({ href: 'http://good.example/' });
    expect(read('http%3A%2F%2Fgood.example%2F')).toEqual({ href: 'http://good.example/' });
    expect(read('http%253A%252F%252Fgood.example%252F')).toEqual({
      refused: 'is not an http or https address',
    });
    expect(read('http%3A%2F%2F127.0.0.1%2F')).toEqual({ refused: privateNetworkRefusalText });
  });

  it('are those of one list of open networks: what one service may call, another may not', () => {
    const [shut, open] = [cachedUrlChecker([]), cachedUrlChecker(['127.0.0.0/8'])];
    for (const url of ['http://127.0.0.1/', 'http://2130706433/', 'http://localhost/', 'http://0x7f.1/']) {
      expect([shut(url), open(url)]).toEqual([
        { refused: privateNetworkRefusalText },
        readAnew(url, ['127.0.0.0/8']),
      ]);
      expect(open(url)).toEqual({ href: expect.stringMatching(/^http:\/\/(127\.0\.0\.1|localhost)\/$/) });
      expect(shut(url)).toEqual({ refused: privateNetworkRefusalText });
    }
  });

  it('are read once while they are remembered', () => {
    const read = cachedUrlChecker([]);
    const first = read(good(0));
    expect(read(good(0))).toBe(first);
    const refusal = read('http://127.0.0.1/');
    expect(read('http://127.0.0.1/')).toBe(refusal);
  });

  it('are forgotten when they become many, and then read as before', () => {
    const read = cachedUrlChecker([]);
    const [first, refused] = [read(good(0)), read('http://127.0.0.1/')];
    for (let nth = 1; nth <= 2_500; nth += 1) expect(read(good(nth))).toEqual({ href: good(nth) });
    expect(read(good(0))).not.toBe(first);
    expect(read(good(0))).toEqual(first);
    expect(read('http://127.0.0.1/')).not.toBe(refused);
    expect(read('http://127.0.0.1/')).toEqual(refused);
  });

  it('that are endless are refused or taken like any other', () => {
    const read = cachedUrlChecker([]);
    for (const written of [
      '%'.repeat(100_000),
      '%25'.repeat(50_000),
      `http://${'a.'.repeat(50_000)}localhost/`,
      `http://good.example/${'%'.repeat(100_000)}`,
      'http://'.repeat(20_000),
      `http://${'@'.repeat(100_000)}127.0.0.1/`,
    ])
      expect([read(written), read(written)]).toEqual([readAnew(written), readAnew(written)]);
    expect(read(`http://${'a.'.repeat(50_000)}localhost/`)).toEqual({ refused: expect.any(String) });
    expect(read(`http://${'@'.repeat(100_000)}127.0.0.1/`)).toEqual({ refused: expect.any(String) });
  });
});
