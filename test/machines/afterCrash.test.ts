import { describe, expect, it } from 'vitest';
import { end, life, picked, prepared, rung } from './calls.ts';

describe('after a crash', () => {
  it('looks a leg up whose originate has an unknown outcome, and goes on when it lives', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } });
    expect([told.state, told.asked]).toEqual(['checking', [{ name: 'lookUp', params: { leg: 1 } }]]);
    expect(told.hears('legFound', { leg: 1, state: 'dialing' }).state).toBe('dialing.placing');
    expect([told.hears('answered', { leg: 1 }).state, told.count('originate')]).toEqual([
      'answered.speaking',
      1,
    ]);
  });

  it('takes "not found" for a spent attempt, and waits long enough that the lost leg cannot ring any more', () => {
    const told = prepared({ schedule: { tries: 2, intervalMs: 1_000 } }).hears('cleared', { route: 'r' });
    told.hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } });
    told.hears('hungUp', end(1, 'unreachable', { lost: true }));
    expect([told.state, life(told)]).toMatchObject([
      'retrying',
      { status: 'CHANUNAVAIL', reason: 'lost', attempt: 1 },
    ]);
    told.passes(49_999);
    expect(told.state).toBe('retrying');
    told.passes(1).hears('cleared', { route: 'r' });
    expect(told.last('originate')).toMatchObject({ leg: 2, attempt: 2 });
  });

  it('dials the same attempt anew when the carrier is certain that it never heard of the leg', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } });
    told
      .passes(2_000)
      .hears('hungUp', end(1, 'unreachable', { lost: true, neverSince: told.start - 60_001 }));
    expect(told.state).toBe('dialing.placing');
    expect(told.asked).toMatchObject([{ name: 'originate', params: { leg: 2, attempt: 1 } }]);
    expect(told.hears('answered', { leg: 2 }).state).toBe('answered.speaking');
    // The lost leg turns up all the same: it is ended.
    expect(told.hears('ringing', { leg: 1 }).asked).toMatchObject([{ name: 'hangUp', params: { leg: 1 } }]);
  });

  it('asks anew whether it may dial when it is certain too late that the carrier never heard of the leg', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.passes(30_001);
    told.hears('hungUp', end(1, 'unreachable', { lost: true, neverSince: told.start - 60_001 }));
    expect([told.state, told.count('originate'), life(told)['attempt']]).toEqual(['clearing', 1, 0]);
    told.hears('cleared', { route: 'r', question: told.last('requestClearance')['question'] });
    expect(told.last('originate')).toMatchObject({ leg: 2, attempt: 1 });
  });

  it('hangs the leg that it dialled last up when it answers after it was given up', () => {
    const told = prepared({ schedule: { tries: 2, intervalMs: 1_000 } }).hears('cleared', { route: 'r' });
    told.hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } });
    told.hears('hungUp', end(1, 'unreachable', { lost: true }));
    expect(told.state).toBe('retrying');
    const stray = { name: 'hangUp', params: { leg: 1, reason: 'normal' } };
    expect(told.hears('answered', { leg: 1 }).asked).toEqual([stray]);
  });

  it('takes no word for it from a carrier that may have forgotten the leg', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } });
    told.hears('hungUp', end(1, 'unreachable', { lost: true, neverSince: told.start - 30_000 }));
    expect(life(told)).toMatchObject({ status: 'CHANUNAVAIL', reason: 'lost' });
  });

  it('never repeats an originate, whatever is lost', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } });
    while (!told.isOver) told.waits();
    expect([told.count('originate'), life(told)]).toMatchObject([
      1,
      { status: 'CHANUNAVAIL', reason: 'lost' },
    ]);
  });

  it('looks a leg up when the carrier says it has one of that name', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('originateFailed', { params: { leg: 1 }, reason: 'duplicate', message: 'exists' });
    expect([told.state, told.effects]).toEqual(['checking', ['lookUp']]);
  });

  it('lets an operator say how a leg ended that nobody finds', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } });
    told.hears('resolveUnknown', { outcome: 'noAnswer' });
    expect([told.isOver, told.count('hangUp'), life(told)]).toMatchObject([true, 1, { status: 'NOANSWER' }]);
  });

  it('adopts a ringing leg, and hears of the answer it missed', () => {
    const told = rung().hears('takenOver');
    expect([told.state, told.asked]).toEqual([
      'checking',
      [{ name: 'adopt', params: { legs: [1], trunk: 'sandbox' } }],
    ]);
    expect(told.hears('legFound', { leg: 1, state: 'up' }).state).toBe('answered.speaking');
  });

  it('waits for digits anew, so that those of the gap are heard', () => {
    const told = picked({ mode: 'menu', keys: { 1: { do: 'hangUp' } } }).hears('played', {
      leg: 1,
      playback: 'p1',
    });
    told.passes(5_000).hears('takenOver');
    expect([told.effects, told.passes(6_000).state]).toEqual([['adopt'], 'answered.listening']);
    expect(told.hears('digitReceived', { leg: 1, digit: '1' }).state).toBe('closing');
  });

  it('goes on ringing when the adopted leg still rings', () => {
    const told = rung().passes(3_000).hears('takenOver').hears('legFound', { leg: 1, state: 'ringing' });
    expect([told.state, told.armed]).toEqual(['dialing.ringing', ['ringGuard']]);
  });

  it('adopts an answered leg where it stands, and does not play again', () => {
    const told = picked().hears('takenOver');
    expect([told.state, told.asked]).toEqual([
      'answered.speaking',
      [{ name: 'adopt', params: { legs: [1], trunk: 'sandbox' } }],
    ]);
    expect(told.hears('legFound', { leg: 1, state: 'up' }).asked).toEqual([]);
  });

  it('ends OK when the adopted leg was gone', () => {
    const told = picked()
      .hears('takenOver')
      .hears('hungUp', end(1, 'normal', { lost: true }));
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'OK', reason: 'lost' }]);
  });

  it('is taken up only where something hangs on a process', () => {
    const told = rung({ schedule: { tries: 2 } });
    expect(told.snapshot.hasTag('adoptable')).toBe(true);
    expect(told.hears('hungUp', end(1, 'busy')).snapshot.hasTag('adoptable')).toBe(false);
  });
});
