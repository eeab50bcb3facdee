/** Addresses that are kept out: as whom a request counts, and how it hears of it. */
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { RateLimitsAndLockouts } from '../providers/contracts/rateLimitsAndLockouts.ts';
import { inCidr, LOOPBACK_CLIENT_NAME } from '../lib/ipAddressRanges.ts';
import { clientAddress } from './clientAddress.ts';
import { alternateForwardingHeaders } from './nearby.ts';

/** As whom a request's wrong tokens are counted: its address, or `loopback` for a direct connection from this machine. */
export const authFailureAddress = (request: IncomingMessage, trusted: readonly string[]): string =>
  isOfThisMachine(request) ? LOOPBACK_CLIENT_NAME : clientAddress(request, trusted);

/** From loopback, and no proxy says that it stands between. */
const isOfThisMachine = ({ socket, headers }: IncomingMessage): boolean =>
  isLoopback(socket.remoteAddress ?? '') &&
  !Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || alternateForwardingHeaders.includes(name),
  );

export const isLoopback = (address: string): boolean =>
  inCidr(address, '127.0.0.0/8') || inCidr(address, '::1');

/** Says in `Retry-After` when the address is let in again, and answers the same as a sentence. */
export const tellWhenLockoutEnds = async (
  limits: Pick<RateLimitsAndLockouts, 'lockedMs'>,
  ctx: Pick<Context, 'set'>,
  address: string,
): Promise<string> => {
  const seconds = Math.max(1, Math.ceil((await limits.lockedMs(address)) / 1000));
  ctx.set('Retry-After', String(seconds));
  return `no token of ${address} is looked at for ${seconds} s, or until an operator runs: npx ramal unlock ${address}`;
};
