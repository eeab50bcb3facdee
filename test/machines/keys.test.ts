import { describe, expect, it } from 'vitest';
import type { DtmfKeyAction } from '../../machines/call/input.ts';
import type { Story } from './story.ts';
import { end, life, picked, text } from './calls.ts';

const responses = (told: Story): unknown[] => {
  const { response_1, response_2, response_3 } = life(told);
  return [response_1, response_2, response_3];
};
const presses = (told: Story, keys: string): Story => {
  for (const digit of keys) told.hears('digitReceived', { leg: 1, digit });
  return told;
};
/** The prompt that plays now is over. */
const heardOut = (told: Story): Story =>
  told.hears('played', { leg: 1, playback: told.last('play')['playback'] });
const plays = (told: Story): unknown =>
  (told.last('play')['prompts'] as unknown as { media: string }[])[0]?.media;

const number = { kind: 'number', number: '551133334444' } as const;
const prompts = {
  opening: [text('hello')],
  slots: { 1: text('one'), 2: text('two') },
  noDigit: text('no digit'),
  wrong: text('wrong'),
};

describe('a menu (type 3)', () => {
  const menu = (keys: Record<string, DtmfKeyAction>, more: object = {}): Story =>
    picked({ mode: 'menu', prompts, keys, transfer: number, ...more });

  it('waits for a digit when the opening is over', () => {
    const told = heardOut(menu({ 1: { do: 'hangUp' } }));
    expect([told.state, told.armed]).toEqual(['answered.listening', ['digits', 'timeLimit']]);
  });

  it('lets a digit interrupt the opening', () => {
    const told = presses(menu({ 2: { do: 'play', slot: 2 } }), '2');
    expect([told.state, told.effects, plays(told)]).toEqual([
      'answered.acting',
      ['stopPlay', 'play'],
      'm-two',
    ]);
    expect(responses(told)).toEqual(['2', '', '']);
  });

  it('plays the slot, then the ending, then hangs up', () => {
    const told = menu({ 1: { do: 'play', slot: 1 } }, { prompts: { ...prompts, ending: text('bye') } });
    heardOut(presses(told, '1'));
    expect([told.state, plays(told)]).toEqual(['answered.ending', 'm-bye']);
    expect(heardOut(told).state).toBe('closing');
  });

  it('transfers to the target of the key, not of the call', () => {
    const to = { kind: 'agent', agent: 5 } as const;
    const told = presses(menu({ 1: { do: 'transfer', to } }), '1');
    expect([told.state, told.effects]).toEqual([
      'answered.transferring.resolving',
      ['stopPlay', 'hold', 'resolveTarget'],
    ]);
    expect(told.last('resolveTarget')).toEqual({ target: to, question: 1, trunk: 'sandbox' });
  });

  it('without any mapping transfers on any digit', () => {
    const told = presses(heardOut(menu({})), '7');
    expect([told.state, told.last('resolveTarget')]).toEqual([
      'answered.transferring.resolving',
      { target: number, question: 1, trunk: 'sandbox' },
    ]);
  });

  it('replays the opening by a key', () => {
    const told = presses(menu({ 9: { do: 'replay' } }), '9');
    expect([told.state, told.effects, told.last('play')['playback']]).toEqual([
      'answered.speaking',
      ['stopPlay', 'play'],
      'p2',
    ]);
  });

  it('hangs up by a key', () => {
    const told = presses(heardOut(menu({ 9: { do: 'hangUp' } })), '9');
    expect([told.state, told.effects]).toEqual(['closing', ['hangUp']]);
  });

  it('puts the number on the block list by a key', () => {
    const told = presses(heardOut(menu({ 9: { do: 'optOut' } })), '9');
    expect(told.effects).toEqual(['blockNumber', 'hangUp']);
    expect(told.last('blockNumber')['number']).toBe('5511999990000');
    expect(life(told.hears('hungUp', end(1)))).toMatchObject({ status: 'OK', reason: 'optedOut' });
  });

  it('says what is wrong with an unmapped digit, and waits again', () => {
    const told = presses(heardOut(menu({ 1: { do: 'hangUp' } })), '5');
    expect([told.state, plays(told), responses(told)]).toEqual([
      'answered.correcting',
      'm-wrong',
      ['5', '', ''],
    ]);
    expect(heardOut(told).state).toBe('answered.listening');
    expect(presses(told, '1').state).toBe('closing');
  });

  it('says that no digit came, twice at most, and hangs up', () => {
    const told = heardOut(menu({ 1: { do: 'hangUp' } }));
    told.passes(7_000);
    expect([told.state, plays(told)]).toEqual(['answered.correcting', 'm-no digit']);
    heardOut(told).passes(7_000);
    expect([told.state, plays(told)]).toEqual(['answered.correcting', 'm-no digit']);
    expect(heardOut(told).state).toBe('closing');
    expect(life(told.hears('hungUp', end(1)))).toMatchObject({ status: 'OK', reason: 'noAnswerByKey' });
  });

  it('lets a digit interrupt the first notice, but not the last', () => {
    const told = presses(heardOut(menu({ 1: { do: 'hangUp' } })), '5');
    presses(told, '6');
    expect([told.state, responses(told)]).toEqual(['answered.correcting', ['5', '6', '']]);
    expect(presses(told, '1').state).toBe('answered.correcting');
  });

  it('hangs up at once when there is nothing to say to a missing digit', () => {
    const told = heardOut(menu({ 1: { do: 'hangUp' } }, { prompts: { opening: [text('a')], slots: {} } }));
    told.passes(7_000);
    expect(told.state).toBe('closing');
  });

  it('asks right away when it has no opening', () => {
    expect(menu({ 1: { do: 'hangUp' } }, { prompts: { opening: [], slots: { 2: text('two') } } }).state).toBe(
      'answered.listening',
    );
  });
});

