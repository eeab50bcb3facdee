import { describe, expect, it } from 'vitest';
import { callMachineKind } from '../../machines/index.ts';
import { end, explained, life, prepared, story } from './calls.ts';
import type { Story } from './story.ts';
import { CAMPAIGN, dialling, granted, told, waiting } from './turns.ts';

const toldEver = ({ all }: Story): string[] =>
  all
    .filter(({ name, params }) => name === 'tell' && params['machine'] === CAMPAIGN)
    .map(({ params }) => (params['event'] as { type: string }).type);

describe('a call of a campaign', () => {
  it('asks its campaign for a turn before it asks to be cleared', () => {
    const call = waiting();
    expect([call.state, told(call)]).toEqual([
      'awaitingTurn',
      [{ type: 'attemptWanted', call: 77, region: '11', ask: 1 }],
    ]);
    expect(explained(call)).toMatchObject([{ rule: 'turn', at: call.start }]);
    call.hears('attemptGranted');
    expect([call.state, call.effects]).toEqual(['clearing', ['requestClearance']]);
  });

  it('goes straight on when the turn came with its birth', () => {
    expect([granted().state, told(granted())]).toEqual(['clearing', []]);
  });

  it('has its texts spoken before it asks', () => {
    const call = prepared({ campaign: { id: CAMPAIGN, row: 5, region: '', granted: false } });
    expect(call.all.map(({ name }) => name)).toEqual(['prepareAudio', 'reach', 'tell']);
  });

  it('asks again when no word comes for ten minutes', () => {
    const call = waiting().passes(600_000);
    expect([call.state, told(call)]).toMatchObject(['awaitingTurn', [{ type: 'attemptWanted' }]]);
  });

  it('tells of its attempt, and claims its number, as it dials', () => {
    const call = dialling({ ringSeconds: 30, limitSeconds: 600 });
    expect(told(call)).toEqual([{ type: 'attemptBegun', call: 77, attempt: 1, ask: 0 }]);
    expect(call.last('claim')).toEqual({ key: 'live:5511999990000', untilMs: call.start + 990_000 });
    expect(call.effects).toEqual(['claim', 'tell', 'originate']);
  });

  it('claims its number for five minutes more than the carrier lets its leg live', () => {
    const call = dialling({ ringSeconds: 30, limitSeconds: 600 });
    const legMs = Number(call.last('originate')['limitSeconds']) * 1_000;
    expect(call.last('claim')['untilMs']).toBe(call.start + legMs + 300_000);
  });

  it('tells when it is answered, and how it was as it ends', () => {
    const call = dialling().hears('answered', { leg: 1 });
    expect(told(call)).toEqual([{ type: 'callAnswered', call: 77 }]);
    call.hears('hungUp', end(1));
    expect([call.isOver, told(call)]).toEqual([true, [{ type: 'callEnded', call: 77, was: 'up' }]]);
    expect(call.last('release')).toEqual({ key: 'live:5511999990000' });
  });

  it('tells that it was answered as it ends, when that comes out only then', () => {
    const call = dialling().hears('hungUp', end(1));
    expect([call.isOver, life(call)['status'], told(call)]).toEqual([
      true,
      'OK',
      [
        { type: 'callAnswered', call: 77 },
        { type: 'callEnded', call: 77, was: 'up' },
      ],
    ]);
  });

  it('takes its transfer back when the two could not be brought together', () => {
    const call = dialling({ mode: 'agent', transfer: { kind: 'number', number: '551133334444' } })
      .hears('answered', { leg: 1 })
      .hears('played', { leg: 1, playback: 'p1' })
      .hears('targetResolved', { how: 'endpoint', endpoint: { kind: 'number', number: '551133334444' } })
      .hears('answered', { leg: 2 })
      .hears('bridgeFailed', { params: { legs: [1, 2] }, reason: 'gone', message: 'gone' });
    expect(toldEver(call).slice(-2)).toEqual(['callTransferred', 'transferUndone']);
    expect(life(call)['transferred_at']).toBe(null);
  });

  it('tells once that it was transferred', () => {
    const call = dialling({ mode: 'agent', transfer: { kind: 'queue', queue: 9 } })
      .hears('answered', { leg: 1 })
      .hears('played', { leg: 1, playback: 'p1' })
      .hears('targetResolved', { how: 'line', line: 9 })
      .hears('memberOffered', { line: 9, member: 'a', endpoint: { kind: 'sip', uri: 'sip:a@b' } })
      .hears('answered', { leg: 2 });
    expect(told(call)).toEqual([{ type: 'callTransferred', call: 77 }]);
    call.hears('transferRequested', { leg: 2, to: { kind: 'number', number: '551133334444' } });
    call.hears('targetResolved', { how: 'endpoint', endpoint: { kind: 'number', number: '551133334444' } });
    call.hears('answered', { leg: 3 });
    expect([call.state, toldEver(call).filter((type) => type === 'callTransferred')]).toEqual([
      'answered.talking.steady',
      ['callTransferred'],
    ]);
  });

  it('gives the turn of a retry back, and asks anew when it is due', () => {
    const call = dialling({ schedule: { tries: 2, intervalMs: 60_000 } }).hears('hungUp', end(1, 'busy'));
    expect([call.state, told(call)]).toEqual(['retrying', [{ type: 'attemptEnded', call: 77 }]]);
    expect(call.effects).toEqual(['release', 'tell']);
    call.waits();
    expect([call.state, told(call)]).toMatchObject(['awaitingTurn', [{ type: 'attemptWanted' }]]);
    call.hears('attemptGranted').hears('cleared', { route: 'r' });
    expect(told(call)).toEqual([{ type: 'attemptBegun', call: 77, attempt: 2, ask: 1 }]);
    call.hears('hungUp', end(2, 'noAnswer'));
    expect([call.isOver, told(call)]).toEqual([true, [{ type: 'callEnded', call: 77, was: 'dialling' }]]);
  });

  it('keeps its number claimed while a lost leg may still ring', () => {
    const call = dialling({ schedule: { tries: 2 } }).hears('hungUp', end(1, 'unreachable', { lost: true }));
    expect([call.state, call.count('release')]).toEqual(['retrying', 0]);
  });

  it('keeps its number claimed while a leg that was given up may still be up', () => {
    const call = dialling().hears('answered', { leg: 1 }).hears('cancel').passes(15_000);
    expect([call.isOver, life(call)['reason'], call.count('release')]).toEqual([true, 'lost', 0]);
  });

  it('keeps its number claimed when an operator says how a leg ended that nobody finds', () => {
    const call = dialling({ schedule: { tries: 2 } })
      .hears('outcomeUnknown', { effect: 'originate', params: { leg: 1 } })
      .hears('resolveUnknown', { outcome: 'noAnswer' });
    expect([call.state, life(call)['status'], call.count('release')]).toEqual(['retrying', 'NOANSWER', 0]);
  });

  it('is known by its campaign and its row', () => {
    const birth = callMachineKind.record!.onInsert(waiting().context, { shard: 'a', account: 1, id: 77 });
    expect(birth).toMatchObject({ campaign_id: CAMPAIGN, campaign_row: 5 });
  });
});

