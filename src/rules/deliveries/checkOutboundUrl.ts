/**
 * Addresses that customers name (`rurl`, `callback_url`, `forward_url`, `urlcontent`): which of them we go to at all.
 * The one rule, at the door and again before a connection; where a name leads is seen by the connection itself
 * (`src/providers/ssrfGuard.ts`).
 */
import { isIP } from 'node:net';
import { inCidr, isAllowedOutboundAddress } from '../../lib/ipAddressRanges.ts';
import { parseUrl } from '../../lib/parseUrl.ts';
import { trimTrailingCharacter } from '../../lib/trimEnd.ts';
import { lruOf } from '../../lib/lru.ts';

/** Why an address inside is refused; completes "the address …". */
export const privateNetworkRefusalText = 'points into a private network';

/**
 * The address, or what is wrong with it, which completes "the address …". The parser reads every spelling of a number
 * (decimal, hexadecimal, octal, short, full-width, percent-encoded) as the address that it means.
 * `allowed`: private networks (CIDRs) that the operator opened, and receivers that are admitted (`127.0.0.1:9096`).
 */
export const validateOutboundUrl = (written: string, allowed: readonly string[]): URL | string => {
  const url = parsed(written.trim());
  if (!url) return 'is not an http or https address';
  if (url.username !== '' || url.password !== '') return 'holds credentials, which are not sent';
  if (url.port === '0') return 'names port 0';
  const inside = insideOf(url.hostname);
  if (inside === undefined || allowed.includes(`${url.hostname}:${url.port}`)) return url;
  return isAllowedOutboundAddress(inside, allowed) ? url : privateNetworkRefusalText;
};

/**
 * Why an address is refused, with the setting that opens it where it leads to the machine itself: that is usually a
 * trial. Other networks are opened with more thought, so the setting is not named for them.
 */
export const addUrlAllowingSettingHint = (refused: string, written: string): string => {
  const address =
    refused === privateNetworkRefusalText ? insideOf(readable(written)?.hostname ?? '') : undefined;
  if (address === undefined || !isOwn(address)) return refused;
  return `${refused}, which ALLOW_PRIVATE_TARGETS=${address}/${isIP(address) === 4 ? 32 : 128} opens`;
};

const isOwn = (address: string): boolean => inCidr(address, '127.0.0.0/8') || inCidr(address, '::1/128');

const readable = (written: string): URL | undefined =>
  parsed(written.trim()) ?? parsed(decoded(written.trim()));

/** For a parameter that may be URL-encoded: it is decoded once when it is no address as it stands. */
export const readEncodedUrl = (written: string, allowed: readonly string[]): URL | string => {
  const text = written.trim();
  return validateOutboundUrl(parsed(text) ? text : decoded(text), allowed);
};

/** An address that may be called, or why not, which completes "the address …". */
export type UrlCheckResult = { href: string } | { refused: string };

const READINGS = 1_000;

/** `readEncodedUrl` for what call after call names the same: the last addresses are remembered. */
export const cachedUrlChecker = (allowed: readonly string[]): ((written: string) => UrlCheckResult) => {
  const known = lruOf<string, UrlCheckResult>(READINGS);
  return (written) => {
    // A receiver that is admitted comes and goes.
    const isSettled = !allowed.some(isReceiver);
    const before = isSettled ? known.get(written) : undefined;
    if (before) return before;
    const url = readEncodedUrl(written, allowed);
    const reading = typeof url === 'string' ? { refused: url } : { href: url.href };
    if (!isSettled) return reading;
    known.set(written, reading);
    return reading;
  };
};

/** `host:port`, and no network. */
const isReceiver = (written: string): boolean => /^(\d+(\.\d+){3}|\[[^\]]+\]):\d+$/.test(written);

const parsed = (text: string): URL | undefined => {
  // The parser would drop line ends and tabs, and read a backslash as a slash.
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  const url = /[\u0000-\u0020\u007f\\]/.test(text) ? undefined : parseUrl(text);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The address that a host is, or is known to lead to; undefined: a name of the public, looked up later. */
const insideOf = (hostname: string): string | undefined => {
  const host = trimTrailingCharacter(hostname.replace(/^\[|\]$/g, ''), '.');
  return isIP(host) === 0 ? knownName(host) : host;
};

/** Names that lead inside wherever they are asked for. */
const knownName = (host: string): string | undefined => {
  if (/(^|\.)localhost$/.test(host)) return '127.0.0.1';
  return known.get(host);
};

const known: ReadonlyMap<string, string> = new Map([
  ['localhost.localdomain', '127.0.0.1'],
  ['ip6-localhost', '::1'],
  ['ip6-loopback', '::1'],
  ['metadata', '169.254.169.254'],
  ['metadata.google.internal', '169.254.169.254'],
  ['instance-data', '169.254.169.254'],
]);
