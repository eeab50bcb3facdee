import { describe, expect, it } from 'vitest';
import { end, explained, life, picked, prepared, rung } from './calls.ts';

const minutes = (count: number): number => count * 60_000;

describe('a callee who wants no calls', () => {
  const again = { tries: 3, intervalMs: 1_000 };

  it.each(['unwanted', 'rejected'])('%s is not called again, and rests for the campaign', (outcome) => {
    const told = rung({ schedule: again, customerCampaign: 'autumn' }).hears('hungUp', end(1, outcome));
    expect([told.isOver, told.last('restNumber')]).toEqual([
      true,
      { number: '5511999990000', scope: 'cpid autumn', reason: outcome },
    ]);
    expect(prepared({ customerCampaign: 'autumn' }).last('requestClearance')['restScope']).toBe(
      'cpid autumn',
    );
  });

  it('rests for nothing where there is no campaign', () => {
    const told = rung({ schedule: again }).hears('hungUp', end(1, 'unwanted'));
    expect([told.isOver, told.count('restNumber')]).toEqual([true, 0]);
  });

  it('is called again after declining, unless the account says no', () => {
    const declined = (schedule: object) => rung({ schedule }).hears('hungUp', end(1, 'declined'));
    expect(declined(again).state).toBe('retrying');
    expect(declined({ ...again, retryDeclined: false }).isOver).toBe(true);
  });
});

describe('how an attempt ends', () => {
  it.each([
    ['busy', 'BUSY'],
    ['noAnswer', 'NOANSWER'],
    ['cancelled', 'CANCEL'],
    ['congestion', 'CONGESTION'],
    ['unreachable', 'CHANUNAVAIL'],
    ['declined', 'BUSY'],
    ['unwanted', 'BUSY'],
    ['rejected', 'BUSY'],
    ['forbidden', 'CONGESTION'],
  ])('%s is %s', (outcome, status) => {
    const told = rung().hears('hungUp', end(1, outcome, { cause: 17, sipStatus: 486 }));
    expect([told.isOver, life(told)]).toMatchObject([
      true,
      { status, reason: outcome, hangup_cause: 17, sip_status: 486, answered_at: null, finished: true },
    ]);
  });

  it('is CHANUNAVAIL with its reason when the carrier cannot be reached', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('originateFailed', { params: { leg: 1 }, reason: 'unreachable', message: 'carrier away' });
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'CHANUNAVAIL', reason: 'unreachable' }]);
  });

  it('is CONGESTION when the carrier has no circuit', () => {
    const told = prepared().hears('cleared', { route: 'r' });
    told.hears('originateFailed', { params: { leg: 1 }, reason: 'congestion', message: 'no circuit' });
    expect(life(told)['status']).toBe('CONGESTION');
  });

  it('is NOANSWER when the ringing never ends by itself', () => {
    const told = rung().passes(45_000);
    expect([told.state, told.effects]).toEqual(['checking', ['adopt']]);
    told.hears('legFound', { leg: 1, state: 'ringing' });
    expect([told.state, told.effects]).toEqual(['closing', ['hangUp']]);
    expect(life(told.hears('hungUp', end(1, 'cancelled', { by: 'us' })))).toMatchObject({
      status: 'NOANSWER',
    });
  });

  it('keeps every attempt by itself', () => {
    const told = rung({ schedule: { tries: 2 } }).hears(
      'hungUp',
      end(1, 'busy', { cause: 17, sipStatus: 486 }),
    );
    told.waits().hears('cleared', { route: 'two' }).hears('answered', { leg: 2 }).hears('hungUp', end(2));
    const attempts = JSON.parse(String(life(told)['attempts'])) as object[];
    expect(attempts).toMatchObject([
      { attempt: 1, status: 'BUSY', cause: 17, sipStatus: 486, answeredAt: 0 },
      { attempt: 2, route: 'two', status: 'OK', reason: 'hungUp' },
    ]);
  });
});

