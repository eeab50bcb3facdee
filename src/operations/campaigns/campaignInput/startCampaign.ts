/** Starting the campaign that was asked for: one machine, with what must be unique claimed in the same commit. */
import type { CampaignInput } from '../../../../machines/campaign/input.ts';
import { type MachineRef, type StartMachineResult, Unavailable } from '../../../engine/contract/api.ts';
import { isTransientDatabaseError } from '../../../store/transientError.ts';
import { findNewestCampaignByName } from '../../../store/reads/campaigns/campaigns.ts';
import { digest } from '../../idempotency.ts';
import { holdCampaignName } from './campaignNameLock.ts';
import { Refused } from '../../refused.ts';
import type { CreateCampaignContext } from './params.ts';

/** Long enough for two requests that looked for campaigns of the name at the same time. */
const claimMs = 60_000;
/** After losing to other requests so many times the name counts as taken. */
const rounds = 5;

/** What came of it: the campaign's machine, or that its name or its Idempotency-Key is taken, maybe by a repetition. */
export type StartCampaignOutcome = { outcome: 'started'; ref: MachineRef } | { outcome: 'taken' };

type Claims = readonly { key: string; forMs: number; answer?: string }[];

/**
 * Throws 261 when the campaign cannot be stored, and `Unavailable`, after which that is unknown: then it keeps its name
 * for ten seconds. One that is to dial holds its name, so that no change takes it meanwhile. `since`: when the request
 * began, epoch milliseconds; a campaign of the name that was over by then does not count.
 */
export const startCampaign = async (
  ctx: CreateCampaignContext,
  id: number,
  input: CampaignInput,
  { claims, since }: { claims: Claims; since: number },
): Promise<StartCampaignOutcome> => {
  const { account, services } = ctx;
  if (!input.active) return placeOnce(ctx, id, input, claims, since);
  const giveBack = await holdCampaignName({
    ...{ services, shard: account.shard, account: account.id, name: input.name, date: input.hours.dateStart },
    owner: `creation ${id}`,
  });
  if (!giveBack) return { outcome: 'taken' };
  try {
    const placed = await placeOnce(ctx, id, input, claims, since);
    await giveBack();
    return placed;
  } catch (error) {
    // What was refused surely does not stand.
    if (error instanceof Refused) await giveBack();
    throw error;
  }
};

const placeOnce = async (
  ctx: CreateCampaignContext,
  id: number,
  input: CampaignInput,
  claims: Claims,
  since: number,
): Promise<StartCampaignOutcome> => {
  const { account, services } = ctx;
  const pool = services.database(account.shard);
  for (let round = 0; round < rounds; round += 1) {
    const same = await findNewestCampaignByName(pool, account.id, {
      name: input.name,
      dateStart: input.hours.dateStart,
      since,
    });
    if (same.active) return { outcome: 'taken' };
    const started = await start(ctx, id, input, [...claims, ...nameClaims(input, same.newest)]);
    if (started.outcome === 'started') return started;
    if (claims.some(({ key }) => key === started.key)) break;
  }
  return { outcome: 'taken' };
};

/**
 * The key holds the newest namesake that was seen: requests that saw the same one compete for the same key, and a later
 * request sees a newer one. So an old claim never blocks a name that has become free.
 */
const nameClaims = ({ active, name, hours }: CampaignInput, newest: number) =>
  active ? [{ key: `campaign:${digest({ name, date: hours.dateStart })}:${newest}`, forMs: claimMs }] : [];

const start = async (
  { account, services, refuse }: CreateCampaignContext,
  id: number,
  input: CampaignInput,
  claims: { key: string; forMs: number; answer?: string }[],
): Promise<StartMachineResult> => {
  const { shard, id: owner } = account;
  try {
    return await services.engine.start({ kind: 'campaign', shard, account: owner, id, input, claims });
  } catch (error) {
    if (error instanceof Unavailable || isTransientDatabaseError(error)) throw error;
    services.log.error({ err: error, account: owner }, 'a campaign could not be started');
    throw refuse('notStarted');
  }
};
