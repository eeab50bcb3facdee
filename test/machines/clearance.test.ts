import { describe, expect, it } from 'vitest';
import { end, explained, life, picked, prepared, rung, story } from './calls.ts';

const minutes = (count: number): number => count * 60_000;

describe('clearance', () => {
  it('asks with everything call admission needs', () => {
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
      restScope: 'cpid c',
      customerCampaign: 'c',
      skipBlocklist: true,
      audioKey: 'k',
      numberLimit: 3,
      waitForWindow: true,
      callerId: '551130000000',
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
    expect(told.hears('takenOver').effects).toEqual(['requestClearance']);
  });

  it('waits a moment when call admission fails', () => {
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

  it('a call that waits for the carrier: its place is another call’s at once', () => {
    const told = prepared().hears('cancel');
    expect([told.isOver, told.effects]).toEqual([true, ['withdrawClearance']]);
  });

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
