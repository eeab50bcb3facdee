/** The second leg: found out, called or waited for, talked to (spec 4.2 "Second leg"; decisions "fifo", "FI leg"). */
import { secondLegInContext, type CallContext, type CallActionArgs } from './context.ts';
import type { SecondLegTarget } from './input.ts';
import {
  adoptLegsAction,
  noteEndReasonAction,
  tellCallbackEventAction,
  hangUpEventLegAction,
  requestEventLegLookupAction,
  originateSecondLegAction,
  startRecordingActions,
} from './sharedActions.ts';
import { transferUsesQueue } from './startAttemptsAndLegs.ts';
import type { LegTargetEffects } from '../contracts/targetResolutionAndQueue.ts';
import { callMachineSetup } from './setup.ts';

const chosenTarget = (context: CallContext): SecondLegTarget => {
  const { target } = secondLegInContext(context);
  if (!target) throw new Error('no target for the second leg here');
  return target;
};

const whereTo = (context: CallContext): LegTargetEffects['resolveTarget'] => {
  const { question } = secondLegInContext(context);
  const { route } = context.dial;
  return {
    target: chosenTarget(context),
    ...(question !== undefined && { question }),
    ...(route !== '' && { trunk: route }),
  };
};

const bridgedLegs = (context: CallContext): [number, number] => [
  context.dial.leg,
  secondLegInContext(context).partner,
];

const talk = [
  'tellTaken',
  'tellTransferred',
  'hangUpSpares',
  'noteBridged',
  {
    type: 'bridge',
    params: ({ context }: CallActionArgs) => ({ legs: bridgedLegs(context) }),
  },
  ...startRecordingActions('pa'),
  tellCallbackEventAction('transfer'),
] as const;

/** The second leg answered: what comes first, digits or the talk? */
const taken = (guard: 'isSecond' | 'isSecondUp') =>
  ({ guard, target: '#call.answered.talking', actions: talk }) as const;

const askedIfUnknown = { guard: 'isUnknownSecond', actions: requestEventLegLookupAction } as const;

/** Where an earlier wish led. */
const formerTarget = { guard: 'isFormerTarget' } as const;

/** No leg is opened. Only a campaign's `content7` is said to that (decisions "RT leg with a missing agent"). */
const refusedTarget = [
  { guard: 'saysNobodyFree', target: '#call.answered.unanswered', actions: 'noteTargetRefused' },
  { target: '#call.answered.farewell', actions: 'noteTargetRefused' },
] as const;

/** Where does it go? The callee hears music meanwhile. */
const resolving = callMachineSetup.createStateConfig({
  entry: { type: 'resolveTarget', params: ({ context }) => whereTo(context) },
  on: {
    targetResolved: [
      formerTarget,
      { guard: 'isEndpoint', target: 'calling', actions: ['noteSecond', originateSecondLegAction] },
      { target: 'inLine', actions: 'noteLine' },
    ],
    targetRefused: [formerTarget, ...refusedTarget],
    resolveTargetFailed: [formerTarget, ...refusedTarget],
  },
  after: { targetGuard: [...refusedTarget] },
});

/** The second leg rings; with `fifo` a busy one is tried again. */
const calling = callMachineSetup.createStateConfig({
  on: {
    answered: taken('isSecond'),
    legFound: taken('isSecondUp'),
    hungUp: [
      { guard: 'canRedial', target: 'pausing', actions: 'noteSecondGone' },
      {
        guard: 'isLastSecond',
        target: '#call.answered.unanswered',
        actions: ['noteSecondGone', noteEndReasonAction('nobody')],
      },
    ],
    originateFailed: [
      { guard: 'canRedial', target: 'pausing', actions: 'noteSecondGone' },
      {
        guard: 'isLastSecond',
        target: '#call.answered.unanswered',
        actions: ['noteSecondGone', noteEndReasonAction('nobody')],
      },
    ],
    outcomeUnknown: askedIfUnknown,
  },
});

const pausing = callMachineSetup.createStateConfig({
  after: { redial: { target: 'calling', actions: ['noteSecond', originateSecondLegAction] } },
});

