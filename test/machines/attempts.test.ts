import { describe, expect, it } from 'vitest';
import { callKind } from '../../machines/index.ts';
import type { Story } from './story.ts';
import { end, picked, prepared, rung, story } from './calls.ts';

const life = (told: Story): Record<string, unknown> => callKind.record!.life(told.context, told.state);
const explained = (told: Story): unknown[] => callKind.explain!(told.context);
const minutes = (count: number): number => count * 60_000;

describe('how an attempt ends', () => {
  it.each([
    ['busy', 'BUSY'],
    ['noAnswer', 'NOANSWER'],
    ['cancelled', 'CANCEL'],
    ['congestion', 'CONGESTION'],
    ['unreachable', 'CHANUNAVAIL'],
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
  it.each(['busy', 'noAnswer', 'congestion', 'unreachable'])(
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
      { rule: 'retry', detail: 'attempt 1 ended BUSY (busy)', at: told.start, until: told.start + 1_000 },
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

it('hands forced routes to the carrier', () => {
  const told = prepared({ fixedRoutes: ['a', 'b'] }).hears('cleared', { route: 'r' });
  expect(told.last('originate')['routes']).toEqual(['a', 'b']);
});

describe('clearance', () => {
  it('asks with everything the desk needs', () => {
    const told = prepared({
      priority: -1,
      customerCampaign: 'c',
      policy: { skipBlocklist: true, numberLimit: 3, waitForWindow: true },
    });
    expect(told.last('requestClearance')).toEqual({
      destination: '5511999990000',
      attempt: 1,
      question: 1,
      priority: -1,
      customerCampaign: 'c',
      skipBlocklist: true,
      audioKey: 'k',
      numberLimit: 3,
      waitForWindow: true,
    });
  });

  it('is not believed when it answers an earlier question, which may have been about another number', () => {
    const numbers = { destination: '5511900000001', alternatives: ['5511900000002'] };
    const told = prepared({ ...numbers, schedule: { tries: 1 } }).passes(300_000);
    expect(told.last('requestClearance')).toMatchObject({ destination: '5511900000001', question: 1 });
    told.hears('cleared', { route: 'r', question: 1 }).hears('hungUp', end(1, 'busy'));
    expect(told.last('requestClearance')).toMatchObject({ destination: '5511900000002', question: 2 });
    const late: [string, Record<string, unknown>][] = [
      ['cleared', { route: 'r', question: 1 }],
      ['refused', { reason: 'blocklist', detail: 'listed', question: 1 }],
      ['postponed', { reason: 'window', detail: 'closed', until: told.at + 1, question: 1 }],
      ['requestClearanceFailed', { params: { question: 1 }, reason: 'exhausted', message: 'away' }],
      ['attemptRevoked', { question: 1 }],
    ];
    for (const [type, facts] of late) expect(told.hears(type, facts).state).toBe('clearing');
    expect(told.hears('refused', { reason: 'blocklist', detail: 'listed', question: 2 }).isOver).toBe(true);
  });

  it.each(['blocklist', 'numlim', 'audiolim', 'account'])(
    'refused by %s ends CANCEL with that reason',
    (reason) => {
      const told = prepared({ schedule: { tries: 3 } }).hears('refused', { reason, detail: 'said so' });
      expect([told.isOver, told.count('originate'), life(told)]).toMatchObject([
        true,
        0,
        { status: 'CANCEL', reason, dialed_at: null, called_at: told.start, attempt: 0 },
      ]);
      expect(explained(told)).toEqual([{ rule: reason, detail: 'said so', at: told.start }]);
    },
  );

  it('postponed waits until then and asks again', () => {
    const told = prepared();
    told.hears('postponed', { reason: 'holiday', detail: 'a holiday', until: told.start + minutes(50) });
    expect([told.state, explained(told)]).toMatchObject([
      'postponed',
      [{ rule: 'holiday', detail: 'a holiday', until: told.start + minutes(50) }],
    ]);
    expect(told.waits().state).toBe('clearing');
  });

  it('asks again when the answer never comes, and when another process took over', () => {
    const told = prepared().passes(300_000);
    expect([told.state, told.effects]).toEqual(['clearing', ['requestClearance']]);
    expect(told.hears('takenUp').effects).toEqual(['requestClearance']);
  });

  it('waits a moment when the desk fails', () => {
    const told = prepared().hears('requestClearanceFailed', {
      params: {},
      reason: 'timeout',
      message: 'slow',
    });
    expect([told.state, told.passes(30_000).state]).toEqual(['postponed', 'clearing']);
  });
});

describe('an operator cancels', () => {
  it.each(['preparing', 'clearing', 'scheduled', 'retrying'])(
    'a call that is %s: it ends CANCEL',
    (state) => {
      const told = {
        preparing: () => story(),
        clearing: () => prepared(),
        scheduled: () => prepared({ schedule: { notBefore: 1_700_000_009_000 } }),
        retrying: () => rung({ schedule: { tries: 2 } }).hears('hungUp', end(1, 'busy')),
      }[state]!();
      expect(told.state).toBe(state);
      told.hears('cancel');
      expect([told.isOver, life(told)]).toMatchObject([true, { status: 'CANCEL', reason: 'cancelled' }]);
    },
  );

  it('a ringing call: it is hung up and ends CANCEL, without a retry', () => {
    const told = rung({ schedule: { tries: 3 } }).hears('cancel');
    expect([told.state, told.effects]).toEqual(['closing', ['hangUp']]);
    told.hears('hungUp', end(1, 'cancelled', { by: 'us' }));
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'CANCEL', reason: 'cancelled' }]);
  });

  it('a talking call: it is hung up and stays OK', () => {
    const told = picked().hears('cancel').hears('hungUp', end(1));
    expect(life(told)).toMatchObject({ status: 'OK', reason: 'cancelled' });
  });
});

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
    const told = rung().hears('takenUp');
    expect([told.state, told.asked]).toEqual(['checking', [{ name: 'adopt', params: { legs: [1] } }]]);
    expect(told.hears('legFound', { leg: 1, state: 'up' }).state).toBe('answered.speaking');
  });

  it('waits for digits anew, so that those of the gap are heard', () => {
    const told = picked({ mode: 'menu', keys: { 1: { do: 'hangUp' } } }).hears('played', {
      leg: 1,
      playback: 'p1',
    });
    told.passes(5_000).hears('takenUp');
    expect([told.effects, told.passes(6_000).state]).toEqual([['adopt'], 'answered.listening']);
    expect(told.hears('digitReceived', { leg: 1, digit: '1' }).state).toBe('closing');
  });

  it('goes on ringing when the adopted leg still rings', () => {
    const told = rung().passes(3_000).hears('takenUp').hears('legFound', { leg: 1, state: 'ringing' });
    expect([told.state, told.armed]).toEqual(['dialing.placing', ['ringGuard']]);
  });

  it('adopts an answered leg where it stands, and does not play again', () => {
    const told = picked().hears('takenUp');
    expect([told.state, told.asked]).toEqual([
      'answered.speaking',
      [{ name: 'adopt', params: { legs: [1] } }],
    ]);
    expect(told.hears('legFound', { leg: 1, state: 'up' }).asked).toEqual([]);
  });

  it('ends OK when the adopted leg was gone', () => {
    const told = picked()
      .hears('takenUp')
      .hears('hungUp', end(1, 'normal', { lost: true }));
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'OK', reason: 'lost' }]);
  });

  it('is taken up only where something hangs on a process', () => {
    const told = rung({ schedule: { tries: 2 } });
    expect(told.snapshot.hasTag('adoptable')).toBe(true);
    expect(told.hears('hungUp', end(1, 'busy')).snapshot.hasTag('adoptable')).toBe(false);
  });
});