describe('a confirmation (type 2)', () => {
  const confirm = (digits: object = {}, more: object = {}): Story =>
    picked({
      mode: 'confirm',
      prompts,
      transfer: number,
      digits: { count: 1, waitSeconds: 4, confirm: '1', ...digits },
      ...more,
    });

  it('transfers when the digit confirms', () => {
    const told = presses(heardOut(confirm()), '1');
    expect([told.state, responses(told)]).toEqual(['answered.transferring.resolving', ['1', '', '']]);
  });

  it('answers a wrong digit with contentfail, twice at most', () => {
    const told = presses(heardOut(confirm()), '2');
    expect(plays(told)).toBe('m-wrong');
    presses(heardOut(told), '3');
    expect(plays(told)).toBe('m-wrong');
    expect(heardOut(told).state).toBe('closing');
    expect([responses(told), told.count('resolveTarget')]).toEqual([['2', '3', ''], 0]);
  });

  it('answers a missing digit with contentno after dtime', () => {
    const told = heardOut(confirm()).passes(3_999);
    expect(told.state).toBe('answered.listening');
    expect(plays(told.passes(1))).toBe('m-no digit');
  });

  it('waits for all expected digits', () => {
    const told = presses(heardOut(confirm({ count: 3, confirm: '123' })), '12');
    expect(told.state).toBe('answered.listening');
    expect(presses(told, '3').state).toBe('answered.transferring.resolving');
    expect(responses(told)).toEqual(['123', '', '']);
  });

  it('takes what came when the wait is over', () => {
    const told = presses(heardOut(confirm({ count: 3, confirm: '9' })), '12').passes(4_000);
    expect([plays(told), responses(told)]).toEqual(['m-wrong', ['12', '', '']]);
  });

  it('ends input early with #', () => {
    const told = presses(heardOut(confirm({ count: 4, confirm: '9' })), '12#');
    expect([told.state, responses(told)]).toEqual(['answered.correcting', ['12', '', '']]);
    expect(presses(heardOut(confirm()), '#').last('play')['prompts']).toEqual([{ media: 'm-no digit' }]);
  });

  it('replays the opening by dtmfini, without capturing it', () => {
    const told = presses(heardOut(confirm({ replay: '0' })), '0');
    expect([told.state, responses(told), plays(told)]).toEqual([
      'answered.speaking',
      ['', '', ''],
      'm-hello',
    ]);
  });

  it('replays no more than nine times', () => {
    const told = presses(confirm({ replay: '0' }), '0'.repeat(10));
    expect([told.state, told.count('play')]).toEqual(['answered.correcting', 11]);
  });

  it('plays the question after the opening', () => {
    const told = confirm({}, { prompts: { ...prompts, ask: text('press 1') } });
    expect(told.last('play')['prompts']).toEqual([{ media: 'm-hello' }, { media: 'm-press 1' }]);
  });

  it('confirms by any digit when none was named', () => {
    const told = picked({ mode: 'confirm', prompts, transfer: number });
    expect(presses(heardOut(told), '5').state).toBe('answered.transferring.resolving');
  });
});

