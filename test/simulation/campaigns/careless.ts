/** A campaign that believes every answer: whatever the desk found, it takes for the next of the list (`--break cursor`). */
import { enqueueActions } from 'xstate';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import { decide } from '../../../machines/campaign/decide.ts';
import type { Asked, CampaignEvent } from '../../../machines/campaign/events.ts';
import { campaign } from '../../../machines/campaign.ts';
import { campaignKind } from '../../../machines/index.ts';
import type { Kind } from '../../../machines/kind.ts';

/** The event with every destination numbered as if it followed the cursor. */
const believed = (context: CampaignContext, event: CampaignEvent): CampaignEvent => {
  if (event.type !== 'destinationsFound') return event;
  const next = new Map(Object.entries(context.regions).map(([name, { cursor }]) => [name, cursor]));
  const found = event.found.map((destination) => {
    const seq = (next.get(destination.region) ?? 0) + 1;
    next.set(destination.region, seq);
    return { ...destination, seq };
  });
  return { ...event, found };
};

const serve = enqueueActions<
  CampaignContext,
  CampaignEvent,
  undefined,
  CampaignEvent,
  never,
  Asked,
  never,
  never,
  never
>(({ context, event, enqueue }) => {
  const decided = decide({ context, event: believed(context, event) });
  enqueue.assign(decided.context);
  for (const asked of decided.asked) enqueue(asked);
});

export const carelessCampaignKind: Kind = {
  ...campaignKind,
  versions: { 1: campaign.provide({ actions: { serve } }) },
};
