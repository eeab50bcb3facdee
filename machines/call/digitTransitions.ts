/** Where digits lead, from every state that listens. */
import { lastDialledNumber } from './numbers.ts';
import { noteEndReasonAction, startRecordingActions, stopCueAction } from './sharedActions.ts';
import type { CallActionArgs } from './context.ts';
import type { DigitMeaning } from './verdict.ts';

export const digitMeansGuard = (verdict: DigitMeaning) => ({ type: 'means', params: verdict }) as const;
const silenceMeans = (verdict: DigitMeaning) => ({ type: 'silenceMeans', params: verdict }) as const;
const miss = (cue: 'noDigit' | 'wrong') => ({ type: 'noteMiss', params: cue }) as const;
const notice = (cue: 'notConfirmed' | 'unconfirmed') => ({ type: 'noteNotice', params: cue }) as const;

/** A digit, or the end of the wait for one; a response that it completes is told. */
export const digitHeardActions = ['noteDigit', 'tellDigits'] as const;
const heardNothing = ['noteSilence', 'tellDigits'] as const;

/** A digit that takes the callee elsewhere. */
export const digitTransitions = [
  {
    guard: digitMeansGuard('transfer'),
    target: '#call.answered.transferring',
    actions: [...digitHeardActions, ...startRecordingActions('conf')],
  },
  {
    guard: digitMeansGuard('play'),
    target: '#call.answered.acting',
    actions: [...digitHeardActions, ...startRecordingActions('conf')],
  },
  {
    guard: digitMeansGuard('replay'),
    target: '#call.answered.speaking',
    actions: [...digitHeardActions],
    reenter: true,
  },
  { guard: digitMeansGuard('done'), target: '#call.answered.farewell', actions: [...digitHeardActions] },
  { guard: digitMeansGuard('hangUp'), target: '#call.answered.farewell', actions: [...digitHeardActions] },
  {
    guard: digitMeansGuard('optOut'),
    target: '#call.answered.farewell',
    actions: [
      ...digitHeardActions,
      noteEndReasonAction('optedOut'),
      {
        type: 'blockNumber',
        params: ({ context }: CallActionArgs) => ({
          number: lastDialledNumber(context),
          reason: 'opted out by key',
        }),
      },
    ],
  },
  {
    guard: digitMeansGuard('wrong'),
    target: '#call.answered.missed',
    actions: [...digitHeardActions, miss('wrong')],
  },
  {
    guard: digitMeansGuard('none'),
    target: '#call.answered.missed',
    actions: [...digitHeardActions, miss('noDigit')],
  },
  {
    guard: digitMeansGuard('answered'),
    target: '#call.answered.survey.replied',
    actions: [...digitHeardActions],
  },
  {
    guard: digitMeansGuard('answeredAgain'),
    target: '#call.answered.survey.passedOn',
    actions: [...digitHeardActions],
  },
  {
    guard: digitMeansGuard('confirmed'),
    target: '#call.answered.survey.confirmed',
    actions: [...digitHeardActions],
  },
  {
    guard: digitMeansGuard('denied'),
    target: '#call.answered.survey.dismissed',
    actions: [...digitHeardActions, notice('notConfirmed'), noteEndReasonAction('notConfirmed')],
  },
  {
    guard: digitMeansGuard('unconfirmed'),
    target: '#call.answered.survey.dismissed',
    actions: [...digitHeardActions, notice('unconfirmed'), noteEndReasonAction('noAnswerByKey')],
  },
  {
    guard: digitMeansGuard('matched'),
    target: '#call.answered.survey.matched',
    actions: [...digitHeardActions],
  },
] as const;

/** The same digits while something plays: it stops. */
export const interruptingDigitTransitions = digitTransitions.map((lead) => ({
  ...lead,
  actions: [stopCueAction, lead.actions].flat(),
}));

/** What a prompt that asks hears meanwhile. */
export const digitDuringPromptTransitions = [
  { guard: digitMeansGuard('kept'), actions: [...digitHeardActions] },
  {
    guard: digitMeansGuard('more'),
    target: '#call.answered.listening',
    actions: [stopCueAction, ...digitHeardActions],
  },
  ...interruptingDigitTransitions,
] as const;

/** What the end of the wait means. */
export const digitTimeoutTransitions = [
  {
    guard: silenceMeans('none'),
    target: '#call.answered.missed',
    actions: [...heardNothing, miss('noDigit')],
  },
  {
    guard: silenceMeans('wrong'),
    target: '#call.answered.missed',
    actions: [...heardNothing, miss('wrong')],
  },
  {
    guard: silenceMeans('transfer'),
    target: '#call.answered.transferring',
    actions: [...heardNothing, ...startRecordingActions('conf')],
  },
  { guard: silenceMeans('answered'), target: '#call.answered.survey.replied', actions: [...heardNothing] },
  {
    guard: silenceMeans('answeredAgain'),
    target: '#call.answered.survey.passedOn',
    actions: [...heardNothing],
  },
  {
    guard: silenceMeans('unconfirmed'),
    target: '#call.answered.survey.dismissed',
    actions: [...heardNothing, notice('unconfirmed'), noteEndReasonAction('noAnswerByKey')],
  },
  { target: '#call.answered.farewell', actions: [...heardNothing] },
] as const;
