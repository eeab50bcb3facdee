import { describe, expect, it } from 'vitest';
import {
  type CapacityRequest,
  CapacityLimiter,
} from '../../../src/providers/dialClearance/capacityLimiter.ts';
import { handClock } from '../../helpers/handClock.ts';

const aGate = (
  options: { callsPerSecond?: number; legs?: number; waiting?: number; heldMs?: number } = {},
) => {
  const { callsPerSecond = 1000, legs = 1000, ...rest } = options;
  const clock = handClock(1_000_000);
  const gate = new CapacityLimiter({ capacityOf: () => ({ callsPerSecond, legs }), clock, ...rest });
  const granted: string[] = [];
  const turnedAway = new Map<string, number>();
  const heard = (key: string) => ({
    granted: () => {
      granted.push(key);
    },
    turnedAway: (comeBackAt: number) => {
      turnedAway.set(key, comeBackAt);
    },
  });
  const askAs = (key: string, asker: CapacityRequest) => {
    const answer = gate.ask(key, asker, heard(key));
    if (typeof answer === 'string' || 'comeBackAt' in answer) return answer;
    granted.push(key);
    return 'granted';
  };
  const ask = (key: string, priority = 0) => askAs(key, { priority });
  return { clock, gate, granted, turnedAway, heard, ask, askAs };
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
    const { gate, ask, granted, heard } = aGate({ legs: 1 });
    ask('a');
    ask('b');
    ask('c');
    gate.ask('b', {}, heard('b, asked again'));
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
    gate.dialled('a', 3, 60_000);
    for (const other of [2, 4]) gate.release('a', other);
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

  it('keeps the slot of a leg for as long as that may last, and no longer', () => {
    const { gate, clock, ask, granted } = aGate({ legs: 1 });
    ask('a');
    gate.dialled('a', 1, 14_400_000);
    ask('b');
    clock.turn(14_400_000);
    expect(granted).toEqual(['a']);
    clock.turn(60_000);
    expect(granted).toEqual(['a', 'b']);
  });

  it('tells those to come back who do not fit in the queue', () => {
    const { clock, ask } = aGate({ callsPerSecond: 1, legs: 1, waiting: 3 });
    for (const key of ['a', 'b', 'c', 'd']) ask(key);
    expect(ask('e')).toEqual({ comeBackAt: clock.now() + 3000 });
  });

  it('lets lanes of the same priority take turns', () => {
    const { gate, granted, askAs } = aGate({ legs: 1 });
    const ask = (key: string, lane: string) => askAs(key, { lane });
    ask('first', 'a');
    for (const key of ['a1', 'a2', 'a3', 'a4']) ask(key, 'a');
    for (const key of ['b1', 'b2']) ask(key, 'b');
    for (let turn = 0; turn < 6; turn++) gate.release(granted.at(-1)!);
    expect(granted).toEqual(['first', 'a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('gives no owner more than its share, and its turn to the next', () => {
    const { gate, granted, askAs } = aGate();
    const ask = (key: string, lane: string, owner: string) =>
      askAs(key, { account: owner, lane, share: { owner, slots: 2 } });
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

describe('accounts at the gate', () => {
  /** As Asterisk's profile has it: 45 new legs a second. */
  const callsPerSecond = 45;

  /** `perSecond` calls of account `a` for so many seconds on the clock of the gate; `beside` runs after the first half. */
  const flood = (
    { clock, askAs }: ReturnType<typeof aGate>,
    { seconds, perSecond, asker = {} }: { seconds: number; perSecond: number; asker?: CapacityRequest },
    beside: () => void,
  ): void => {
    const every = 10;
    const steps = (seconds * 1000) / every;
    for (let step = 0; step < steps; step++) {
      if (step === steps / 2) beside();
      for (let call = 0; call < (perSecond * every) / 1000; call++)
        askAs(`a ${step} ${call}`, { account: 'a', lane: 'a', ...asker });
      clock.turn(every);
    }
  };

  /** How long the one call of account `b` waits while account `a` floods the gate, milliseconds. */
  const waitBeside = (flooding: CapacityRequest, asking: CapacityRequest): number => {
    const on = aGate({ callsPerSecond, legs: 1_000_000 });
    let grantedAt = Infinity;
    let askedAt = 0;
    flood(on, { seconds: 20, perSecond: 5000, asker: flooding }, () => {
      askedAt = on.clock.now();
      const answer = on.gate.ask(
        'b',
        { account: 'b', lane: 'b', ...asking },
        { granted: () => (grantedAt = on.clock.now()), turnedAway: () => {} },
      );
      expect(answer).toBe('waiting');
    });
    return grantedAt - askedAt;
  };

  it.each([
    ['a plain call beside plain ones', {}, {}],
    ['an urgent call beside plain ones', {}, { priority: -20 }],
    ['a plain call beside urgent ones', { priority: -20 }, {}],
    ['a plain call beside ones of the highest priority', { priority: 100 }, {}],
    ['an urgent call beside urgent ones', { priority: -20 }, { priority: -1 }],
  ])('clears %s of another account, 5,000 a second of them, within 2 s', (_, flooding, asking) => {
    expect(waitBeside(flooding, asking)).toBeLessThan(2000);
  });

  it('serves a hundred accounts by turns, whatever one of them asks for', () => {
    const on = aGate({ callsPerSecond: 100, legs: 1_000_000 });
    flood(on, { seconds: 4, perSecond: 5000 }, () => {
      for (let account = 0; account < 100; account++)
        for (let call = 0; call < 3; call++) on.askAs(`b ${account} ${call}`, { account: `b ${account}` });
    });
    const others = on.granted.filter((key) => key.startsWith('b'));
    // Two seconds are two hundred turns: each of the 101 accounts has had its first before any has its third.
    expect(new Set(others.map((key) => key.split(' ')[1])).size).toBe(100);
    expect(others.filter((key) => key.endsWith(' 2')).length).toBe(0);
  });

  it("keeps the order of priorities inside an account's turns", () => {
    const { gate, granted, askAs } = aGate({ legs: 1 });
    askAs('first', { account: 'x' });
    for (const [key, priority] of [
      ['a low', 0],
      ['a high', 50],
      ['a at once', -1],
    ] as const)
      askAs(key, { account: 'a', priority });
    askAs('b low', { account: 'b' });
    askAs('b high', { account: 'b', priority: 1 });
    for (let turn = 0; turn < 6; turn++) gate.release(granted.at(-1)!);
    expect(granted).toEqual(['first', 'a at once', 'b high', 'a high', 'b low', 'a low']);
  });

  it('lets urgent calls of any account pass thousands of plain ones of many accounts', () => {
    const { gate, granted, askAs } = aGate({ legs: 1 });
    askAs('first', { account: 'x' });
    for (let account = 0; account < 1000; account++)
      for (const call of [1, 2]) askAs(`${account} ${call}`, { account: `${account}` });
    askAs('at once', { account: 'late', priority: -1 });
    gate.release('first');
    expect(granted.at(-1)).toBe('at once');
  });

  it('gives campaigns and single calls of an account their turns, also beside another account', () => {
    const { gate, granted, askAs } = aGate({ legs: 1 });
    askAs('first', { account: 'x' });
    for (let call = 1; call <= 3; call++) {
      askAs(`a single ${call}`, { account: 'a', lane: 'a' });
      askAs(`a campaign ${call}`, { account: 'a', lane: 'a.31' });
      askAs(`b ${call}`, { account: 'b', lane: 'b' });
    }
    for (let turn = 0; turn < 6; turn++) gate.release(granted.at(-1)!);
    const served = ['first', 'a single 1', 'b 1', 'a campaign 1', 'b 2', 'a single 2', 'b 3'];
    expect(granted).toEqual(served);
  });

  it('passes an account by whose campaigns have all they may have', () => {
    const { granted, askAs } = aGate();
    const share = { owner: 'a', slots: 1 };
    askAs('a1', { account: 'a', lane: 'a.1', share });
    askAs('a2', { account: 'a', lane: 'a.1', share });
    askAs('b1', { account: 'b' });
    askAs('a single', { account: 'a' });
    expect(granted).toEqual(['a1', 'b1', 'a single']);
  });

  it('makes room for another account in a full room: the last of the largest is told to come back', () => {
    const { clock, askAs, turnedAway, gate } = aGate({ callsPerSecond: 1, legs: 1, waiting: 4 });
    askAs('held', { account: 'a' });
    for (const call of [1, 2, 3, 4]) askAs(`a${call}`, { account: 'a' });
    expect(askAs('a5', { account: 'a' })).toEqual({ comeBackAt: clock.now() + 4000 });
    expect(askAs('b1', { account: 'b' })).toBe('waiting');
    expect([...turnedAway.keys()]).toEqual(['a4']);
    expect(askAs('b2', { account: 'b' })).toBe('waiting');
    expect([...turnedAway.keys()]).toEqual(['a4', 'a3']);
    // Two each: neither gives way to the other.
    expect(askAs('b3', { account: 'b' })).toEqual({ comeBackAt: clock.now() + 4000 });
    expect(gate.load()).toEqual({ waiting: 4, held: 1 });
  });

  it('makes room for a higher priority of the same account', () => {
    const { askAs, turnedAway } = aGate({ callsPerSecond: 1, legs: 1, waiting: 2 });
    askAs('held', { account: 'a' });
    askAs('a1', { account: 'a' });
    askAs('a2', { account: 'a' });
    expect(askAs('a now', { account: 'a', priority: -20 })).toBe('waiting');
    expect([...turnedAway.keys()]).toEqual(['a2']);
  });

  it('tells an account to come back when its own calls have had their turn, not those of all', () => {
    const { clock, askAs, turnedAway } = aGate({ callsPerSecond: 1, legs: 1, waiting: 100 });
    askAs('held', { account: 'a' });
    for (let call = 0; call < 98; call++) askAs(`a${call}`, { account: 'a' });
    for (let call = 0; call < 2; call++) askAs(`b${call}`, { account: 'b', priority: 1 });
    expect(askAs('a more', { account: 'a' })).toEqual({ comeBackAt: clock.now() + 100_000 });
    for (const account of ['c', 'd', 'e']) askAs(account, { account });
    // Ninety-five of its own wait by then, and no more than a hundred in all.
    expect(turnedAway.get('a95')).toBe(clock.now() + 99_000);
  });

  it('tells when to come back by the pace there is, where legs are long up', () => {
    const { clock, gate, granted, ask } = aGate({ callsPerSecond: 10, legs: 1, waiting: 60 });
    ask('held');
    for (let call = 0; call < 60; call++) ask(`call ${call}`);
    expect(ask('more')).toEqual({ comeBackAt: clock.now() + 6_000 });
    // A call takes ten seconds: six a minute.
    for (let turn = 0; turn < 10; turn++) {
      clock.turn(10_000);
      gate.release(granted.at(-1)!);
    }
    for (let call = 0; call < 10; call++) ask(`later ${call}`);
    const { comeBackAt } = ask('more') as { comeBackAt: number };
    expect(comeBackAt - clock.now()).toBeGreaterThan(500_000);
    expect(comeBackAt - clock.now()).toBeLessThan(700_000);
    gate.dialled(granted.at(-1)!, 1, 3_600_000);
    clock.turn(600_000);
    expect(ask('more still')).toEqual({ comeBackAt: clock.now() + 3_600_000 });
  });

  it('holds with thousands of priorities in one account', () => {
    const { gate, granted, askAs } = aGate({ legs: 1, waiting: 50_000 });
    askAs('first', { account: 'x' });
    for (let call = 0; call < 20_000; call++) askAs(`a${call}`, { account: 'a', priority: call });
    askAs('b', { account: 'b' });
    for (let turn = 0; turn < 3; turn++) gate.release(granted.at(-1)!);
    expect(granted).toEqual(['first', 'a19999', 'b', 'a19998']);
  });
});
