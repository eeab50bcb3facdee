import { describe, expect, it } from 'vitest';
import { line } from '../../machines/callQueue.ts';
import type {
  CallQueueMember,
  CallQueueStrategy,
} from '../../machines/contracts/targetResolutionAndQueue.ts';
import { Story } from './story.ts';

const member = (name: string, changes: Partial<CallQueueMember> = {}): CallQueueMember => ({
  member: name,
  endpoint: { kind: 'sip', uri: `sip:${name}@here` },
  penalty: 0,
  active: true,
  capacity: 1,
  ...changes,
});

const aLine = (strategy: CallQueueStrategy, members: CallQueueMember[], active = true, id = 9): Story =>
  new Story(line, { strategy, members, active }, 1_700_000_000_000, id);

const joins = (told: Story, call: number, waits = true): Story => told.hears('callerJoined', { call, waits });

/** Who was told what in the last step: `call:member` for offers, `call:-` for noneFree. */
const offers = (told: Story): string[] =>
  told.asked.map(({ params }) => {
    const { machine, event } = params as { machine: number; event: { member?: string } };
    return `${machine}:${event.member ?? '-'}`;
  });

describe('a line', () => {
  it('offers a free member at once, with the endpoint and its own id', () => {
    const told = joins(aLine('leastrecent', [member('a')]), 100);
    expect(told.asked).toEqual([
      {
        name: 'tell',
        params: {
          machine: 100,
          event: {
            type: 'memberOffered',
            line: 9,
            member: 'a',
            endpoint: { kind: 'sip', uri: 'sip:a@here' },
          },
        },
      },
    ]);
  });

  it('serves callers in the order they joined', () => {
    const told = aLine('leastrecent', [member('a')]);
    joins(told, 1);
    told.hears('memberTaken', { call: 1, member: 'a' });
    joins(told, 2);
    joins(told, 3);
    expect(offers(told)).toEqual([]);
    told.hears('memberFreed', { call: 1, member: 'a' });
    expect(offers(told)).toEqual(['2:a']);
  });

  it('rings all members of the lowest penalty together, and frees the others when one takes the call', () => {
    const told = joins(aLine('ringall', [member('a'), member('b'), member('c', { penalty: 1 })]), 1);
    expect(offers(told)).toEqual(['1:a', '1:b']);
    told.hears('memberTaken', { call: 1, member: 'b' });
    joins(told, 2);
    expect(offers(told)).toEqual(['2:a']);
  });

  it('asks a higher penalty only when all lower ones are taken', () => {
    const told = joins(aLine('leastrecent', [member('a'), member('b', { penalty: 1 })]), 1);
    joins(told.hears('memberTaken', { call: 1, member: 'a' }), 2);
    expect(offers(told)).toEqual(['2:b']);
  });

  it('prefers who talked least recently', () => {
    const told = joins(aLine('leastrecent', [member('a'), member('b')]), 1);
    told
      .passes(1_000)
      .hears('memberTaken', { call: 1, member: 'a' })
      .hears('memberFreed', { call: 1, member: 'a' });
    expect(offers(joins(told, 2))).toEqual(['2:b']);
  });

  it('prefers who had the fewest calls', () => {
    const told = aLine('fewestcalls', [member('a'), member('b')]);
    for (const [call, name] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'a'],
    ] as const)
      joins(told, call)
        .hears('memberTaken', { call, member: name })
        .hears('memberFreed', { call, member: name });
    expect(offers(joins(told, 4))).toEqual(['4:b']);
  });

  it('chooses at random, but the same in the same story, and everybody in the long run', () => {
    const chosen = (id: number): string[] => {
      const told = aLine('random', [member('a'), member('b'), member('c')], true, id);
      return Array.from({ length: 30 }, (_, call) => {
        const [offer] = offers(joins(told, call + 1));
        told.hears('callerLeft', { call: call + 1 });
        return offer!.split(':')[1]!;
      });
    };
    expect(chosen(9)).toEqual(chosen(9));
    expect(new Set(chosen(9))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('gives a member as many calls as its capacity', () => {
    const told = aLine('leastrecent', [member('a', { capacity: 2 })]);
    expect([offers(joins(told, 1)), offers(joins(told, 2)), offers(joins(told, 3))]).toEqual([
      ['1:a'],
      ['2:a'],
      [],
    ]);
  });

  it('offers the next member when one misses, and leaves that one alone for a moment', () => {
    const told = joins(aLine('leastrecent', [member('a'), member('b')]), 1);
    told.hears('memberMissed', { call: 1, member: 'a' });
    expect(offers(told)).toEqual(['1:b']);
    told.hears('memberMissed', { call: 1, member: 'b' });
    expect(offers(told)).toEqual([]);
    told.passes(5_000);
    expect(offers(told)).toEqual(['1:a']);
  });

  it('tells a caller that does not wait when nobody is free, also after a miss', () => {
    const told = joins(aLine('leastrecent', [member('a')]), 1, false);
    expect(offers(joins(told, 2, false))).toEqual(['2:-']);
    expect(offers(told.hears('memberMissed', { call: 1, member: 'a' }))).toEqual(['1:-']);
  });

  it('frees what a caller was offered or held when it leaves', () => {
    const told = joins(joins(aLine('leastrecent', [member('a')]), 1), 2);
    expect(offers(told.hears('callerLeft', { call: 1 }))).toEqual(['2:a']);
    told.hears('memberTaken', { call: 2, member: 'a' });
    joins(told, 3);
    expect(offers(told.hears('callerLeft', { call: 2 }))).toEqual(['3:a']);
  });

  it('takes an offer back from a call that never answers it, and a member from a talk that never ends', () => {
    const told = joins(joins(aLine('leastrecent', [member('a')]), 1), 2);
    told.passes(180_000);
    expect(offers(told)).toEqual(['2:a']);
    told.hears('memberTaken', { call: 2, member: 'a' });
    told.passes(4 * 3_600_000);
    expect(told.state).toBe('idle');
  });

  it('ignores a caller that joins twice and an answer to an offer it never made', () => {
    const told = joins(joins(aLine('leastrecent', [member('a'), member('b')]), 1), 1);
    expect(offers(told)).toEqual([]);
    told.hears('memberMissed', { call: 8, member: 'b' });
    expect(offers(joins(told, 2))).toEqual(['2:b']);
  });

  it('offers nobody while it is inactive, and goes on when it is switched on again', () => {
    const told = aLine('leastrecent', [member('a')], false);
    expect(offers(joins(told, 1))).toEqual(['1:-']);
    told.hears('lineChanged', { strategy: 'leastrecent', members: [member('a')], active: true });
    expect(offers(joins(told, 2))).toEqual(['2:a']);
  });

  it('ends when it is removed, but not before its last talk', () => {
    const told = joins(aLine('leastrecent', [member('a')]), 1).hears('memberTaken', { call: 1, member: 'a' });
    told.hears('lineRemoved');
    expect(told.isOver).toBe(false);
    told.hears('memberFreed', { call: 1, member: 'a' });
    expect(told.isOver).toBe(true);
  });
});
