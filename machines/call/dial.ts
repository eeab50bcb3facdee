/** The callee's leg from originate to answer. */
import { anotherTrunkClearanceParams } from './tryAnotherTrunk.ts';
import {
  adoptLegsAction,
  hangUpEventLegAction,
  requestEventLegLookupAction,
  noteCampaignOverTransition,
  originateCalleeAction,
  noteCampaignTurnStageAction,
  withdrawClearanceAction,
} from './sharedActions.ts';
import { callMachineSetup } from './setup.ts';

/** An operator says how a leg ended that the carrier cannot find. Should it live after all, it is ended. */
const overByWord = { target: 'closing', actions: ['closeLegs', 'noteEnded'] } as const;

/** The request for the leg was lost before the carrier heard of it: the same attempt asks once more, for another leg. */
const dialledAnew = {
  guard: 'wasNeverDialled',
  target: 'dialing',
  reenter: true,
  actions: ['noteDialledAnew', originateCalleeAction],
} as const;

/** The database was away meanwhile, or the carrier: whether it may dial, and when, is asked anew. */
const dialledTooLate = [
  // Trunks have refused the attempt: it was made, and ended as its last leg did.
  { guard: 'isTriedTooLate', target: 'closing', actions: 'noteTriedOut' },
  {
    guard: 'isDialledTooLate',
    target: 'due',
    actions: ['leaveNumber', 'tellUndialled', 'noteUndialled', noteCampaignTurnStageAction('idle')],
  },
] as const;

/** The trunk refused the leg before it rang: the same attempt asks for another. */
const refusedByTrunk = {
  guard: 'mayReroute',
  target: 'rerouting',
  actions: ['noteTry', 'noteQuestion'],
} as const;

const rings = ['tellRinging', 'noteRinging'] as const;

/** The leg is asked for, then rings. */
export const dialingCalleeState = callMachineSetup.createStateConfig({
  tags: ['adoptable'],
  initial: 'placing',
  states: {
    placing: { on: { ringing: { guard: 'isCallee', target: 'ringing', actions: [...rings] } } },
    ringing: {},
  },
  on: {
    answered: { guard: 'isCallee', target: 'answered' },
    hungUp: [
      ...dialledTooLate,
      dialledAnew,
      refusedByTrunk,
      { guard: 'isCallee', target: 'closing', actions: 'noteEnded' },
    ],
    originateFailed: [
      ...dialledTooLate,
      refusedByTrunk,
      { guard: 'isDoubtful', target: 'checking', actions: requestEventLegLookupAction },
      { guard: 'isCallee', target: 'closing', actions: 'noteEnded' },
    ],
    outcomeUnknown: { guard: 'isUnknownCallee', target: 'checking', actions: requestEventLegLookupAction },
    takenOver: { target: 'checking', actions: adoptLegsAction },
    cancel: { target: 'closing', actions: 'noteCancelled' },
    campaignOver: noteCampaignOverTransition,
  },
  // The carrier ends ringing by itself; when it does not say so, we ask before we give up.
  after: { ringGuard: { target: 'checking', actions: adoptLegsAction } },
});

const outOfTrunks = { target: 'closing', actions: [withdrawClearanceAction, 'noteTriedOut'] } as const;

/** Asks for another trunk within the same attempt. Where none is had soon, the attempt ended as its last leg did. */
export const requestingOtherTrunkState = callMachineSetup.createStateConfig({
  tags: ['adoptable'],
  entry: { type: 'requestClearance', params: anotherTrunkClearanceParams },
  on: {
    cleared: [
      { guard: 'isLateAnswer' },
      { guard: 'isPastUntil', ...outOfTrunks },
      { target: 'dialing', actions: ['noteRerouted', originateCalleeAction] },
    ],
    refused: [{ guard: 'isLateAnswer' }, outOfTrunks],
    postponed: [{ guard: 'isLateAnswer' }, outOfTrunks],
    requestClearanceFailed: [{ guard: 'isLateAnswer' }, outOfTrunks],
    attemptRevoked: [{ guard: 'isLateAnswer' }, outOfTrunks],
    takenOver: { target: 'rerouting', reenter: true },
    cancel: { target: 'closing', actions: [withdrawClearanceAction, 'noteCancelled', 'noteTriedOut'] },
    campaignOver: { target: 'closing', actions: [withdrawClearanceAction, 'noteOver', 'noteTriedOut'] },
  },
  after: { rerouteGuard: outOfTrunks },
});

/** What became of the leg? Not found proves nothing: the attempt is spent, and the next one waits. */
export const lookingUpLegState = callMachineSetup.createStateConfig({
  tags: ['adoptable'],
  on: {
    answered: { guard: 'isCallee', target: 'answered' },
    ringing: { guard: 'isCallee', actions: [...rings] },
    legFound: [
      { guard: 'isCalleeUp', target: 'answered' },
      { guard: 'isCalleeRinging', target: 'dialing.ringing', actions: [...rings] },
      { guard: 'isCalleeInTime', target: 'dialing' },
      { guard: 'isCallee', target: 'closing', actions: { type: 'noteReason', params: 'noAnswer' } },
    ],
    hungUp: [...dialledTooLate, dialledAnew, { guard: 'isCallee', target: 'closing', actions: 'noteEnded' }],
    originateFailed: [...dialledTooLate, { guard: 'isCallee', target: 'closing', actions: 'noteEnded' }],
    resolveUnknown: overByWord,
    outcomeUnknown: { guard: 'isUnknownCallee', actions: requestEventLegLookupAction },
    takenOver: { actions: adoptLegsAction },
    cancel: { target: 'closing', actions: 'noteCancelled' },
    campaignOver: noteCampaignOverTransition,
  },
  after: { checkGuard: { target: 'closing', actions: { type: 'noteReason', params: 'noAnswer' } } },
});

/** A leg that was given up shows signs of life: it is ended, whatever the call does meanwhile. */
export const strayLegTransitions = {
  ringing: { guard: 'isStray', actions: hangUpEventLegAction },
  answered: { guard: 'isStray', actions: hangUpEventLegAction },
  legFound: { guard: 'isStray', actions: hangUpEventLegAction },
} as const;
