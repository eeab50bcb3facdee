import { describe, expect, it } from 'vitest';
import type { CallInput, SecondLegTarget } from '../../machines/call/input.ts';
import { callMachineKind } from '../../machines/index.ts';
import type { Story } from './story.ts';
import { end, life, picked, text } from './calls.ts';

const number: SecondLegTarget = { kind: 'number', number: '551133334444' };
const queue: SecondLegTarget = { kind: 'queue', queue: 9 };
const sip = { kind: 'sip', uri: 'sip:a@here' } as const;
const prompts: CallInput['prompts'] = { opening: [], slots: {}, wrong: text('nobody'), ending: text('bye') };

/** A call straight to a second leg, at the moment the target is asked for. */
const asking = (to: SecondLegTarget, more: object = {}): Story =>
  picked({ mode: 'agent', transfer: to, prompts, ...more });
const ringing = (more: object = {}): Story =>
  asking(number, more).hears('targetResolved', {
    how: 'endpoint',
    endpoint: { kind: 'number', number: '551133334444' },
  });
const talking = (more: object = {}): Story => ringing(more).hears('answered', { leg: 2 });
const inLine = (more: object = {}): Story =>
  asking(queue, more).hears('targetResolved', { how: 'line', line: 9 });
const offered = (told: Story, member: string): Story =>
  told.hears('memberOffered', { line: 9, member, endpoint: sip });
/** What lines were told in the last step. */
const toldLine = (told: Story): unknown[] =>
  told.asked.filter(({ name }) => name === 'tell').map(({ params }) => params);
const plays = (told: Story): unknown =>
  (told.last('play')['prompts'] as unknown as { media: string }[])[0]?.media;

