/**
 * One campaign, from its list to its last call (spec 4.3 to 4.5).
 *
 * Destinations are rows until the campaign's own step claims them: a cursor a region moves on, and their calls are
 * born, in one commit. Every attempt of those calls dials on a grant from here; the calls report what became of it
 * (`contracts/campaign.ts`). What is decided stands in `campaign/decide.ts`; the chart says when: on every fact, and
 * when a pace, a window or a date has come. Its states are the words of `cp_state`, those of an active one beneath it.
 */
import { enqueueActions, setup } from 'xstate';
import { declareEffect, engineEffects, type EventTimestamp } from '../src/engine/contract/effect.ts';
import {
  initialCampaignContext,
  type CampaignStartInput,
  type CampaignContext,
  type CampaignPhase,
} from './campaign/context.ts';
import { decideCampaignStep } from './campaign/decide.ts';
import type { CampaignEffectRequest, CampaignEvent, CampaignActionArgs } from './campaign/events.ts';
import { nextCampaignWakeup } from './campaign/nextWakeup.ts';
import type { DiallerEffects } from './contracts/campaign.ts';

/** A campaign that is over can be changed for so long, e.g. given a later last day. */
const RETENTION_MS = 30 * 86_400_000;

/** Decides, remembers, and asks. */
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
  const decided = decideCampaignStep({ context, event });
  enqueue.assign(decided.context);
  for (const asked of decided.asked) enqueue(asked);
});

const machineSetup = setup({
  types: {
    context: {} as CampaignContext,
    events: {} as CampaignEvent,
    input: {} as CampaignStartInput & EventTimestamp,
  },
  actions: {
    ...engineEffects,
    generateDestinations: declareEffect<DiallerEffects['generateDestinations']>(),
    planWindows: declareEffect<DiallerEffects['planWindows']>(),
    fetchDestinations: declareEffect<DiallerEffects['fetchDestinations']>(),
    findLostCalls: declareEffect<DiallerEffects['findLostCalls']>(),
    findLiveCalls: declareEffect<DiallerEffects['findLiveCalls']>(),
    addressResults: declareEffect<DiallerEffects['addressResults']>(),
    serve,
  },
  guards: { stands: ({ context }: CampaignActionArgs, phase: CampaignPhase) => context.phase === phase },
  delays: {
    look: ({ context, event }: CampaignActionArgs) => nextCampaignWakeup(context, event.at) - event.at,
    retention: () => RETENTION_MS,
  },
});

const served = { target: '#campaign.judging', actions: 'serve' } as const;
const when = (phase: CampaignPhase, target: string = phase) => ({
  guard: { type: 'stands' as const, params: phase },
  target,
});

export const campaignStateMachine = machineSetup.createMachine({
  id: 'campaign',
  context: ({ input }) => initialCampaignContext(input),
  initial: 'loading',
  states: {
    /** Chooses its destinations. */
    loading: {
      entry: {
        type: 'generateDestinations',
        params: ({ context }) => ({ list: context.definition.list, selection: context.definition.selection }),
      },
      on: {
        destinationsGenerated: {
          ...served,
          actions: ['serve', { type: 'reach', params: { milestone: 'generated' } }],
        },
        generateDestinationsFailed: served,
        changed: { actions: 'serve' },
        close: { actions: 'serve' },
      },
    },
    /** Where does it stand after what was just decided? */
    judging: {
      always: [
        when('dialing', 'active.dialing'),
        when('waitingWindow', 'active.waitingWindow'),
        when('throttled', 'active.throttled'),
        when('draining', 'active.draining'),
        when('paused'),
        when('completed'),
        when('limitReached'),
        when('expired'),
        when('failed'),
        { target: 'loading' },
      ],
    },
    active: {
      initial: 'dialing',
      after: { look: served },
      states: {
        /** Destinations are claimed and grants go out. */
        dialing: {},
        /** All that is left is somewhere where one may not ring now. */
        waitingWindow: {},
        /** `pas`, `max_answered` or `lig_min` 0 hold it back. */
        throttled: {},
        /** Every destination was claimed; calls go on. */
        draining: {},
      },
    },
    paused: { after: { look: served } },
    completed: { after: { retention: 'closed' } },
    limitReached: { after: { retention: 'closed' } },
    expired: { after: { retention: 'closed' } },
    /** Its list could not be read; an operator may have it tried again. */
    failed: { after: { retention: 'closed' } },
    closed: { type: 'final', on: { '*': {} } },
  },
  on: {
    windowsPlanned: served,
    planWindowsFailed: served,
    destinationsFound: served,
    fetchDestinationsFailed: served,
    callsLost: served,
    findLostCallsFailed: served,
    callsLive: served,
    findLiveCallsFailed: served,
    resultsAddressed: served,
    addressResultsFailed: served,
    attemptWanted: served,
    attemptBegun: served,
    attemptDropped: served,
    attemptHeld: served,
    attemptEnded: served,
    attemptUndone: served,
    callAnswered: served,
    callTransferred: served,
    transferUndone: served,
    callEnded: served,
    changed: served,
    windowsChanged: served,
    reload: served,
    close: served,
  },
  options: { maxIterations: 10 },
});
