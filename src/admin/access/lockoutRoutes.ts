/** Addresses that are kept out because wrong tokens came from them: shown, and let in again. */
import * as z from 'zod';
import { isLoopback } from '../../access/keptOut.ts';
import { LOOPBACK_CLIENT_NAME, parseIpAddress } from '../../lib/ipAddressRanges.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';

/** Lets an address in again; wrong keys that are shown for it on the machine itself are counted apart. */
export const UNLOCK_ADDRESS_ROUTE = 'DELETE /lockouts/:address';

const standing = z.enum(['free', 'throttled', 'blocked']);

export const lockoutRoutes = {
  'GET /lockouts': defineRoute({
    role: 'operator',
    summary: 'Lists addresses that are kept out because wrong tokens came from them.',
    answer: z.object({
      lockouts: z.array(
        z.object({
          address: z.string().describe('An address, a network that counts as one, or `loopback`.'),
          standing,
          retry_after_s: z.int(),
        }),
      ),
    }),
    example: {
      answer: { lockouts: [{ address: '192.0.2.7', standing: 'blocked', retry_after_s: 3_540 }] },
    },
    handle: async ({ deps: { limits } }) => {
      const lockouts = await limits.lockOuts();
      return {
        lockouts: lockouts.map(({ address, standing: stands, lockedMs }) => ({
          ...{ address, standing: stands },
          retry_after_s: Math.ceil(lockedMs / 1000),
        })),
      };
    },
  }),
  [UNLOCK_ADDRESS_ROUTE]: defineRoute({
    role: 'admin',
    summary: 'Lets an address in again.',
    path: z.object({ address: z.string() }),
    refuses: { 400: 'It is no address, and not `loopback`.' },
    answer: z.object({ address: z.string(), was: standing.describe('How it stood.') }),
    example: { answer: { address: '192.0.2.7', was: 'blocked' } },
    handle: async ({ deps: { limits }, path: { address: written } }) => {
      const addresses = addressesOf(written);
      const standings = await Promise.all(addresses.map((address) => limits.standing(address)));
      for (const address of addresses) await limits.reset(address);
      return { address: written, was: standings.find((one) => one !== 'free') ?? ('free' as const) };
    },
  }),
};

/** The keys under which wrong tokens of an address are counted. Those of this machine count as `loopback` where no proxy stands before it. */
const addressesOf = (written: string): string[] => {
  if (written === LOOPBACK_CLIENT_NAME) return [LOOPBACK_CLIENT_NAME];
  const address = parseIpAddress(written.replace(/\/56$/, ''));
  if (address === undefined)
    throw new AdminError(400, `${JSON.stringify(written)} is no address, and not ${LOOPBACK_CLIENT_NAME}`, {
      field: 'address',
    });
  return isLoopback(address) ? [address, LOOPBACK_CLIENT_NAME] : [address];
};