describe('a second leg', () => {
  it('is found out and rung while the callee hears music', () => {
    const told = asking(number, { music: 'ringing' });
    expect([told.state, told.effects]).toEqual([
      'answered.transferring.resolving',
      ['hold', 'resolveTarget'],
    ]);
    expect([told.last('hold'), told.last('resolveTarget')]).toEqual([
      { leg: 1, music: 'ringing' },
      { target: number, question: 1, trunk: 'sandbox' },
    ]);
    told.hears('targetResolved', { how: 'endpoint', endpoint: { kind: 'number', number: '551133334444' } });
    expect([told.state, told.last('originate')]).toMatchObject([
      'answered.transferring.calling',
      {
        leg: 2,
        to: { kind: 'number', number: '551133334444' },
        callerId: '551130000000',
        onBehalfOf: 1,
        attempt: 1,
      },
    ]);
  });

  it('is bridged when it answers, and seen in the record', () => {
    const told = talking();
    expect([told.state, told.effects, told.last('bridge')]).toEqual([
      'answered.talking.steady',
      ['bridge'],
      { legs: [1, 2] },
    ]);
    expect(life(told)).toMatchObject({ transfer_to: '551133334444', transferred_at: told.at });
  });

  it.each([
    [{ kind: 'chat', number: '55' }, 'WA55'],
    [{ kind: 'agent', agent: 7 }, 'RT7'],
    [{ kind: 'queue', queue: 9 }, 'FI9'],
  ] as const)('%o stands in the record as %s', (target, written) => {
    const told = asking(target)
      .hears('targetResolved', { how: 'endpoint', endpoint: sip })
      .hears('answered', { leg: 2 });
    expect(life(told)['transfer_to']).toBe(written);
  });

  it('that hangs up leaves the callee to the ending', () => {
    const told = talking().hears('hungUp', end(2));
    expect([told.state, told.effects, plays(told)]).toEqual([
      'answered.ending',
      ['unbridge', 'play'],
      'm-bye',
    ]);
  });

  it('is hung up when the callee leaves, and the call waits until it is gone', () => {
    const told = talking().hears('hungUp', end(1));
    expect([told.state, told.last('hangUp')]).toEqual(['closing', { leg: 2, reason: 'normal' }]);
    told.hears('hungUp', end(2));
    expect([told.isOver, life(told)]).toMatchObject([true, { status: 'OK', reason: 'transferred' }]);
  });

  it('that nobody takes lets the callee hear contentfail, then the ending', () => {
    const told = ringing().hears('hungUp', end(2, 'busy'));
    expect([told.state, plays(told)]).toEqual(['answered.apologising', 'm-nobody']);
    told.hears('played', { leg: 1, playback: told.last('play')['playback'] });
    expect([told.state, plays(told)]).toEqual(['answered.ending', 'm-bye']);
  });

  it('that never reports is given up', () => {
    const told = ringing().passes(60_000);
    expect([told.state, told.last('hangUp')['leg']]).toEqual(['answered.apologising', 2]);
    expect(told.hears('answered', { leg: 2 }).asked).toEqual([
      { name: 'hangUp', params: { leg: 2, reason: 'normal' } },
    ]);
  });

  it.each(['targetRefused', 'resolveTargetFailed'])(
    'that is not to be had (%s) goes on to the ending',
    (fact) => {
      const told = asking(number).hears(fact, { reason: 'noTrunk', detail: 'none', params: {}, message: '' });
      expect([told.state, told.count('originate')]).toEqual(['answered.ending', 1]);
      expect(callMachineKind.explain!(told.context)).toHaveLength(1);
    },
  );

  it('does not go where an earlier wish of this call led', () => {
    const told = talking().hears('transferRequested', { leg: 2, to: { kind: 'queue', queue: 9 } });
    expect(told.last('resolveTarget')).toMatchObject({ target: { kind: 'queue', queue: 9 }, question: 2 });
    const endpoint = { kind: 'number', number: '551133334444' };
    told.hears('targetResolved', { how: 'endpoint', endpoint, question: 1 });
    told.hears('targetRefused', { reason: 'noTrunk', detail: 'none', question: 1 });
    told.hears('resolveTargetFailed', { params: { question: 1 }, reason: 'exhausted', message: 'away' });
    expect([told.state, told.count('originate')]).toEqual(['answered.transferring.resolving', 2]);
    told.hears('targetResolved', { how: 'line', line: 9, question: 2 });
    expect(told.state).toBe('answered.transferring.inLine');
  });

  it('with fifo is tried again until fifolim', () => {
    const told = ringing({ waitInLine: true, lineSeconds: 20 }).passes(6_000).hears('hungUp', end(2, 'busy'));
    expect(told.state).toBe('answered.transferring.pausing');
    told.passes(5_000);
    expect([told.state, told.last('originate')['leg']]).toEqual(['answered.transferring.calling', 3]);
    told.passes(5_000).hears('hungUp', end(3, 'busy'));
    expect(told.state).toBe('answered.transferring.pausing');
    told.passes(3_999);
    expect(told.state).toBe('answered.transferring.pausing');
    expect(told.passes(1).state).toBe('answered.apologising');
  });

  it('with fifo is held for a fifolim that is too short for another dial', () => {
    const told = ringing({ waitInLine: true, lineSeconds: 3 }).passes(1_000).hears('hungUp', end(2, 'busy'));
    expect(told.passes(1_999).state).toBe('answered.transferring.pausing');
    expect(told.passes(1).state).toBe('answered.apologising');
  });

  it('with fifo is given up at fifolim while it rings', () => {
    const told = ringing({ waitInLine: true, lineSeconds: 20 }).passes(20_000);
    expect([told.state, told.effects]).toEqual(['answered.apologising', ['hangUp', 'play']]);
  });

  it('gets senddtmf after senddtmftime', () => {
    const told = talking({ sendDigits: { digits: '12#', afterSeconds: 3 } });
    expect(told.state).toBe('answered.talking.dialingOn');
    told.passes(3_000);
    expect([told.state, told.last('sendDigits')]).toEqual([
      'answered.talking.steady',
      { leg: 2, digits: '12#' },
    ]);
  });

  it('is looked up, not dialled again, when its originate has an unknown outcome', () => {
    const told = ringing().hears('outcomeUnknown', { effect: 'originate', params: { leg: 2 } });
    expect(told.asked).toEqual([{ name: 'lookUp', params: { leg: 2 } }]);
    expect(told.hears('legFound', { leg: 2, state: 'up' }).state).toBe('answered.talking.steady');
  });

  it('is adopted together with the callee', () => {
    const told = talking().hears('takenOver');
    expect([told.state, told.asked]).toEqual([
      'answered.talking.steady',
      [{ name: 'adopt', params: { legs: [1, 2], trunk: 'sandbox', seconds: [2] } }],
    ]);
    expect(told.hears('legFound', { leg: 2, state: 'up' }).asked).toEqual([]);
  });

  it('is looked at now and then during a long talk', () => {
    const told = talking({ limitSeconds: 3_600 }).passes(300_000);
    expect([told.state, told.effects]).toEqual(['answered.talking.steady', ['adopt']]);
  });

  it('that cannot be bridged counts as nobody', () => {
    const told = talking().hears('bridgeFailed', { params: { legs: [1, 2] }, reason: 'gone', message: '' });
    expect([told.state, told.effects, life(told)]).toMatchObject([
      'answered.apologising',
      ['hangUp', 'play'],
      { transfer_to: '', transferred_at: null },
    ]);
  });
});

