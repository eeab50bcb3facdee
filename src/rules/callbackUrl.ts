/** Whether a customer's callback address may be called at all (decisions "Status callbacks"). No look-ups: names pass here. */
import ipaddr from 'ipaddr.js';
import { inCidr } from './addresses.ts';

/**
 * A sentence when the address is not http/https, or is a literal address of a private, loopback, link-local or
 * metadata range that `allowed` (CIDRs) does not open; undefined when it may be called. `written` may be
 * URL-encoded; it is decoded once.
 */
export const refuseCallbackUrl = (written: string, allowed: readonly string[]): string | undefined => {
  const url = readUrl(decodeOnce(written)) ?? readUrl(written);
  if (!url) return 'rurl is not a http or https address';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (/(^|\.)localhost$/i.test(host)) return isOpen('127.0.0.1', allowed) ? undefined : closed;
  if (!ipaddr.isValid(host)) return undefined;
  return ipaddr.process(host).range() === 'unicast' || isOpen(host, allowed) ? undefined : closed;
};

const closed = 'rurl points into a private network';

const readUrl = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
};

const decodeOnce = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const isOpen = (address: string, cidrs: readonly string[]): boolean =>
  cidrs.some((cidr) => inCidr(address, cidr));
