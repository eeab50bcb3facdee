import { describe, expect, it } from 'vitest';
import { end, life } from './calls.ts';
import type { Story } from './story.ts';
import { dialling, told } from './turns.ts';

describe('several numbers of a person', () => {
  const three = {
    destination: '5511900000001',
    alternatives: ['5511900000002', '5511900000003'],
    schedule: { tries: 2, intervalMs: 60_000 },
  };
  const dials = ({ all }: Story): string[] =>
    all
      .filter(({ name }) => name === 'originate')
      .map(({ params }) => (params['to'] as { number: string }).number);
  const again = (call: Story): Story => call.hears('attemptGranted').hears('cleared', { route: 'r' });

  it('tries the next number at once, and the first again after the interval', () => {
    const call = dialling(three).hears('hungUp', end(1, 'busy'));
    expect([call.state, told(call)]).toMatchObject([
      'awaitingTurn',
      [{ type: 'attemptEnded' }, { type: 'attemptWanted' }],
    ]);
    again(call).hears('hungUp', end(2, 'noAnswer'));
    again(call).hears('hungUp', end(3, 'congestion'));
    expect(call.state).toBe('retrying');
    again(call.passes(60_000)).hears('hungUp', end(4, 'busy'));
    again(call).hears('hungUp', end(5, 'busy'));
    again(call).hears('hungUp', end(6, 'busy'));
    const [one, two, last] = [three.destination, ...three.alternatives];
    expect([call.isOver, dials(call)]).toEqual([true, [one, two, last, one, two, last]]);
  });

  it('asks call admission for the number it is going to dial, and claims that one', () => {
    const call = again(dialling(three).hears('hungUp', end(1, 'busy')));
    expect(call.last('requestClearance')['destination']).toBe('5511900000002');
    expect(call.last('claim')['key']).toBe('live:5511900000002');
    expect(call.last('release')['key']).toBe('live:5511900000001');
  });

  it('ends with the number that is answered, and the record names it', () => {
    const call = again(dialling(three).hears('hungUp', end(1, 'busy')));
    call.hears('answered', { leg: 2 }).hears('hungUp', end(2));
    expect([call.isOver, life(call)]).toMatchObject([true, { status: 'OK', destination: '5511900000002' }]);
    expect(JSON.parse(String(life(call)['attempts']))).toMatchObject([
      { attempt: 1, number: '5511900000001', status: 'BUSY' },
      { attempt: 2, number: '5511900000002', status: 'OK' },
    ]);
  });

  it('waits before the next number while a lost leg may still ring', () => {
    const call = dialling(three).hears('hungUp', end(1, 'unreachable', { lost: true }));
    expect([call.state, call.armed]).toEqual(['retrying', ['resume']]);
    expect(call.passes(49_999).state).toBe('retrying');
    expect(call.passes(1).state).toBe('awaitingTurn');
  });
});
