/** The second leg: found out, called or waited for, talked to (spec 4.2 "Second leg"; decisions "fifo", "FI leg"). */
import { secondOf, type CallContext, type Scope } from './context.ts';
import type { LegTarget } from './input.ts';
import {
  adoptLegs,
  because,
  event,
  hangUpThis,
  lookUpThis,
  originateSecond,
  record,
} from './sharedActions.ts';
import { waitsInLine } from './legRequests.ts';
import type { TargetEffects } from '../contracts/target.ts';
import { machineSetup } from './setup.ts';

const chosenTarget = (context: CallContext): LegTarget => {
  const { target } = secondOf(context);
  if (!target) throw new Error('no target for the second leg here');
  return target;
};

const whereTo = (context: CallContext): TargetEffects['resolveTarget'] => {
  const { question } = secondOf(context);
  const { route } = context.dial;
  return {
    target: chosenTarget(context),
    ...(question !== undefined && { question }),
    ...(route !== '' && { trunk: route }),
  };
};

const bridgedLegs = (context: CallContext): [number, number] => [context.dial.leg, secondOf(context).partner];

const talk = [
  'tellTaken',
  'tellTransferred',
  'hangUpSpares',
  'noteBridged',
  {
    type: 'bridge',
    params: ({ context }: Scope) => ({ legs: bridgedLegs(context) }),
  },
  ...record('pa'),
  event('transfer'),
] as const;

/** The second leg answered: what comes first, digits or the talk? */
const taken = (guard: 'isSecond' | 'isSecondUp') =>
  ({ guard, target: '#call.answered.talking', actions: talk }) as const;

const askedIfUnknown = { guard: 'isUnknownSecond', actions: lookUpThis } as const;

/** Where an earlier wish led. */
const formerTarget = { guard: 'isFormerTarget' } as const;

/** No leg is opened. Only a campaign's `content7` is said to that (decisions "RT leg with a missing agent"). */
const refusedTarget = [
  { guard: 'saysNobodyFree', target: '#call.answered.unanswered', actions: 'noteTargetRefused' },
  { target: '#call.answered.farewell', actions: 'noteTargetRefused' },
] as const;

/** Where does it go? The callee hears music meanwhile. */
const resolving = machineSetup.createStateConfig({
  entry: { type: 'resolveTarget', params: ({ context }) => whereTo(context) },
  on: {
    targetResolved: [
      formerTarget,
      { guard: 'isEndpoint', target: 'calling', actions: ['noteSecond', originateSecond] },
      { target: 'inLine', actions: 'noteLine' },
    ],
    targetRefused: [formerTarget, ...refusedTarget],
    resolveTargetFailed: [formerTarget, ...refusedTarget],
  },
  after: { targetGuard: [...refusedTarget] },
});

/** The second leg rings; with `fifo` a busy one is tried again. */
const calling = machineSetup.createStateConfig({
  on: {
    answered: taken('isSecond'),
    legFound: taken('isSecondUp'),
    hungUp: [
      { guard: 'canRedial', target: 'pausing', actions: 'noteSecondGone' },
      {
        guard: 'isLastSecond',
        target: '#call.answered.unanswered',
        actions: ['noteSecondGone', because('nobody')],
      },
    ],
    originateFailed: [
      { guard: 'canRedial', target: 'pausing', actions: 'noteSecondGone' },
      {
        guard: 'isLastSecond',
        target: '#call.answered.unanswered',
        actions: ['noteSecondGone', because('nobody')],
      },
    ],
    outcomeUnknown: askedIfUnknown,
  },
});

const pausing = machineSetup.createStateConfig({
  after: { redial: { target: 'calling', actions: ['noteSecond', originateSecond] } },
});

/** Waits for a member of the line; every offer is tried, and answered. */
const inLine = machineSetup.createStateConfig({
  entry: {
    type: 'tell',
    params: ({ context }) => ({
      machine: secondOf(context).line,
      event: {
        type: 'callerJoined',
        call: context.id,
        waits: waitsInLine(context.call, secondOf(context).target),
      },
    }),
  },
  on: {
    memberOffered: { guard: 'isThisLine', actions: ['noteSecond', originateSecond] },
    noneFree: {
      guard: 'isThisLine',
      target: '#call.answered.unanswered',
      actions: ['hangUpSeconds', 'noteLineLeft', because('nobody')],
    },
    answered: taken('isSecond'),
    legFound: taken('isSecondUp'),
    hungUp: { guard: 'isSecond', actions: ['tellMissed', 'noteSecondGone'] },
    originateFailed: { guard: 'isSecond', actions: ['tellMissed', 'noteSecondGone'] },
    outcomeUnknown: askedIfUnknown,
  },
});

/** From the wish for a second leg until one answers, or the wait is over. */
export const transferring = machineSetup.createStateConfig({
  initial: 'resolving',
  entry: [
    'noteLineOpened',
    { type: 'hold', params: ({ context }) => ({ leg: context.dial.leg, music: context.call.music }) },
  ],
  states: { resolving, calling, pausing, inLine },
  after: {
    line: {
      target: '#call.answered.unanswered',
      actions: ['hangUpSeconds', 'tellLeft', 'noteLineLeft', because('nobody')],
    },
  },
});

/** Callee and second leg hear each other. */
export const talking = machineSetup.createStateConfig({
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
              leg: secondOf(context).partner,
              digits: context.call.sendDigits?.digits ?? '',
            }),
          },
        },
      },
    },
    steady: { after: { talkGuard: { target: 'steady', reenter: true, actions: adoptLegs } } },
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
export const endSpares = {
  answered: { guard: 'isSpare', actions: hangUpThis },
  legFound: { guard: 'isSpare', actions: hangUpThis },
  hungUp: { guard: 'isSecond', actions: 'noteSecondGone' },
  originateFailed: { guard: 'isSecond', actions: 'noteSecondGone' },
} as const;

/** An offer that comes when no second leg is needed goes back to its line. */
export const returnOffers = { memberOffered: { actions: 'tellMissed' } } as const;
