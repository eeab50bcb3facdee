import { describe, expect, it } from 'vitest';
import { end, life, story } from './calls.ts';
import { dialling, granted, ofCampaign, told, waiting } from './turns.ts';

describe('a campaign that is over', () => {
  it.each(['limitReached', 'expired', 'cancelled'])('ends a call that was never dialled: %s', (reason) => {
    for (const call of [
      waiting(),
      granted(),
      story(ofCampaign(false, { prompts: { opening: [{ text: 'x', voice: 'v' }] } })),
    ]) {
      call.hears('campaignOver', { reason });
      expect([call.isOver, life(call), told(call)]).toMatchObject([
        true,
        { status: 'CANCEL', reason, finished: true },
        [{ type: 'callEnded', call: 77, was: 'idle' }],
      ]);
    }
  });

  it('lets the outcome of a call stand that was tried already', () => {
    const call = dialling({ schedule: { tries: 3 } }).hears('hungUp', end(1, 'busy'));
    call.hears('campaignOver', { reason: 'expired' });
    expect([call.isOver, life(call)]).toMatchObject([true, { status: 'BUSY', attempt: 1 }]);
    expect(told(call)).toEqual([{ type: 'callEnded', call: 77, was: 'idle' }]);
  });

  it('ends a call that waits for its retry, at once', () => {
    const call = dialling({ schedule: { tries: 3 } }).hears('hungUp', end(1, 'busy'));
    expect(call.state).toBe('retrying');
    call.hears('campaignOver', { reason: 'limitReached' });
    expect([call.isOver, life(call), told(call)]).toMatchObject([
      true,
      { status: 'BUSY', reason: 'busy', finished: true },
      [{ type: 'callEnded', call: 77, was: 'idle' }],
    ]);
  });

  it('lets a dial finish, and forbids the next', () => {
    const call = dialling({ schedule: { tries: 3 } }).hears('campaignOver', { reason: 'limitReached' });
    expect(call.state).toBe('dialing.placing');
    call.hears('hungUp', end(1, 'busy'));
    expect([call.isOver, life(call)]).toMatchObject([true, { status: 'BUSY' }]);
  });

  it('lets a conversation finish', () => {
    const call = dialling().hears('answered', { leg: 1 }).hears('campaignOver', { reason: 'expired' });
    expect(call.state).toBe('answered.speaking');
    expect(life(call.hears('played', { leg: 1, playback: 'p1' }).hears('hungUp', end(1)))['status']).toBe(
      'OK',
    );
  });

  it('withdraws what call admission was asked', () => {
    expect(granted().hears('campaignOver', { reason: 'expired' }).effects).toContain('withdrawClearance');
  });
});

it('asks for its grant anew when another process takes the call up: it may have been called back', () => {
  const call = granted().hears('takenOver');
  expect([call.state, told(call)]).toMatchObject([
    'awaitingTurn',
    [{ type: 'attemptWanted', call: 77, ask: 1 }],
  ]);
  call.hears('attemptDeferred', { until: call.at + 60_000, reason: 'paused', detail: 'paused' });
  expect([call.state, call.count('originate')]).toEqual(['deferred', 0]);
});

describe('a cancel while the legs go down', () => {
  it('keeps the outcome of an answered call, and lets no retry follow an unanswered one', () => {
    const ringing = story(ofCampaign(true, { schedule: { tries: 3 }, ringSeconds: 10 }));
    ringing.hears('cleared', { route: 'r' }).hears('ringing', { leg: 1 }).passes(40_000);
    expect(ringing.state).toBe('closing');
    ringing.hears('cancel').hears('hungUp', end(1, 'noAnswer'));
    expect([ringing.isOver, life(ringing)]).toMatchObject([true, { status: 'CANCEL', reason: 'cancelled' }]);
    const talked = dialling().hears('answered', { leg: 1 }).hears('played', { leg: 1, playback: 'p1' });
    expect(talked.state).toBe('closing');
    talked.hears('cancel').hears('hungUp', end(1));
    expect(life(talked)).toMatchObject({ status: 'OK', reason: 'completed' });
  });
});