describe('a realtime agent', () => {
  const agent = { kind: 'websocket', url: 'wss://agent' } as const;
  const connected = (): Story =>
    asking({ kind: 'agent', agent: 7 }, { correlation: 'c1', placeholders: { nome: 'Ana' } })
      .hears('targetResolved', { how: 'endpoint', endpoint: agent })
      .hears('answered', { leg: 2 });

  it('is told who is there', () => {
    expect(connected().last('originate')).toMatchObject({
      to: { ...agent, hello: { ctid: 'c1', placeholders: { nome: 'Ana' } } },
      callerId: '5511999990000',
    });
  });

  it('may send digits to the callee', () => {
    const told = connected().hears('digitsRequested', { leg: 2, digits: '5' });
    expect(told.asked).toEqual([{ name: 'sendDigits', params: { leg: 1, digits: '5' } }]);
  });

  it('may hand the callee over', () => {
    const told = connected().hears('transferRequested', { leg: 2, to: number });
    expect([told.state, told.effects]).toEqual([
      'answered.transferring.resolving',
      ['hangUp', 'hold', 'resolveTarget'],
    ]);
    told.hears('targetResolved', { how: 'endpoint', endpoint: sip }).hears('hungUp', end(2));
    expect(told.state).toBe('answered.transferring.calling');
    expect(told.hears('answered', { leg: 3 }).last('bridge')).toEqual({ legs: [1, 3] });
  });
});

describe('a call in a line', () => {
  it('joins it, and waits with music', () => {
    const told = inLine();
    expect([told.state, toldLine(told)]).toEqual([
      'answered.transferring.inLine',
      [{ machine: 9, event: { type: 'callerJoined', call: 77, waits: true } }],
    ]);
  });

  it('rings the member it is offered, and tells the line that it talks', () => {
    const told = offered(inLine(), 'a');
    expect(told.last('originate')).toMatchObject({ leg: 2, to: sip, callerId: '5511999990000' });
    told.hears('answered', { leg: 2 });
    expect([told.state, toldLine(told)]).toEqual([
      'answered.talking.steady',
      [{ machine: 9, event: { type: 'memberTaken', call: 77, member: 'a' } }],
    ]);
  });

  it('rings a member for less than the line keeps its offer, and another number as long as it was told', () => {
    expect(offered(inLine({ ringSeconds: 180 }), 'a').last('originate')['ringSeconds']).toBe(150);
    expect(offered(inLine({ ringSeconds: 20 }), 'a').last('originate')['ringSeconds']).toBe(20);
    expect(ringing({ ringSeconds: 180 }).last('originate')['ringSeconds']).toBe(180);
  });

  it('tells the line of a member that does not answer, and waits for the next', () => {
    const told = offered(inLine(), 'a').hears('hungUp', end(2, 'noAnswer'));
    expect([told.state, toldLine(told)]).toEqual([
      'answered.transferring.inLine',
      [{ machine: 9, event: { type: 'memberMissed', call: 77, member: 'a' } }],
    ]);
    expect(offered(told, 'b').last('originate')['leg']).toBe(3);
  });

  it('hangs up the others when one of several members answers', () => {
    const told = offered(offered(inLine(), 'a'), 'b').hears('answered', { leg: 3 });
    expect([told.last('hangUp')['leg'], told.last('bridge')]).toEqual([2, { legs: [1, 3] }]);
    expect(told.hears('hungUp', end(2, 'cancelled')).state).toBe('answered.talking.steady');
  });

  it('frees the member when the talk is over', () => {
    const told = offered(inLine(), 'a').hears('answered', { leg: 2 }).hears('hungUp', end(2));
    expect(toldLine(told)).toEqual([{ machine: 9, event: { type: 'memberFreed', call: 77, member: 'a' } }]);
  });

  it('leaves the line when the callee hangs up, waiting or talking', () => {
    const left = [{ machine: 9, event: { type: 'callerLeft', call: 77 } }];
    expect(toldLine(inLine().hears('hungUp', end(1)))).toEqual(left);
    expect(toldLine(offered(inLine(), 'a').hears('answered', { leg: 2 }).hears('hungUp', end(1)))).toEqual(
      left,
    );
  });

  it('leaves the line at fifolim, and hears contentfail', () => {
    const told = offered(inLine({ lineSeconds: 30 }), 'a').passes(30_000);
    expect([told.state, told.effects]).toEqual(['answered.apologising', ['hangUp', 'tell', 'play']]);
  });

  it('does not wait for an agent without fifo', () => {
    const told = asking({ kind: 'agent', agent: 9 }).hears('targetResolved', { how: 'line', line: 9 });
    expect(toldLine(told)).toMatchObject([{ event: { type: 'callerJoined', waits: false } }]);
    expect(told.hears('noneFree', { line: 9 }).state).toBe('answered.apologising');
  });

  it('gives back an offer that comes too late', () => {
    const told = offered(talking(), 'b');
    expect(toldLine(told)).toEqual([{ machine: 9, event: { type: 'memberMissed', call: 77, member: 'b' } }]);
  });
});

