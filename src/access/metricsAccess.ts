/** Who may read the metrics. */
import type { Context } from 'koa';
import { type AdminAuthDeps, identifyAdministrator } from './admin/identifyAdministrator.ts';
import { authFailureAddress, tellWhenLockoutEnds } from './keptOut.ts';
import { isPrivateNetworkRequest } from './nearby.ts';

/** Who is near, and who is an administrator. */
export interface MetricsAccessRules {
  /** CIDRs whose requests are let in without a token. */
  metricsFrom: readonly string[];
  trustedProxies: readonly string[];
  access: AdminAuthDeps;
}

/** Metrics tell how much business there is: to who is near, and to administrators from anywhere. Undefined: it may be read. */
export const metricsRefusalStatus = async (
  { metricsFrom, trustedProxies, access }: MetricsAccessRules,
  ctx: Context,
): Promise<401 | 429 | undefined> => {
  if (isPrivateNetworkRequest(ctx.req, { listed: metricsFrom, trusted: trustedProxies })) return undefined;
  const counted = authFailureAddress(ctx.req, trustedProxies);
  const who = await identifyAdministrator(access, ctx, counted);
  if (typeof who !== 'string') return undefined;
  if (who !== 'keptOut') return 401;
  await tellWhenLockoutEnds(access.limits, ctx, counted);
  return 429;
};
