/** Nobody is called to hear nothing: what says nothing, and files that went while a call waited. */
import { describe, expect, it } from 'vitest';
import { callRecordTable } from '../../machines/call/callTableRow.ts';
import { aCall, callback, end, prepared, story, text, told as toldOf } from './calls.ts';
import type { Story } from './story.ts';

const file = { media: 'audio-7', seconds: 3 };
const HOUR = 3_600_000;

const outcome = (told: Story): unknown[] => {
  const { status, reason } = callRecordTable.onUpdate(told.context, told.state);
  return [told.state, status, reason];
};
const why = (told: Story): string =>
  (told.context['explanations'] as unknown as { detail: string }[]).at(-1)!.detail;

describe('a call with nothing to say', () => {
  it.each([
    ['no prompt at all', { opening: [], slots: {} }],
    ['an empty text', { opening: [text('')], slots: {} }],
    ['blanks and punctuation', { opening: [text(' ... !? '), text('–')], slots: {} }],
    ['an empty opening before answers to keys', { opening: [text(',')], slots: { 1: file } }],
  ])('rings nobody: %s', (_, prompts) => {
    const told = story({ prompts, callback: callback('queued') });
    expect(outcome(told)).toEqual(['ended', 'CANCEL', 'audio']);
    expect([told.isOver, told.count('requestClearance'), told.count('prepareAudio')]).toEqual([true, 0, 0]);
    expect(why(told)).toBe('nothing would be heard: no text says anything, and there is no other audio');
    expect(toldOf(told)).toEqual(['queued', 'failed']);
  });

  it('tells its campaign that it is over', () => {
    const campaign = { id: 50, row: 1, region: 'SP', granted: false };
    const told = story({ prompts: { opening: [text('')], slots: {} }, ...{ campaign } });
    expect(outcome(told)).toEqual(['ended', 'CANCEL', 'audio']);
    expect(told.last('tell')).toEqual({ machine: 50, event: { type: 'callEnded', call: 77, was: 'idle' } });
  });

  it.each([
    ['a digit', { opening: [text('1')], slots: {} }],
    ['a sign that is read out', { opening: [text('%')], slots: {} }],
    ['an empty text beside another', { opening: [text('.'), text('hello')], slots: {} }],
    ['a question', { opening: [], slots: {}, ask: file }],
    ['answers to keys', { opening: [], slots: { 1: file } }],
    ['a farewell', { opening: [], slots: {}, ending: file }],
  ])('is none: %s', (_, prompts) => {
    expect(prepared({ prompts }).state).toBe('clearing');
  });

  it('is none when an agent speaks', () => {
    const told = story({
      mode: 'agent',
      transfer: { kind: 'agent', agent: 5 },
      prompts: { opening: [], slots: {} },
    });
    expect(told.state).toBe('clearing');
  });
});

describe('a file that a call plays', () => {
  const prompts = { opening: [file], slots: {}, ending: file };
  const gone = (told: Story): Story =>
    told.hears('prepareAudioFailed', {
      params: told.last('prepareAudio'),
      reason: 'audioGone',
      message: 'tf7, which is to be played, is not there any more',
    });

  it('is not looked for when the call is dialled at once', () => {
    const told = story({ prompts });
    expect([told.state, told.count('prepareAudio')]).toEqual(['clearing', 0]);
  });

  it('is looked for when the call has waited for its date, and the call ends when it is gone', () => {
    const told = story({
      prompts,
      schedule: { tries: 3, intervalMs: 60_000, notBefore: aCall().requestedAt + HOUR },
    });
    expect([told.state, told.count('prepareAudio')]).toEqual(['scheduled', 0]);
    told.waits();
    expect([told.state, told.last('prepareAudio')]).toEqual(['preparing', { texts: [], files: ['audio-7'] }]);
    gone(told);
    expect(outcome(told)).toEqual(['ended', 'CANCEL', 'audio']);
    expect([why(told), told.count('requestClearance')]).toEqual([
      'tf7, which is to be played, is not there any more',
      0,
    ]);
  });

  it('is looked for after every wait, once', () => {
    const told = story({ prompts, schedule: { tries: 2, intervalMs: 60_000 } });
    told.hears('postponed', { reason: 'window', detail: 'night', until: told.at + HOUR }).waits();
    expect(told.state).toBe('preparing');
    told.passes(40).hears('audioPrepared', { audio: [] });
    expect(told.state).toBe('clearing');
    told.hears('cleared', { route: 'sandbox' }).hears('hungUp', end(1, 'busy'));
    expect(told.state).toBe('retrying');
    told.waits();
    expect([told.state, told.count('prepareAudio')]).toEqual(['preparing', 2]);
    expect(outcome(gone(told))).toEqual(['ended', 'CANCEL', 'audio']);
  });

  it('is kept by its campaign as long as that is active', () => {
    const campaign = { id: 50, row: 1, region: 'SP', granted: true };
    const told = story({ prompts, ...{ campaign } });
    told.hears('postponed', { reason: 'window', detail: 'night', until: told.at + HOUR }).waits();
    expect(told.count('prepareAudio')).toBe(0);
  });
});

describe('a call whose caller waits for its audio', () => {
  const claims = ['duplicate:x', 'ctid:y'];
  const prompts = { opening: [file], slots: {} };
  const waited = (changes: object = {}): Story =>
    story({ refusal: { claims, until: aCall().requestedAt + 25_000 }, ...changes });
  const fails = (told: Story): Story =>
    told.hears('prepareAudioFailed', { params: told.last('prepareAudio'), reason: 'tooLong', message: 'no' });
  const released = (told: Story): unknown[] =>
    told.all.filter(({ name }) => name === 'release').map(({ params }) => params['key']);

  it('gives back what it claimed when none can be made, before it ends', () => {
    const told = fails(waited().passes(24_000));
    expect(outcome(told)).toEqual(['ended', 'CANCEL', 'audio']);
    expect(released(told)).toEqual(claims);
    expect(told.all.filter(({ name }) => name === 'reach').map(({ params }) => params['milestone'])).toEqual([
      'refused',
      'ended',
    ]);
  });

  it('keeps it when that comes so late that it was accepted', () => {
    const told = fails(waited().passes(26_000));
    expect([told.state, released(told)]).toEqual(['ended', []]);
  });

  it('keeps it when the audio was there once, and when files alone are gone after a wait', () => {
    const soon = { tries: 1, intervalMs: 0, notBefore: aCall().requestedAt + 2_000 };
    const spoken = waited({ prompts: { opening: [text('hello'), file], slots: {} }, schedule: soon });
    spoken.passes(40).hears('audioPrepared', { audio: [{ media: 'tts-1', seconds: 1 }] });
    expect(released(fails(spoken.waits()))).toEqual([]);
    expect(released(fails(waited({ prompts, schedule: soon }).waits()))).toEqual([]);
  });
});
