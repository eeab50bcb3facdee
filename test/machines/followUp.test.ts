import { describe, expect, it } from 'vitest';
import type { Story } from './story.ts';
import { end, explained, life, picked, prepared, rung } from './calls.ts';

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

  it.each(['nae', 'oknae'] as const)('%s: not to who called the call unwanted (607, 608)', (when) => {
    for (const reason of ['unwanted', 'rejected'])
      expect(rung(sms(when)).hears('hungUp', end(1, reason)).isOver).toBe(true);
    expect(sends(rung(sms(when)).hears('hungUp', end(1, 'declined')))).toBe(true);
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
