/** Who asks from this very machine, with nothing in between. */
import type { IncomingMessage } from 'node:http';
import { inCidr, readAddress } from '../rules/addresses.ts';

/** Headers by which a proxy names its client. */
const forwarding = [
  ...['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'via'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-forwarded-server'],
];

/** A connection on the loopback address, and no sign of a proxy, which may stand on this machine for others. */
export const isDirectLoopback = ({ headers, socket }: IncomingMessage): boolean => {
  const address = readAddress(socket.remoteAddress ?? '');
  if (address === undefined || forwarding.some((name) => headers[name] !== undefined)) return false;
  return inCidr(address, '127.0.0.0/8') || inCidr(address, '::1/128');
};