describe('the SMS that follows', () => {
  const sms = (when: 'ok' | 'nae' | 'oknae' | 'dtmf1', digit = '1') => ({ sms: { when, text: 'hi', digit } });
  const sends = (told: Story): boolean => told.state === 'texting';

  it.each([
    ['ok', true, false],
    ['nae', false, true],
    ['oknae', true, true],
  ] as const)('%s: after an answer %s, after a busy call %s', (when, answered, missed) => {
    expect(sends(picked(sms(when)).hears('hungUp', end(1)))).toBe(answered);
    expect(sends(rung(sms(when)).hears('hungUp', end(1, 'busy')))).toBe(missed);
  });

  it('waits for the last attempt before it says that nobody answered', () => {
    const told = rung({ ...sms('nae'), schedule: { tries: 2 } }).hears('hungUp', end(1, 'busy'));
    expect(told.state).toBe('retrying');
    expect(sends(told.waits().hears('cleared', { route: 'r' }).hears('hungUp', end(2, 'busy')))).toBe(true);
  });

  it('is never sent to a blocked number', () => {
    expect(prepared(sms('oknae')).hears('refused', { reason: 'blocklist', detail: '' }).isOver).toBe(true);
  });

  it('dtmf1: only when its digit was pressed', () => {
    const pressed = picked(sms('dtmf1'))
      .hears('digitReceived', { leg: 1, digit: '1' })
      .hears('hungUp', end(1));
    const other = picked(sms('dtmf1')).hears('digitReceived', { leg: 1, digit: '2' }).hears('hungUp', end(1));
    expect([sends(pressed), sends(other)]).toEqual([true, false]);
  });

  it('goes to the callee, and its id is kept', () => {
    const told = picked(sms('ok')).hears('hungUp', end(1));
    expect(told.asked).toEqual([{ name: 'sendSms', params: { to: '5511999990000', text: 'hi' } }]);
    told.hears('smsAccepted', { providerId: 's-1', slow: false });
    expect([told.isOver, life(told)]).toMatchObject([true, { sms_id: 's-1', finished: true }]);
  });

  it.each(['sendSmsFailed', 'outcomeUnknown'])('is not sent again after %s', (fact) => {
    const told = picked(sms('ok')).hears('hungUp', end(1));
    told.hears(fact, { effect: 'sendSms', params: {}, reason: 'refused', message: 'no' });
    expect([told.isOver, told.count('sendSms'), explained(told)]).toMatchObject([true, 1, [{ rule: 'sms' }]]);
  });
});
