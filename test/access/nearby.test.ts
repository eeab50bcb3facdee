import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isPrivateNetworkRequest } from '../../src/access/nearby.ts';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
const near = (
  remoteAddress: string,
  headers: Record<string, string> = {},
  { listed = [] as string[], trusted = [] as string[] } = {},
): boolean => isPrivateNetworkRequest(request(remoteAddress, headers), { listed, trusted });
const via = (...hops: string[]) => ({ 'x-forwarded-for': hops.join(', ') });

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '::1',
  '::ffff:10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  'fd00::7',
  'fe80::1%eth0',
])('%s is near', (address) => expect(near(address)).toBe(true));

test.each(['203.0.113.9', '172.32.0.1', '::ffff:203.0.113.9', '2001:db8::1', ''])('%s is not', (address) =>
  expect(near(address)).toBe(false),
);

test('a network that is listed is near', () => {
  expect(near('203.0.113.9', {}, { listed: ['203.0.113.0/28'] })).toBe(true);
  expect(near('203.0.113.99', {}, { listed: ['203.0.113.0/28'] })).toBe(false);
});

test('behind a proxy on a private address the client is judged, whether the proxy is trusted or not', () => {
  for (const trusted of [[], ['10.0.0.0/8']]) {
    expect(near('10.0.0.1', via('203.0.113.9'), { trusted })).toBe(false);
    expect(near('10.0.0.1', via('10.2.2.2'), { trusted })).toBe(true);
    expect(near('10.0.0.1', via('127.0.0.1', '203.0.113.9'), { trusted })).toBe(false);
    expect(near('10.0.0.1', via('203.0.113.9', '127.0.0.1'), { trusted })).toBe(false);
    expect(near('10.0.0.1', via('unknown'), { trusted })).toBe(false);
    expect(near('10.0.0.1', via(''), { trusted })).toBe(false);
  }
});

test('a trusted proxy on a public address passes on who is near, and is not near itself', () => {
  const trusted = ['198.51.100.1'];
  expect(near('198.51.100.1', via('10.2.2.2'), { trusted })).toBe(true);
  expect(near('198.51.100.1', via('203.0.113.9'), { trusted })).toBe(false);
  expect(near('198.51.100.1', {}, { trusted })).toBe(false);
});

test('a request that names its client in another way is not near', () => {
  expect(near('10.0.0.1', { forwarded: 'for=10.2.2.2' })).toBe(false);
  expect(near('127.0.0.1', { 'x-real-ip': '203.0.113.9' })).toBe(false);
});