/** Waits for a member of the line; every offer is tried, and answered. */
const inLine = callMachineSetup.createStateConfig({
  entry: {
    type: 'tell',
    params: ({ context }) => ({
      machine: secondLegInContext(context).line,
      event: {
        type: 'callerJoined',
        call: context.id,
        waits: transferUsesQueue(context.call, secondLegInContext(context).target),
      },
    }),
  },
  on: {
    memberOffered: { guard: 'isThisLine', actions: ['noteSecond', originateSecondLegAction] },
    noneFree: {
      guard: 'isThisLine',
      target: '#call.answered.unanswered',
      actions: ['hangUpSeconds', 'noteLineLeft', noteEndReasonAction('nobody')],
    },
    answered: taken('isSecond'),
    legFound: taken('isSecondUp'),
    hungUp: { guard: 'isSecond', actions: ['tellMissed', 'noteSecondGone'] },
    originateFailed: { guard: 'isSecond', actions: ['tellMissed', 'noteSecondGone'] },
    outcomeUnknown: askedIfUnknown,
  },
});

/** From the wish for a second leg until one answers, or the wait is over. */
export const awaitingSecondLegAnswerState = callMachineSetup.createStateConfig({
  initial: 'resolving',
  entry: [
    'noteLineOpened',
    { type: 'hold', params: ({ context }) => ({ leg: context.dial.leg, music: context.call.music }) },
  ],
  states: { resolving, calling, pausing, inLine },
  after: {
    line: {
      target: '#call.answered.unanswered',
      actions: ['hangUpSeconds', 'tellLeft', 'noteLineLeft', noteEndReasonAction('nobody')],
    },
  },
});

/** Callee and second leg hear each other. */
export const talkingToSecondLegState = callMachineSetup.createStateConfig({
  initial: 'opened',
  states: {
    opened: { always: [{ guard: 'sendsDigits', target: 'dialingOn' }, { target: 'steady' }] },
    /** `senddtmf`, for the far end's own menu. */
    dialingOn: {
      after: {
        sendDigits: {
          target: 'steady',
          actions: {
            type: 'sendDigits',
            params: ({ context }) => ({
              leg: secondLegInContext(context).partner,
              digits: context.call.sendDigits?.digits ?? '',
            }),
          },
        },
      },
    },
    steady: { after: { talkGuard: { target: 'steady', reenter: true, actions: adoptLegsAction } } },
  },
  on: {
    hungUp: [
      {
        guard: 'isPartner',
        target: '#call.answered.farewell',
        actions: [
          'tellFreed',
          {
            type: 'unbridge',
            params: ({ context }) => ({ legs: bridgedLegs(context) }),
          },
          'noteSecondGone',
          'noteLineLeft',
        ],
      },
    ],
    bridgeFailed: {
      guard: 'isThisBridge',
      target: '#call.answered.unanswered',
      actions: ['tellFreed', 'tellTransferUndone', 'hangUpSeconds', 'noteUnbridged', 'noteLineLeft'],
    },
    digitsRequested: {
      guard: 'isPartner',
      actions: {
        type: 'sendDigits',
        params: ({ context, event }) => ({ leg: context.dial.leg, digits: event.digits }),
      },
    },
    transferRequested: {
      guard: 'isPartner',
      target: 'transferring',
      actions: ['tellFreed', 'hangUpSeconds', 'noteSecondsDropped', 'noteTarget'],
    },
  },
});

/** Second legs that are not needed any more: they end, and are forgotten once they are gone. */
export const spareLegTransitions = {
  answered: { guard: 'isSpare', actions: hangUpEventLegAction },
  legFound: { guard: 'isSpare', actions: hangUpEventLegAction },
  hungUp: { guard: 'isSecond', actions: 'noteSecondGone' },
  originateFailed: { guard: 'isSecond', actions: 'noteSecondGone' },
} as const;

/** An offer that comes when no second leg is needed goes back to its line. */
export const returnUnneededMemberTransitions = { memberOffered: { actions: 'tellMissed' } } as const;
