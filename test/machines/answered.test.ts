import { describe, expect, it } from 'vitest';
import { end, life, picked, prepared, rung, story, text } from './calls.ts';

describe('a plain call', () => {
  it('makes its audio, asks for clearance, dials, plays, hangs up, and ends OK', () => {
    const told = story();
    expect([told.state, told.effects, told.armed]).toEqual(['preparing', ['prepareAudio'], ['audioGuard']]);

    told.hears('audioPrepared', { audio: [{ media: 'm1', seconds: 3 }] });
    expect([told.state, told.effects]).toEqual(['clearing', ['requestClearance']]);
    expect(told.asked[0]).toEqual({ name: 'reach', params: { milestone: 'prepared' } });

    told.hears('cleared', { route: 'sandbox' });
    expect([told.state, told.effects, told.armed]).toEqual(['dialing.placing', ['originate'], ['ringGuard']]);
    expect(told.last('originate')).toEqual({
      leg: 1,
      to: { kind: 'number', number: '5511999990000' },
      callerId: '551130000000',
      ringSeconds: 30,
      limitSeconds: 690,
      answerSeconds: 0,
      attempt: 1,
      priority: 0,
      trunk: 'sandbox',
    });

    told.passes(2_000).hears('ringing', { leg: 1 });
    expect(told.state).toBe('dialing.ringing');

    told.passes(1_000).hears('answered', { leg: 1 });
    expect([told.state, told.effects]).toEqual(['answered.speaking', ['play']]);
    expect(told.armed).toEqual(['playGuard', 'timeLimit']);
    expect(told.last('play')).toEqual({ leg: 1, playback: 'p1', prompts: [{ media: 'm1' }] });

    told.passes(3_000).hears('played', { leg: 1, playback: 'p1' });
    expect([told.state, told.effects]).toEqual(['closing', ['hangUp']]);

    told.hears('hungUp', end(1, 'normal', { by: 'us' }));
    expect([told.state, told.isOver]).toEqual(['ended', true]);
    expect(told.asked).toEqual([{ name: 'reach', params: { milestone: 'ended' } }]);
    expect(life(told)).toMatchObject({
      status: 'OK',
      reason: 'completed',
      called_at: told.start,
      answered_at: told.start + 3_000,
      ended_at: told.start + 6_000,
      attempt: 1,
      finished: true,
    });
  });

  it('needs no audio when there is nothing to speak', () => {
    const told = story({ prompts: { opening: [{ media: 'a1' }] } });
    expect([told.state, told.effects]).toEqual(['clearing', ['requestClearance']]);
    expect(told.asked[0]!.params).toEqual({ milestone: 'prepared' });
  });

  it('plays opening and question in one go, and the ending before it hangs up', () => {
    const told = picked({
      prompts: { opening: [{ media: 'a1' }, text('b')], slots: {}, ending: text('bye') },
    });
    expect(told.last('play')['prompts']).toEqual([{ media: 'a1' }, { media: 'm-b' }]);
    told.hears('played', { leg: 1, playback: 'p1' });
    expect([told.state, told.last('play')]).toEqual([
      'answered.ending',
      { leg: 1, playback: 'p2', prompts: [{ media: 'm-bye' }] },
    ]);
    told.hears('played', { leg: 1, playback: 'p2' });
    expect(told.state).toBe('closing');
  });

  it('is OK with reason hungUp when the callee leaves first', () => {
    const told = picked().hears('hungUp', end(1));
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'OK', reason: 'hungUp' }]);
  });

  it('speaks each text once, however often it is used', () => {
    const told = story({
      prompts: { opening: [text('a'), text('b')], slots: { 1: text('a') }, ending: text('b') },
    });
    expect(told.last('prepareAudio')['texts']).toEqual([text('a'), text('b')]);
  });

  it('ends CANCEL when its audio cannot be made', () => {
    const told = story().hears('prepareAudioFailed', {
      params: {},
      reason: 'unspeakable',
      message: 'no such voice',
    });
    expect([told.isOver, life(told)]).toMatchObject([
      true,
      { status: 'CANCEL', reason: 'audio', dialed_at: null },
    ]);
  });

  it('ends at its time limit', () => {
    const told = picked({ limitSeconds: 5, prompts: { opening: [{ media: 'long' }] } }).passes(5_000);
    expect([told.state, told.effects]).toEqual(['closing', ['hangUp']]);
    expect(life(told.hears('hungUp', end(1)))).toMatchObject({ status: 'OK', reason: 'timeLimit' });
  });
});

describe('facts that are late, repeated or about something else', () => {
  it('ignores the end of another playback, and digits of a leg that is not the callee', () => {
    const told = picked({ mode: 'menu', keys: { 1: { do: 'hangUp' } } });
    told.hears('played', { leg: 1, playback: 'p9' }).hears('digitReceived', { leg: 2, digit: '1' });
    expect(told.state).toBe('answered.speaking');
  });

  it('ends a leg that answers after it was given up', () => {
    const told = rung({ schedule: { tries: 2 } }).hears('hungUp', end(1, 'unreachable', { lost: true }));
    expect(told.state).toBe('retrying');
    told.hears('answered', { leg: 1 });
    expect([told.state, told.asked]).toEqual([
      'retrying',
      [{ name: 'hangUp', params: { leg: 1, reason: 'normal' } }],
    ]);
  });

  it('goes on when the end of a prompt is never heard', () => {
    const told = picked().passes(17_000);
    expect(told.state).toBe('closing');
  });

  it('ends when nothing is heard of a hang-up', () => {
    const told = picked().passes(17_000).passes(15_000);
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'OK', reason: 'lost' }]);
  });

  it('dials only once for two clearances', () => {
    const told = prepared().hears('cleared', { route: 'a' }).hears('cleared', { route: 'b' });
    expect([told.count('originate'), life(told)['route']]).toEqual([1, 'a']);
  });
});