describe('retries', () => {
  it.each(['busy', 'declined', 'forbidden', 'noAnswer', 'congestion', 'unreachable'])(
    'retries after %s, when the interval is over',
    (outcome) => {
      const told = rung({ schedule: { tries: 2, intervalMs: minutes(5) } }).hears('hungUp', end(1, outcome));
      expect([told.state, told.armed]).toEqual(['retrying', ['resume']]);
      told.passes(minutes(5) - 1);
      expect(told.state).toBe('retrying');
      told.passes(1);
      expect([told.state, told.last('requestClearance')['attempt']]).toEqual(['clearing', 2]);
      told.hears('cleared', { route: 'r' });
      expect(told.last('originate')).toMatchObject({ leg: 2, attempt: 2 });
    },
  );

  it('does not retry an answered or a cancelled call', () => {
    expect(picked({ schedule: { tries: 3 } }).hears('hungUp', end(1)).isOver).toBe(true);
    expect(rung({ schedule: { tries: 3 } }).hears('hungUp', end(1, 'cancelled')).isOver).toBe(true);
  });

  it('ends with the last outcome when all tries are used', () => {
    const told = rung({ schedule: { tries: 2 } }).hears('hungUp', end(1, 'busy'));
    told.waits().hears('cleared', { route: 'r' }).hears('hungUp', end(2, 'noAnswer'));
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'NOANSWER', attempt: 2 }]);
  });

  it('shows the last status while it waits, and none while it dials again', () => {
    const told = rung({ schedule: { tries: 2 } }).hears('hungUp', end(1, 'busy'));
    expect(life(told)).toMatchObject({ status: 'BUSY', finished: false });
    expect(life(told.waits().hears('cleared', { route: 'r' }))).toMatchObject({ status: '', ended_at: null });
  });

  it('says why it waits and until when', () => {
    const told = rung({ schedule: { tries: 2, intervalMs: 1_000 } }).hears('hungUp', end(1, 'busy'));
    expect(explained(told)).toEqual([
      {
        rule: 'retry',
        detail: 'attempt 1 ended BUSY, and another follows',
        at: told.start,
        until: told.start + 1_000,
      },
    ]);
  });

  it('makes no retry that would come after the last moment', () => {
    const until = 1_700_000_000_000 + minutes(10);
    const plan = { tries: 3, intervalMs: minutes(6), until };
    const told = rung({ schedule: plan }).hears('hungUp', end(1, 'busy'));
    expect(told.state).toBe('retrying');
    told.waits().hears('cleared', { route: 'r' }).hears('hungUp', end(2, 'busy'));
    expect([told.isOver, life(told)['attempt']]).toEqual([true, 2]);
  });

  it('gives up a retry that was postponed past the last moment', () => {
    const until = 1_700_000_000_000 + minutes(10);
    const told = rung({ schedule: { tries: 3, intervalMs: minutes(6), until } }).hears(
      'hungUp',
      end(1, 'busy'),
    );
    told
      .waits()
      .hears('postponed', { reason: 'window', detail: 'closed', until: until + 1 })
      .waits();
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'BUSY', attempt: 1 }]);
  });
});

describe('dates', () => {
  const start = 1_700_000_000_000;
  const day = 86_400_000;

  it('waits for its date, and says so', () => {
    const told = prepared({ schedule: { notBefore: start + minutes(90) } });
    expect([told.state, told.armed]).toEqual(['scheduled', ['notBefore']]);
    expect(explained(told)).toMatchObject([{ rule: 'schedule', until: start + minutes(90) }]);
    told.waits();
    expect([told.state, told.at]).toEqual(['preparing', start + minutes(90)]);
  });

  it('does not make its audio again after a short wait', () => {
    expect(prepared({ schedule: { notBefore: start + minutes(5) } }).waits().state).toBe('clearing');
  });

  it('moves on by whole days when nothing was tried before the last moment', () => {
    const schedule = { notBefore: start + minutes(10), until: start + minutes(60), tries: 2 };
    const told = prepared({ schedule }).waits();
    told.hears('postponed', { reason: 'window', detail: 'closed', until: start + minutes(70) }).waits();
    expect([told.state, told.timers.get('xstate.after.notBefore.call.scheduled')?.due]).toEqual([
      'scheduled',
      start + day + minutes(10),
    ]);
    told.waits().hears('audioPrepared', { audio: [{ media: 'm', seconds: 1 }] });
    told.hears('cleared', { route: 'r' });
    expect(told.state).toBe('dialing.placing');
  });

  it('ends after 60 days on which its number might never be called in time', () => {
    const schedule = { notBefore: start + minutes(10), until: start + minutes(60), tries: 2 };
    const told = prepared({ schedule }).waits();
    for (let days = 0; days < 60; days += 1) {
      told.hears('postponed', { reason: 'window', detail: 'closed', until: told.at + minutes(70) }).waits();
      expect([days, told.state]).toEqual([days, 'scheduled']);
      told.waits().hears('audioPrepared', { audio: [{ media: 'm', seconds: 1 }] });
    }
    told.hears('postponed', { reason: 'window', detail: 'closed', until: told.at + minutes(70) }).waits();
    expect([told.isOver, told.context.dial, told.count('originate')]).toMatchObject([
      true,
      { status: 'CANCEL', reason: 'missed' },
      0,
    ]);
  });

  it('is not dialled when it is cleared only after the last moment', () => {
    const told = prepared({ schedule: { notBefore: start, until: start + 1_000, tries: 2 } });
    told.passes(2_000).hears('cleared', { route: 'r' });
    expect([told.state, told.count('originate')]).toEqual(['scheduled', 0]);
  });

  it('is dialled at once when an operator says so', () => {
    expect(prepared({ schedule: { notBefore: start + minutes(30) } }).hears('retryNow').state).toBe(
      'clearing',
    );
    const busy = rung({ schedule: { tries: 2 } }).hears('hungUp', end(1, 'busy'));
    expect(busy.hears('retryNow').state).toBe('clearing');
  });
});

it('asks for forced routes, and dials on the trunk that was granted', () => {
  const told = prepared({ fixedRoutes: ['a', 'b'] });
  expect(told.last('requestClearance')['forcedRoutes']).toEqual(['a', 'b']);
  expect(told.hears('cleared', { route: 'b' }).last('originate')['trunk']).toBe('b');
});
