/** Where digits lead, from every state that listens. */
import type { Verdict } from './digits.ts';
import type { Scope } from './events.ts';
import { numberDialled } from './numbers.ts';
import { because, record, stopCue } from './states.ts';

export const means = (verdict: Verdict) => ({ type: 'means', params: verdict }) as const;
export const silenceMeans = (verdict: Verdict) => ({ type: 'silenceMeans', params: verdict }) as const;
export const miss = (cue: 'noDigit' | 'wrong') => ({ type: 'noteMiss', params: cue }) as const;
export const notice = (cue: 'notConfirmed' | 'unconfirmed') => ({ type: 'noteNotice', params: cue }) as const;

/** A digit that takes the callee elsewhere. */
export const digitLeads = [
  {
    guard: means('transfer'),
    target: '#call.answered.transferring',
    actions: ['noteDigit', ...record('conf')],
  },
  { guard: means('play'), target: '#call.answered.acting', actions: ['noteDigit', ...record('conf')] },
  { guard: means('replay'), target: '#call.answered.speaking', actions: 'noteDigit', reenter: true },
  { guard: means('done'), target: '#call.answered.farewell', actions: 'noteDigit' },
  { guard: means('hangUp'), target: '#call.answered.farewell', actions: 'noteDigit' },
  {
    guard: means('optOut'),
    target: '#call.answered.farewell',
    actions: [
      'noteDigit',
      because('optedOut'),
      {
        type: 'blockNumber',
        params: ({ context }: Scope) => ({ number: numberDialled(context), reason: 'opted out by key' }),
      },
    ],
  },
  { guard: means('wrong'), target: '#call.answered.missed', actions: ['noteDigit', miss('wrong')] },
  { guard: means('none'), target: '#call.answered.missed', actions: ['noteDigit', miss('noDigit')] },
  { guard: means('answered'), target: '#call.answered.survey.replied', actions: 'noteDigit' },
  { guard: means('answeredAgain'), target: '#call.answered.survey.passedOn', actions: 'noteDigit' },
  { guard: means('confirmed'), target: '#call.answered.survey.confirmed', actions: 'noteDigit' },
  {
    guard: means('denied'),
    target: '#call.answered.survey.dismissed',
    actions: ['noteDigit', notice('notConfirmed'), because('notConfirmed')],
  },
  {
    guard: means('unconfirmed'),
    target: '#call.answered.survey.dismissed',
    actions: ['noteDigit', notice('unconfirmed'), because('noAnswerByKey')],
  },
  { guard: means('matched'), target: '#call.answered.survey.matched', actions: 'noteDigit' },
] as const;

/** The same digits while something plays: it stops. */
export const digitInterrupts = digitLeads.map((lead) => ({
  ...lead,
  actions: [stopCue, lead.actions].flat(),
}));

/** What a prompt that asks hears meanwhile. */
export const heardMeanwhile = [
  { guard: means('kept'), actions: 'noteDigit' },
  {
    guard: means('more'),
    target: '#call.answered.listening',
    actions: [stopCue, 'noteDigit'],
  },
  ...digitInterrupts,
] as const;

/** What the end of the wait means. */
export const silenceLeads = [
  { guard: silenceMeans('none'), target: '#call.answered.missed', actions: ['noteSilence', miss('noDigit')] },
  { guard: silenceMeans('wrong'), target: '#call.answered.missed', actions: ['noteSilence', miss('wrong')] },
  {
    guard: silenceMeans('transfer'),
    target: '#call.answered.transferring',
    actions: ['noteSilence', ...record('conf')],
  },
  { guard: silenceMeans('answered'), target: '#call.answered.survey.replied', actions: 'noteSilence' },
  { guard: silenceMeans('answeredAgain'), target: '#call.answered.survey.passedOn', actions: 'noteSilence' },
  {
    guard: silenceMeans('unconfirmed'),
    target: '#call.answered.survey.dismissed',
    actions: ['noteSilence', notice('unconfirmed'), because('noAnswerByKey')],
  },
  { target: '#call.answered.farewell', actions: 'noteSilence' },
] as const;
