/** Who may read the metrics. */
import type { Context } from 'koa';
import { type AdminAccess, identify } from './admin/administrator.ts';
import { countedAs, tellKeptOut } from './keptOut.ts';
import { isNearby } from './nearby.ts';

/** Who is near, and who is an administrator. */
export interface MetricsReaders {
  /** CIDRs whose requests are let in without a token. */
  metricsFrom: readonly string[];
  trustedProxies: readonly string[];
  access: AdminAccess;
}

/** Metrics tell how much business there is: to who is near, and to administrators from anywhere. Undefined: it may be read. */
export const metricsRefused = async (
  { metricsFrom, trustedProxies, access }: MetricsReaders,
  ctx: Context,
): Promise<401 | 429 | undefined> => {
  if (isNearby(ctx.req, { listed: metricsFrom, trusted: trustedProxies })) return undefined;
  const counted = countedAs(ctx.req, trustedProxies);
  const who = await identify(access, ctx, counted);
  if (typeof who !== 'string') return undefined;
  if (who !== 'keptOut') return 401;
  await tellKeptOut(access.limits, ctx, counted);
  return 429;
};
