import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IntrusiveListNode, IntrusiveList } from '../../src/engine/contract/intrusiveList.ts';

class One extends IntrusiveListNode {
  readonly name: number;

  constructor(name: number) {
    super();
    this.name = name;
  }
}

describe('a list of what comes and goes', () => {
  it('holds what was added and not removed, in the order it came', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(7)), { maxLength: 60 }), (deeds) => {
        const list = new IntrusiveList<One>();
        const ones = Array.from({ length: 8 }, (_, name) => new One(name));
        const expected = new Set<One>();
        for (const [adds, name] of deeds) {
          const one = ones[name]!;
          if (adds && !one.listed) {
            list.add(one);
            expected.add(one);
          } else if (!adds) expect(list.remove(one)).toBe(expected.delete(one));
          expect([...list]).toEqual([...expected]);
          expect(list.size).toBe(expected.size);
        }
      }),
    );
  });

  it('lets the one at hand be removed', () => {
    const list = new IntrusiveList<One>();
    for (const name of [1, 2, 3]) list.add(new One(name));
    const seen: number[] = [];
    for (const one of list) {
      seen.push(one.name);
      list.remove(one);
    }
    expect([seen, list.size]).toEqual([[1, 2, 3], 0]);
  });

  it('refuses what stands in a list', () => {
    const [list, other, one] = [new IntrusiveList<One>(), new IntrusiveList<One>(), new One(1)];
    list.add(one);
    expect(() => other.add(one)).toThrow('stands in a list already');
  });

  it('leaves nothing on what was removed that points at others', () => {
    const list = new IntrusiveList<One>();
    const ones = [1, 2, 3].map((name) => new One(name));
    for (const one of ones) list.add(one);
    list.clear();
    expect(ones.map(({ prev: older, next: younger, listed }) => [older, younger, listed])).toEqual(
      ones.map(() => [null, null, false]),
    );
  });
});