describe('a turn that cannot be used', () => {
  const until = 1_700_000_900_000;

  it('waits as long as its campaign says, and says why', () => {
    const call = waiting().hears('attemptDeferred', { until, reason: 'window', detail: 'closed on Sundays' });
    expect([call.state, explained(call)]).toEqual([
      'deferred',
      [{ rule: 'window', detail: 'closed on Sundays', at: call.start, until }],
    ]);
    call.passes(until - call.start - 1);
    expect(call.state).toBe('deferred');
    call.passes(1);
    expect([call.state, told(call)]).toMatchObject(['awaitingTurn', [{ type: 'attemptWanted' }]]);
  });

  it('goes on when the campaign grants it earlier, and waits longer when it says so', () => {
    const call = waiting().hears('attemptDeferred', { until, reason: 'paused', detail: 'paused' });
    call
      .hears('attemptDeferred', { until: until + 5_000, reason: 'paused', detail: 'paused' })
      .passes(910_000);
    expect(call.at).toBeLessThan(until + 5_000 + 10_000);
    const other = waiting().hears('attemptDeferred', { until, reason: 'paused', detail: 'paused' });
    expect(other.hears('attemptGranted').state).toBe('clearing');
  });

  it('says one reason once, however often it is told', () => {
    const call = waiting();
    for (let round = 0; round < 5; round += 1) {
      call.hears('attemptDeferred', { until: call.at + 1_000, reason: 'paused', detail: 'it is paused' });
      call.passes(1_000);
    }
    expect(explained(call).filter(({ rule }) => rule === 'paused')).toHaveLength(1);
  });

  it('goes back when call admission postpones the dial', () => {
    const call = granted().hears('postponed', { reason: 'window', detail: 'closed', until });
    expect([call.state, told(call)]).toEqual(['postponed', [{ type: 'attemptDropped', call: 77, ask: 0 }]]);
    expect(told(call.waits())).toMatchObject([{ type: 'attemptWanted' }]);
  });

  it('is taken back while call admission is asked, and its late answer dials nothing', () => {
    const call = granted().hears('attemptRevoked');
    expect([call.state, call.effects]).toEqual(['awaitingTurn', ['withdrawClearance', 'tell']]);
    expect(call.hears('cleared', { route: 'r' }).count('originate')).toBe(0);
    expect(call.hears('attemptGranted').hears('cleared', { route: 'r' }).count('originate')).toBe(1);
  });

  it('is taken back while its texts are spoken', () => {
    const call = story({ campaign: { id: CAMPAIGN, row: 5, region: '', granted: true } });
    call.hears('attemptRevoked').hears('audioPrepared', { audio: [{ media: 'm', seconds: 1 }] });
    expect([call.state, told(call)]).toMatchObject(['awaitingTurn', [{ type: 'attemptWanted' }]]);
  });

  it('is not taken back from a call that dials', () => {
    expect(dialling().hears('attemptRevoked').state).toBe('dialing.placing');
  });

  it('goes back when another call is live to the number, and is asked for again after 30 seconds', () => {
    const call = granted().hears('claimRefused', { key: 'live:5511999990000', owner: '78' });
    expect([call.state, call.effects]).toEqual(['postponed', ['withdrawClearance', 'tell']]);
    expect(told(call)).toEqual([{ type: 'attemptDropped', call: 77, ask: 0 }]);
    expect(explained(call)).toMatchObject([{ rule: 'busyNumber', until: call.start + 30_000 }]);
    expect(told(call.passes(30_000))).toMatchObject([{ type: 'attemptWanted' }]);
  });

  it('ends with the call that call admission refuses', () => {
    const call = granted().hears('refused', { reason: 'blocklist', detail: 'listed' });
    expect([call.isOver, told(call)]).toEqual([true, [{ type: 'callEnded', call: 77, was: 'idle' }]]);
  });

  it.each(['attemptGranted', 'attemptRevoked', 'attemptDeferred'])(
    '%s changes nothing after the end',
    (type) => {
      const call = granted().hears('cancel');
      expect(call.hears(type, { until: 1, reason: 'pace', detail: '' }).asked).toEqual([]);
    },
  );
});
