/** Network addresses and the ranges (CIDRs) that lists of them are made of. */
import ipaddr from 'ipaddr.js';

/** Whether an address lies in a CIDR (or is the single address it names). IPv4 in IPv6 counts as IPv4. */
export const inCidr = (address: string, cidr: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  const [base, bits] = readCidr(cidr);
  return base !== undefined && base.kind() === ip.kind() && ip.match(base, bits);
};

const readCidr = (text: string): [ipaddr.IPv4 | ipaddr.IPv6 | undefined, number] => {
  const [address = '', bits] = text.trim().split('/');
  if (!ipaddr.isValid(address)) return [undefined, 0];
  const base = ipaddr.process(address);
  const whole = base.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [base, whole];
  const count = /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
  return count >= 0 && count <= whole ? [base, count] : [undefined, 0];
};

/** Whether a text names an address or a CIDR. */
export const isCidr = (text: string): boolean => readCidr(text)[0] !== undefined;

/**
 * Whether we may connect to this address for a customer: one of the public internet, or one of those that the
 * operator opened (`allowed`, CIDRs). Private, loopback, link-local and metadata addresses are not.
 */
export const mayReach = (address: string, allowed: readonly string[]): boolean =>
  ipaddr.isValid(address) &&
  (ipaddr.process(address).range() === 'unicast' || allowed.some((cidr) => inCidr(address, cidr)));