describe('a plain call (type 0)', () => {
  it('keeps digits pressed while it plays as a response, and goes on playing', () => {
    const told = presses(picked(), '42');
    expect([told.state, told.effects]).toEqual(['answered.speaking', []]);
    heardOut(told).hears('hungUp', end(1));
    expect(responses(told)).toEqual(['42', '', '']);
  });

  it('asks for digits when contentdtmf is given, and only captures', () => {
    const told = heardOut(
      picked({ prompts: { ...prompts, ask: text('age?') }, digits: { count: 2, waitSeconds: 5 } }),
    );
    expect(presses(told, '33').state).toBe('closing');
    expect(responses(told)).toEqual(['33', '', '']);
  });

  it('follows its keys when it has some', () => {
    expect(presses(picked({ prompts, keys: { 1: { do: 'play', slot: 1 } } }), '1').state).toBe(
      'answered.acting',
    );
  });

  it('with dtmfini replays the opening while it is heard, and for dtime after it', () => {
    const told = presses(picked({ digits: { count: 1, waitSeconds: 4, replay: '9' } }), '59');
    expect([told.state, told.count('play')]).toEqual(['answered.speaking', 2]);
    presses(heardOut(told), '9');
    expect([told.state, told.count('play')]).toEqual(['answered.speaking', 3]);
    presses(heardOut(told), '1').passes(4_000);
    expect([told.state, responses(told)]).toEqual(['closing', ['51', '', '']]);
    expect(life(told.hears('hungUp', end(1)))).toMatchObject({ status: 'OK', reason: 'completed' });
  });

  it('with dtmfini goes on when the opening was replayed nine times', () => {
    const told = presses(picked({ digits: { count: 1, waitSeconds: 4, replay: '9' } }), '9'.repeat(10));
    expect([told.state, told.count('play')]).toEqual(['answered.speaking', 10]);
  });
});

describe('a call that records the answer (type 22)', () => {
  it('with dtmfini replays the opening, and goes on to the recording when it is over', () => {
    const recording = { maxSeconds: 20, from: 'ini' } as const;
    const told = picked({
      mode: 'recordAnswer',
      digits: { count: 1, waitSeconds: 4, replay: '9' },
      recording,
    });
    expect([presses(told, '9').state, told.count('play')]).toEqual(['answered.speaking', 2]);
    expect([heardOut(told).state, told.last('record')['scope']]).toEqual(['answered.recordingAnswer', 'leg']);
  });
});

it('keeps the first three strings only', () => {
  const told = picked({ mode: 'menu', prompts, keys: { 1: { do: 'replay' } } });
  presses(told, '11');
  presses(told, '1');
  presses(told, '1');
  expect(responses(told)).toEqual(['1', '1', '1']);
});
