/** Campaigns that are broken on purpose. */
import { enqueueActions } from 'xstate';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import { decideCampaignStep } from '../../../machines/campaign/decide.ts';
import type {
  CampaignEffectRequest,
  CampaignEvent,
  CampaignActionArgs,
} from '../../../machines/campaign/events.ts';
import { campaignStateMachine } from '../../../machines/campaign.ts';
import { campaignMachineKind } from '../../../machines/index.ts';
import type { Kind } from '../../../src/engine/contract/kind.ts';

/** Sees what the chart sees, in a wrong way. */
type Delusion = (scope: CampaignActionArgs) => CampaignActionArgs;

/** Whatever the desk found, it takes for the next of the list. */
const cursor: Delusion = ({ context, event }) => {
  if (event.type !== 'destinationsFound') return { context, event };
  const next = new Map(Object.entries(context.regions).map(([name, { cursor: at }]) => [name, at]));
  const found = event.found.map((destination) => {
    const seq = (next.get(destination.region) ?? 0) + 1;
    next.set(destination.region, seq);
    return { ...destination, seq };
  });
  return { context, event: { ...event, found } };
};

/** It is waited for a word of a grant so long, no longer. */
const FORGOTTEN_MS = 600_000;

const grants: Delusion = ({ context, event }) => {
  const isKept = ({ at }: { at: number }): boolean => at + FORGOTTEN_MS > event.at;
  const { granted, revoked } = context.flow;
  const flow = { ...context.flow, granted: granted.filter(isKept), revoked: revoked.filter(isKept) };
  return { context: { ...context, flow }, event };
};

/** Every plan is taken for that of the hours of now. */
const hours: Delusion = ({ context, event }) => {
  if (event.type !== 'windowsPlanned') return { context, event };
  const { question = 0 } = event;
  return { context: { ...context, calendar: { ...context.calendar, asked: true, question } }, event };
};

const believing = (delusion: Delusion): Kind => {
  const serve = enqueueActions<
    CampaignContext,
    CampaignEvent,
    undefined,
    CampaignEvent,
    never,
    CampaignEffectRequest,
    never,
    never,
    never
  >(({ context, event, enqueue }) => {
    const decided = decideCampaignStep(delusion({ context, event }));
    enqueue.assign(decided.context);
    for (const asked of decided.asked) enqueue(asked);
  });
  return { ...campaignMachineKind, versions: { 1: campaignStateMachine.provide({ actions: { serve } }) } };
};

/** By the guard that is missing (`--break`). */
export const carelessCampaigns: Record<string, Kind> = {
  cursor: believing(cursor),
  grants: believing(grants),
  hours: believing(hours),
};
