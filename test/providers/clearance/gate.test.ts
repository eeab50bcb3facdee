import { describe, expect, it } from 'vitest';
import { Gate } from '../../../src/providers/clearance/gate.ts';
import { handClock } from '../../helpers/handClock.ts';

const aGate = (
  options: { callsPerSecond?: number; legs?: number; waiting?: number; heldMs?: number } = {},
) => {
  const { callsPerSecond = 1000, legs = 1000, ...rest } = options;
  const clock = handClock(1_000_000);
  const gate = new Gate({ capacity: { callsPerSecond, legs }, clock, ...rest });
  const granted: string[] = [];
  const ask = (key: string, priority = 0) => {
    const answer = gate.ask(key, { priority }, () => granted.push(key));
    if (answer === 'granted') granted.push(key);
    return answer;
  };
  return { clock, gate, granted, ask };
};

describe('the gate', () => {
  it('grants at once while there is room', () => {
    const { ask } = aGate();
    expect(ask('a')).toBe('granted');
    expect(ask('b')).toBe('granted');
  });

  it('lets no more legs live than the carrier bears', () => {
    const { gate, ask, granted } = aGate({ legs: 2 });
    expect(['a', 'b', 'c'].map((key) => ask(key))).toEqual(['granted', 'granted', 'waiting']);
    gate.release('a');
    expect(granted).toEqual(['a', 'b', 'c']);
    expect(gate.load()).toEqual({ waiting: 0, held: 2 });
  });

  it('dials -20 and -1 before everything, then the higher priority, then who came first', () => {
    const { gate, ask, granted } = aGate({ legs: 1 });
    ask('first');
    ask('low', -5);
    ask('plain 1');
    ask('high', 10);
    ask('plain 2');
    ask('at once', -1);
    ask('very high', 99_999);
    ask('with audio', -20);
    for (let turn = 0; turn < 8; turn++) gate.release(granted.at(-1)!);
    expect(granted).toEqual([
      'first',
      'with audio',
      'at once',
      'very high',
      'high',
      'plain 1',
      'plain 2',
      'low',
    ]);
  });

  it('opens no more legs a second than the carrier bears', () => {
    const { clock, ask, granted } = aGate({ callsPerSecond: 20 });
    for (let call = 0; call < 100; call++) ask(`call ${call}`);
    for (let second = 1; second <= 4; second++) {
      clock.turn(1000);
      expect(granted.length).toBe(1 + 20 * second);
    }
    clock.turn(1000);
    expect(granted).toEqual(Array.from({ length: 100 }, (_, call) => `call ${call}`));
  });

  it('does not save up for a storm', () => {
    const { clock, ask, granted } = aGate({ callsPerSecond: 100 });
    clock.turn(3_600_000);
    for (let call = 0; call < 50; call++) ask(`call ${call}`);
    expect(granted.length).toBe(5);
  });

  it('replaces a question asked again, and takes its slot back first', () => {
    const { gate, ask, granted } = aGate({ legs: 1 });
    ask('a');
    ask('b');
    ask('c');
    ask('b', -1);
    ask('a');
    expect(granted).toEqual(['a', 'b']);
    expect(gate.load()).toEqual({ waiting: 2, held: 1 });
  });

  it('keeps the place of a call that asks again, and answers its latest question', () => {
    const { gate, ask, granted } = aGate({ legs: 1 });
    ask('a');
    ask('b');
    ask('c');
    gate.ask('b', {}, () => granted.push('b, asked again'));
    gate.release('a');
    expect(granted).toEqual(['a', 'b, asked again']);
  });

  it('forgets who no longer wants to dial', () => {
    const { gate, ask, granted } = aGate({ legs: 1 });
    ask('a');
    ask('b');
    ask('c');
    gate.release('b');
    gate.release('a');
    expect(granted).toEqual(['a', 'c']);
  });

  it('gives a slot back when its own leg ends, not when another of the call does', () => {
    const { gate, ask } = aGate({ legs: 1 });
    ask('a');
    gate.dialled('a', 3);
    gate.release('a', 4);
    expect(gate.load().held).toBe(1);
    gate.release('a', 3);
    expect(gate.load().held).toBe(0);
  });

  it('takes a slot back whose end nobody reported', () => {
    const { clock, ask, granted } = aGate({ legs: 1, heldMs: 60_000 });
    ask('a');
    clock.turn(1000);
    ask('b');
    clock.turn(58_000);
    expect(granted).toEqual(['a']);
    clock.turn(1000);
    expect(granted).toEqual(['a', 'b']);
  });

  it('tells those to come back who do not fit in the queue', () => {
    const { clock, ask } = aGate({ callsPerSecond: 1, legs: 1, waiting: 3 });
    for (const key of ['a', 'b', 'c', 'd']) ask(key);
    expect(ask('e')).toEqual({ comeBackAt: clock.now() + 3000 });
  });

  it('lets lanes of the same priority take turns', () => {
    const { gate, granted } = aGate({ legs: 1 });
    const ask = (key: string, lane: string) => gate.ask(key, { lane }, () => granted.push(key));
    ask('first', 'a');
    for (const key of ['a1', 'a2', 'a3', 'a4']) ask(key, 'a');
    for (const key of ['b1', 'b2']) ask(key, 'b');
    let held = 'first';
    for (let turn = 0; turn < 6; turn++) {
      gate.release(held);
      held = granted.at(-1)!;
    }
    expect(granted).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('gives no owner more than its share, and its turn to the next', () => {
    const { gate, granted } = aGate();
    const ask = (key: string, lane: string, owner: string) => {
      const answer = gate.ask(key, { lane, share: { owner, slots: 2 } }, () => granted.push(key));
      if (answer === 'granted') granted.push(key);
    };
    ask('a1', 'a.1', 'a');
    ask('a2', 'a.2', 'a');
    ask('a3', 'a.1', 'a');
    ask('b1', 'b.1', 'b');
    expect(granted).toEqual(['a1', 'a2', 'b1']);
    gate.release('a2');
    expect(granted).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('grants nothing after it stopped', () => {
    const { gate, ask, granted } = aGate({ legs: 1 });
    ask('a');
    ask('b');
    gate.stop();
    gate.release('a');
    expect(granted).toEqual(['a']);
  });
});
