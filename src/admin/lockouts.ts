/** Addresses that are kept out because wrong tokens came from them: shown, and let in again. */
import type { Router } from '@koa/router';
import { isLoopback } from '../access/keptOut.ts';
import { LOOPBACK, readAddress } from '../lib/addresses.ts';
import type { AdminDoor } from './api.ts';
import { AdminError } from './respond.ts';

/** Its name in the table of roles. */
export const UNLOCK = 'DELETE /lockouts/:address';

export const lockoutRoutes = (router: Router, { limits }: AdminDoor): void => {
  router.get('/lockouts', async (ctx) => {
    const lockouts = await limits.lockOuts();
    ctx.body = {
      lockouts: lockouts.map(({ address, standing, lockedMs }) => ({
        ...{ address, standing },
        retry_after_s: Math.ceil(lockedMs / 1000),
      })),
    };
  });

  router.delete('/lockouts/:address', async (ctx) => {
    const written = ctx.params['address'] ?? '';
    const addresses = addressesOf(written);
    const standings = await Promise.all(addresses.map((address) => limits.standing(address)));
    for (const address of addresses) await limits.pardon(address);
    ctx.body = { address: written, was: standings.find((standing) => standing !== 'free') ?? 'free' };
  });
};

/** An address of this machine is two: behind a proxy it counts as any other, and without one as `loopback`. */
const addressesOf = (written: string): string[] => {
  if (written === LOOPBACK) return [LOOPBACK];
  const address = readAddress(written.replace(/\/56$/, ''));
  if (address === undefined)
    throw new AdminError(400, `${JSON.stringify(written)} is no address, and not ${LOOPBACK}`, {
      field: 'address',
    });
  return isLoopback(address) ? [address, LOOPBACK] : [address];
};
