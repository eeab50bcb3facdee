/**
 * Addresses that customers name (`rurl`, `callback_url`, `forward_url`, `urlcontent`): which of them we go to at all.
 * The one rule, at the door and again before a connection; where a name leads is seen by the connection itself
 * (`src/providers/outward.ts`).
 */
import { isIP } from 'node:net';
import { mayReach } from './addresses.ts';
import { urlOf } from './urlOf.ts';
import { trimEnd } from './trimEnd.ts';

/** Why an address inside is refused; completes "the address …". */
export const closed = 'points into a private network';

/**
 * The address, or what is wrong with it, which completes "the address …". The parser reads every spelling of a number
 * (decimal, hexadecimal, octal, short, full-width, percent-encoded) as the address that it means.
 * `allowed`: private networks (CIDRs) that the operator opened.
 */
export const readOutwardUrl = (written: string, allowed: readonly string[]): URL | string => {
  const url = parsed(written.trim());
  if (!url) return 'is not an http or https address';
  if (url.username !== '' || url.password !== '') return 'holds credentials, which are not sent';
  if (url.port === '0') return 'names port 0';
  return leadsInside(url.hostname, allowed) ? closed : url;
};

/** For a parameter that may be URL-encoded: it is decoded once when it is no address as it stands. */
export const readEncodedUrl = (written: string, allowed: readonly string[]): URL | string => {
  const text = written.trim();
  return readOutwardUrl(parsed(text) ? text : decoded(text), allowed);
};

/** An address that may be called, or why not, which completes "the address …". */
export type Reading = { href: string } | { refused: string };

const READINGS = 1_000;

/** `readEncodedUrl` for what call after call names the same: the last addresses are remembered. */
export const outwardUrls = (allowed: readonly string[]): ((written: string) => Reading) => {
  const known = new Map<string, Reading>();
  return (written) => {
    const before = known.get(written);
    if (before) return before;
    const url = readEncodedUrl(written, allowed);
    const reading = typeof url === 'string' ? { refused: url } : { href: url.href };
    if (known.size >= READINGS) known.clear();
    known.set(written, reading);
    return reading;
  };
};

const parsed = (text: string): URL | undefined => {
  // The parser would drop line ends and tabs, and read a backslash as a slash.
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  const url = /[\u0000-\u0020\u007f\\]/.test(text) ? undefined : urlOf(text);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const leadsInside = (hostname: string, allowed: readonly string[]): boolean => {
  const host = trimEnd(hostname.replace(/^\[|\]$/g, ''), '.');
  const address = isIP(host) === 0 ? knownName(host) : host;
  return address !== undefined && !mayReach(address, allowed);
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
