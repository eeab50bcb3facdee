import { describe, expect, it } from 'vitest';
import { withTtlCache } from '../../src/lib/withTtlCache.ts';

const aMemory = (answers: (() => Promise<string>)[], most?: number) => {
  const clock = { now: 0 };
  let asked = 0;
  const ask = withTtlCache((_question: string) => answers[asked++]!(), {
    keyOf: (question) => question,
    now: () => clock.now,
    forMs: 1000,
    ...(most === undefined ? {} : { most }),
  });
  return { ask, clock, asked: () => asked };
};

const says = (answer: string) => () => Promise.resolve(answer);

describe('a memory', () => {
  it('believes an answer for a while, then asks again', async () => {
    const { ask, clock, asked } = aMemory([says('one'), says('two')]);
    expect([await ask('a'), await ask('a')]).toEqual(['one', 'one']);
    clock.now = 999;
    expect(await ask('a')).toBe('one');
    clock.now = 1000;
    expect(await ask('a')).toBe('two');
    expect(asked()).toBe(2);
  });

  it('does not believe an answer for longer because the clock was set back', async () => {
    const { ask, clock } = aMemory([says('one'), says('two'), says('three')]);
    clock.now = 3_600_000;
    await ask('a');
    clock.now = 0;
    expect([await ask('a'), await ask('a')]).toEqual(['two', 'two']);
    clock.now = 1000;
    expect(await ask('a')).toBe('three');
  });

  it('keeps questions apart', async () => {
    const { ask } = aMemory([says('one'), says('two')]);
    expect([await ask('a'), await ask('b'), await ask('a')]).toEqual(['one', 'two', 'one']);
  });

  it('does not remember a failure', async () => {
    const { ask } = aMemory([() => Promise.reject(new Error('away')), says('two')]);
    await expect(ask('a')).rejects.toThrow('away');
    expect(await ask('a')).toBe('two');
  });

  it('starts afresh rather than grow', async () => {
    const { ask, asked } = aMemory([says('1'), says('2'), says('3'), says('4')], 2);
    for (const question of ['a', 'b', 'c', 'c', 'a']) await ask(question);
    expect(asked()).toBe(4);
  });
});
