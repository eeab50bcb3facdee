/** Where digits lead, from every state that listens. */
import { numberDialled } from './numbers.ts';
import { because, record, stopCue } from './sharedActions.ts';
import type { Scope } from './context.ts';
import type { Verdict } from './verdict.ts';

export const means = (verdict: Verdict) => ({ type: 'means', params: verdict }) as const;
const silenceMeans = (verdict: Verdict) => ({ type: 'silenceMeans', params: verdict }) as const;
const miss = (cue: 'noDigit' | 'wrong') => ({ type: 'noteMiss', params: cue }) as const;
const notice = (cue: 'notConfirmed' | 'unconfirmed') => ({ type: 'noteNotice', params: cue }) as const;

/** A digit, or the end of the wait for one; a response that it completes is told. */
export const heardDigit = ['noteDigit', 'tellDigits'] as const;
const heardNothing = ['noteSilence', 'tellDigits'] as const;

/** A digit that takes the callee elsewhere. */
export const digitLeads = [
  {
    guard: means('transfer'),
    target: '#call.answered.transferring',
    actions: [...heardDigit, ...record('conf')],
  },
  { guard: means('play'), target: '#call.answered.acting', actions: [...heardDigit, ...record('conf')] },
  { guard: means('replay'), target: '#call.answered.speaking', actions: [...heardDigit], reenter: true },
  { guard: means('done'), target: '#call.answered.farewell', actions: [...heardDigit] },
  { guard: means('hangUp'), target: '#call.answered.farewell', actions: [...heardDigit] },
  {
    guard: means('optOut'),
    target: '#call.answered.farewell',
    actions: [
      ...heardDigit,
      because('optedOut'),
      {
        type: 'blockNumber',
        params: ({ context }: Scope) => ({ number: numberDialled(context), reason: 'opted out by key' }),
      },
    ],
  },
  { guard: means('wrong'), target: '#call.answered.missed', actions: [...heardDigit, miss('wrong')] },
  { guard: means('none'), target: '#call.answered.missed', actions: [...heardDigit, miss('noDigit')] },
  { guard: means('answered'), target: '#call.answered.survey.replied', actions: [...heardDigit] },
  { guard: means('answeredAgain'), target: '#call.answered.survey.passedOn', actions: [...heardDigit] },
  { guard: means('confirmed'), target: '#call.answered.survey.confirmed', actions: [...heardDigit] },
  {
    guard: means('denied'),
    target: '#call.answered.survey.dismissed',
    actions: [...heardDigit, notice('notConfirmed'), because('notConfirmed')],
  },
  {
    guard: means('unconfirmed'),
    target: '#call.answered.survey.dismissed',
    actions: [...heardDigit, notice('unconfirmed'), because('noAnswerByKey')],
  },
  { guard: means('matched'), target: '#call.answered.survey.matched', actions: [...heardDigit] },
] as const;

/** The same digits while something plays: it stops. */
export const digitInterrupts = digitLeads.map((lead) => ({
  ...lead,
  actions: [stopCue, lead.actions].flat(),
}));

/** What a prompt that asks hears meanwhile. */
export const heardMeanwhile = [
  { guard: means('kept'), actions: [...heardDigit] },
  {
    guard: means('more'),
    target: '#call.answered.listening',
    actions: [stopCue, ...heardDigit],
  },
  ...digitInterrupts,
] as const;

/** What the end of the wait means. */
export const silenceLeads = [
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
    actions: [...heardNothing, ...record('conf')],
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
    actions: [...heardNothing, notice('unconfirmed'), because('noAnswerByKey')],
  },
  { target: '#call.answered.farewell', actions: [...heardNothing] },
] as const;
