/** A connection to a host that a customer named: only to addresses that may be reached, and to the one that was checked. */
import type { LookupAddress } from 'node:dns';
import { connect, type Socket } from 'node:net';
import { isAllowedOutboundAddress } from '../../lib/ipAddressRanges.ts';
import type { LookupAllAddresses } from '../contracts/dns.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';

export interface Host {
  host: string;
  port: number;
}

/** How a name is looked up, and which private networks (CIDRs) the operator opened. */
export interface OutboundNetworkOptions {
  lookup: LookupAllAddresses;
  allowed: readonly string[];
}

/** How long a host may take to answer, and how long it may then be silent. */
const CONNECT_MS = 15_000;
const SILENT_MS = 30_000;

/**
 * Connects. Throws `NotRetryable('addressRefused')` when the name leads nowhere but into private networks, and `Retryable`
 * when the host does not answer.
 */
export const openOutboundSocket = async (
  { host, port }: Host,
  outward: OutboundNetworkOptions,
  signal: AbortSignal,
): Promise<Socket> => {
  const address = await resolveAllowedAddress(host, outward);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: CONNECT_MS });
    const fail = (cause: unknown): void => {
      socket.destroy();
      reject(new Retryable(`${host} port ${port} does not answer: ${wordOf(cause)}`, { cause }));
    };
    socket.once('error', fail);
    socket.once('timeout', () => fail(new Error('it is silent')));
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    socket.once('connect', () => {
      socket.removeAllListeners('timeout');
      socket.setTimeout(SILENT_MS, () => socket.destroy(new Error('the server fell silent')));
      resolve(socket);
    });
  });
};

/** The address that a name leads to, when it may be reached. Throws as `openOutboundSocket` does. */
export const resolveAllowedAddress = async (
  host: string,
  { lookup, allowed }: OutboundNetworkOptions,
): Promise<string> => {
  const found = await allOf(lookup, host).catch((cause: unknown) => {
    throw new Retryable(`the host ${host} is not known: ${wordOf(cause)}`, { cause });
  });
  const open = found.find(({ address }) => isAllowedOutboundAddress(address, allowed));
  if (open) return open.address;
  throw new NotRetryable('addressRefused', `${host} lies in a private network that deliveries may not reach`);
};

const allOf = (lookup: LookupAllAddresses, host: string): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

const wordOf = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
};
