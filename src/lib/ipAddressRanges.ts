/** Network addresses and the ranges (CIDRs) that lists of them are made of. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address lies in a CIDR (or is the single address it names). IPv4 in IPv6 counts as IPv4. */
export const inCidr = (address: string, cidr: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  const [base, bits] = readCidr(cidr);
  return base !== undefined && base.kind() === ip.kind() && ip.match(base, bits);
};

const readCidr = (text: string): [ipaddr.IPv4 | ipaddr.IPv6 | undefined, number] => {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  // Whole addresses only: `10.1/16` is 10.0.0.1/16 to some programs, and means 10.1.0.0/16 to its writer.
  const family = isIP(address);
  if (family === 0) return [undefined, 0];
  const base = ipaddr.process(address);
  const whole = family === 4 ? 32 : 128;
  // The bits of IPv4 in IPv6 are the last 32.
  const before = family === 6 && base.kind() === 'ipv4' ? 96 : 0;
  const count = bits === undefined ? whole : Number(bits);
  return count >= before && count <= whole ? [base, count - before] : [undefined, 0];
};

/** Whether a text names an address or a CIDR. */
export const isIpAddressOrCidr = (text: string): boolean => readCidr(text)[0] !== undefined;

/**
 * Whether we may connect to this address for a customer: one of the public internet, or one of those that the
 * operator opened (`allowed`, CIDRs). Private, loopback, link-local, metadata, multicast, reserved and documentation
 * addresses are not; nor is one that is translated to such an IPv4 address, whatever was opened around it.
 */
export const isAllowedOutboundAddress = (address: string, allowed: readonly string[]): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  const inner = innerAddress(ip);
  if (inner !== undefined && !isAllowedOutboundAddress(inner, allowed)) return false;
  return isPublic(ip) || allowed.some((cidr) => inCidr(address, cidr));
};

/** Looks public and is the host of the machine: Azure answers there with its metadata and settings. */
const azureHost = '168.63.129.16';

/** Of IPv6 only 2000::/3 is given out. */
const isPublic = (ip: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ip.range() === 'unicast' &&
  (ip.kind() === 'ipv4' ? ip.toString() !== azureHost : inCidr(ip.toString(), '2000::/3'));

/** Where an IPv6 address holds the IPv4 address that it leads to: at which byte. NAT64, 6to4, and those of old. */
const translated: readonly (readonly [string, number])[] = [
  ['64:ff9b::/96', 12],
  ['64:ff9b:1::/48', 12],
  ['2002::/16', 2],
  ['::/96', 12],
  ['::ffff:0:0:0/96', 12],
];

const innerAddress = (ip: ipaddr.IPv4 | ipaddr.IPv6): string | undefined => {
  if (ip.kind() === 'ipv4') return undefined;
  const text = ip.toString();
  if (text === '::' || text === '::1') return undefined;
  const [, at] = translated.find(([cidr]) => inCidr(text, cidr)) ?? [];
  return at === undefined
    ? undefined
    : ip
        .toByteArray()
        .slice(at, at + 4)
        .join('.');
};

/** An address as one may write it, without what some proxies add (a port, brackets, a zone); undefined: it is none. */
export const parseIpAddress = (text: string): string | undefined => {
  // Most by far, and asked for with every request.
  if (isIP(text) === 4) return text;
  if (text.startsWith('::ffff:') && isIP(text.slice(7)) === 4) return text.slice(7);
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, withPort] = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text) ?? [];
  const bare = (bracketed ?? withPort ?? text).replace(/%[\w.-]{1,30}$/, '');
  // Whole addresses only: `10.1` and `0x7f000001` are numbers that some programs read as addresses.
  if (isIP(bare) === 0) return undefined;
  return ipaddr.process(bare).toString();
};

/** Connections from this machine itself, without a proxy between, are counted together under this name. */
export const LOOPBACK_CLIENT_NAME = 'loopback';

/**
 * Whom an address is counted with: an IPv4 address alone, an IPv6 address with its /56, which providers give to one
 * customer. What is no address stands for itself.
 */
export const ipAddressGroup = (text: string): string => {
  if (isIP(text) === 4) return text;
  const address = parseIpAddress(text);
  if (address === undefined || isIP(address) === 4) return address ?? text;
  const [first, second, third, fourth] = (ipaddr.parse(address) as ipaddr.IPv6).parts;
  const prefix = [first!, second!, third!, fourth! & 0xff00];
  return `${prefix.map((part) => part.toString(16)).join(':')}::/56`;
};
