import { describe, expect, it, test } from 'vitest';
import { isAllowedOutboundAddress } from '../../../src/lib/ipAddressRanges.ts';
import {
  privateNetworkRefusalText,
  readEncodedUrl,
  validateOutboundUrl,
} from '../../../src/rules/deliveries/checkOutboundUrl.ts';
import { parseUrl } from '../../../src/lib/parseUrl.ts';
import { insideAddresses, noAddresses } from '../../helpers/hostileAddresses.ts';

describe('an address that a customer names', () => {
  test.each(insideAddresses)('leads inside: %s', (url) => {
    expect(validateOutboundUrl(url, [])).toBe(privateNetworkRefusalText);
    expect(readEncodedUrl(encodeURIComponent(url), [])).toBe(privateNetworkRefusalText);
  });

  test.each(noAddresses)('is none: %j', (url) => {
    expect(validateOutboundUrl(url, [])).toBeTypeOf('string');
    expect(readEncodedUrl(encodeURIComponent(url), [])).toBeTypeOf('string');
  });

  test.each([
    'http://good.example/in?a=b', 'https://good.example:8443/', 'http://8.8.8.8/', 'http://[2606:4700::1111]/', 'http://134744072/',
    'http://172.32.0.1/', 'http://100.128.0.1/', 'http://11.0.0.1/', 'http://192.169.0.1/', 'https://bücher.example/', 'http://localhost.example.com/',
    'http://mylocalhost/', 'http://receiver:8080/',
  ])('may be called: %s', (url) => {
    expect(String(validateOutboundUrl(url, []))).toBe(new URL(url).href);
  }); // prettier-ignore

  it('is decoded once, where it is no address as it stands', () => {
    expect(String(readEncodedUrl('https%3A%2F%2Fgood.example%2Fcb%3Fa%3D%2525', []))).toBe(
      'https://good.example/cb?a=%25',
    );
    expect(String(readEncodedUrl('https://good.example/cb?a=%2F', []))).toBe('https://good.example/cb?a=%2F');
    expect(readEncodedUrl('https%253A%252F%252Fgood.example', [])).toBe('is not an http or https address');
    expect(readEncodedUrl('https%3A%2F%2Fgood.example%2F%', [])).toBe('is not an http or https address');
  });

  it('may lie in a network that the operator opened, and in no other', () => {
    const allowed = ['10.1.0.0/16', 'fd00:1::/32', '127.0.0.1/32'];
    for (const url of [
      'http://10.1.2.3/',
      'http://0xa010203/',
      'http://[::ffff:10.1.2.3]/',
      'http://[fd00:1::9]/',
      'http://localhost/',
    ])
      expect([url, validateOutboundUrl(url, allowed)]).toEqual([url, expect.any(URL)]);
    for (const url of [
      'http://10.2.2.3/',
      'http://127.0.0.2/',
      'http://[fd00:2::9]/',
      'http://[::1]/',
      'http://[::10.1.2.3]/',
    ])
      expect([url, validateOutboundUrl(url, allowed)]).toEqual([url, privateNetworkRefusalText]);
  });

  it('that is translated to IPv4 may be reached when both are open', () => {
    expect(isAllowedOutboundAddress('64:ff9b::808:808', [])).toBe(false);
    expect(isAllowedOutboundAddress('64:ff9b::808:808', ['64:ff9b::/96'])).toBe(true);
    expect(isAllowedOutboundAddress('64:ff9b::a9fe:a9fe', ['64:ff9b::/96'])).toBe(false);
    expect(isAllowedOutboundAddress('2002:7f00:1::', ['2002::/16', '10.0.0.0/8'])).toBe(false);
    expect(isAllowedOutboundAddress('2002:a00:1::', ['2002::/16', '10.0.0.0/8'])).toBe(true);
    expect(isAllowedOutboundAddress('nonsense', ['0.0.0.0/0', '::/0'])).toBe(false);
  });
});

test('an address with letters of other languages stays one, however often it is asked', () => {
  const refused = Array.from({ length: 50_000 }, () => parseUrl('https://bücher.example/')).filter(
    (url) => !url,
  );
  expect(refused).toEqual([]);
});