describe('recording', () => {
  const recorded = { leg: 1, recording: 'r1', media: 'rec-1', seconds: 12.4 };

  it('ini begins with the answer, and its file is awaited after the end', () => {
    const told = picked({ recording: { maxSeconds: 90, from: 'ini' } });
    expect([told.effects, told.last('record')]).toEqual([
      ['record', 'play'],
      { leg: 1, recording: 'r1', scope: 'call', maxSeconds: 90, beep: false },
    ]);
    told.hears('hungUp', end(1));
    expect([told.state, life(told)]).toMatchObject(['filing', { status: 'OK', finished: false }]);
    told.hears('recorded', recorded);
    expect([told.isOver, life(told)]).toMatchObject([
      true,
      { recording: 'rec-1', recording_seconds: 12, finished: true },
    ]);
  });

  it('pa begins with the bridge', () => {
    const told = ringing({ recording: { maxSeconds: 90, from: 'pa' } });
    expect(told.count('record')).toBe(0);
    expect(told.hears('answered', { leg: 2 }).effects).toEqual(['bridge', 'record']);
  });

  it('conf begins with the confirmation', () => {
    const told = picked({
      mode: 'confirm',
      transfer: number,
      digits: { confirm: '1' },
      recording: { maxSeconds: 9, from: 'conf' },
    });
    expect(told.count('record')).toBe(0);
    expect(told.hears('digitReceived', { leg: 1, digit: '1' }).effects).toContain('record');
  });

  it('type 22 records the answer after a beep, up to rec seconds or #', () => {
    const told = picked({ mode: 'recordAnswer', recording: { maxSeconds: 20, from: 'ini' } });
    expect(told.count('record')).toBe(0);
    told.hears('played', { leg: 1, playback: 'p1' });
    expect([told.state, told.last('record')]).toEqual([
      'answered.recordingAnswer',
      { leg: 1, recording: 'r1', scope: 'leg', maxSeconds: 20, beep: true, endOnDigit: '#' },
    ]);
    told.hears('recorded', recorded);
    expect([told.state, life(told)]).toMatchObject(['closing', { recording: 'rec-1' }]);
  });

  it('type 22 keeps the answer of a callee that hangs up', () => {
    const told = picked({ mode: 'recordAnswer' })
      .hears('played', { leg: 1, playback: 'p1' })
      .hears('hungUp', end(1));
    expect(told.state).toBe('filing');
    expect(life(told.hears('recorded', recorded))).toMatchObject({ recording: 'rec-1', finished: true });
  });

  it.each(['recordFailed', 'nothing'])('ends without a file when %s is heard', (fact) => {
    const told = picked({ recording: { maxSeconds: 90, from: 'ini' } }).hears('hungUp', end(1));
    if (fact === 'nothing') told.waits();
    else told.hears(fact, { leg: 1, recording: 'r1', reason: 'full' });
    expect([told.isOver, life(told)]).toMatchObject([true, { recording: '' }]);
  });
});

describe('answering machines', () => {
  const detecting = (): Story =>
    picked({ prompts: { opening: [text('hello')], slots: {}, machine: text('message') } });

  it('are looked for before anything is said', () => {
    const told = detecting();
    expect([told.state, told.effects]).toEqual(['answered.detecting', ['detectMachine']]);
  });

  it('hear their own prompt after a moment of silence, and nothing else', () => {
    const told = detecting().hears('machineDetected', { leg: 1, result: 'machine' });
    expect([told.state, told.last('play')['prompts']]).toEqual([
      'answered.leavingMessage',
      [{ silenceMs: 1000 }, { media: 'm-message' }],
    ]);
    told.hears('played', { leg: 1, playback: 'p1' }).hears('hungUp', end(1));
    expect([told.isOver, life(told)]).toMatchObject([
      true,
      { status: 'OK', reason: 'machine', answered_by: 'MA' },
    ]);
  });

  it.each([
    ['human', 'HM'],
    ['notSure', 'ND'],
  ])('%s: the normal flow, %s', (result, shown) => {
    const told = detecting().hears('machineDetected', { leg: 1, result });
    expect([told.state, plays(told), life(told)['answered_by']]).toEqual([
      'answered.speaking',
      'm-hello',
      shown,
    ]);
  });

  it('that are not told from people in time are taken for people', () => {
    expect(detecting().passes(60_000).state).toBe('answered.speaking');
  });
});
