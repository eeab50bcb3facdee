/** Claiming destinations: the cursor of their region moves on, and their calls are born, all in this step. */
import type { DestinationToCall } from '../contracts/campaign.ts';
import { buildCampaignCallInput, hasSpokenText } from './callFromDestination.ts';
import { isRegionOpen } from './regionCallingWindows.ts';
import {
  updateCampaignCountsInContext,
  mergeCampaignDialGrantChanges,
  type CampaignContext,
  type CampaignRegionProgress,
} from './context.ts';
import type { CampaignEffectRequest } from './events.ts';
import { dialIntervalMs } from './pace.ts';
import { decideCampaignPhase } from './phase.ts';

/** A dialler that found nothing where there should be something is left alone for a moment. */
const FOUND_NOTHING_MS = 5_000;

/**
 * The campaign with these destinations claimed, and those that were: only the next of each region, only while it may
 * dial, and no more than it waits for: its limits and its pace have room for those. What is left stays unclaimed and is
 * read again.
 */
export const claimDestinationsInContext = (
  context: CampaignContext,
  found: readonly DestinationToCall[],
  at: number,
): { next: CampaignContext; born: DestinationToCall[] } => {
  const { fetching } = context.flow;
  // A question that was answered before.
  if (fetching === 0) return { next: context, born: [] };
  const answered = mergeCampaignDialGrantChanges(context, { fetching: 0 });
  if (!mayDial(answered, at)) return { next: answered, born: [] };
  const regions = new Map<string, CampaignRegionProgress>(Object.entries(context.regions));
  const born = found.slice(0, fetching).filter((destination) => {
    const region = regions.get(destination.region);
    if (region?.cursor !== destination.seq - 1 || !isRegionOpen(context, destination.region, at))
      return false;
    regions.set(destination.region, { ...region, cursor: destination.seq });
    return true;
  });
  if (born.length === 0) {
    const nextAt = Math.max(context.flow.nextAt, at + FOUND_NOTHING_MS);
    return { next: mergeCampaignDialGrantChanges(answered, { nextAt }), born };
  }
  return { next: begun({ ...answered, regions: Object.fromEntries(regions) }, born, at), born };
};

const mayDial = (context: CampaignContext, at: number): boolean => {
  if (!Number.isFinite(dialIntervalMs(context))) return false;
  const phase = decideCampaignPhase(context, at);
  return phase === 'dialing' || phase === 'throttled';
};

const begun = (context: CampaignContext, born: readonly DestinationToCall[], at: number): CampaignContext => {
  const { flow, counts } = context;
  // New calls, new results: a campaign that was over and goes on delivers them when it is over again.
  const counted = updateCampaignCountsInContext(
    { ...context, results: 'none' },
    { started: counts.started + born.length },
  );
  if (hasSpokenText(context.definition.call))
    return mergeCampaignDialGrantChanges(counted, {
      ahead: [...flow.ahead, ...born.map(({ call }) => call)],
    });
  const granted = born.map(({ call, region }) => ({ call, ask: 0, region, at }));
  return mergeCampaignDialGrantChanges(counted, { granted: [...flow.granted, ...granted] });
};

/** The birth of a destination's call, as a request. */
export const startDestinationCallEffect = (
  context: CampaignContext,
  found: DestinationToCall,
  at: number,
): CampaignEffectRequest => ({
  type: 'startMachine',
  params: { kind: 'call', id: found.call, input: buildCampaignCallInput(context, found, at) },
});
