import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenAddressingMap } from '../../src/engine/writer/openAddressingMap.ts';
import { IdGenerator } from '../../src/engine/contract/idGenerator.ts';

interface Value {
  of: number;
}

/** Ids as they are minted, small ones, and such as differ in one half only. */
const id = fc.oneof(
  fc.nat(30),
  fc.nat(30).map((low) => low * 2 ** 32 + 1),
  fc.integer({ min: Number.MAX_SAFE_INTEGER - 30, max: Number.MAX_SAFE_INTEGER }),
);

describe('a table by id', () => {
  it('says what a map says', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), id), { maxLength: 300 }), (deeds) => {
        const [table, map] = [new OpenAddressingMap<Value>(), new Map<number, Value>()];
        for (const [sets, one] of deeds) {
          if (sets) {
            const value = { of: one };
            table.set(one, value);
            map.set(one, value);
          } else {
            table.delete(one);
            map.delete(one);
          }
          expect(table.size).toBe(map.size);
        }
        for (const [, one] of deeds) expect(table.get(one)).toBe(map.get(one));
      }),
    );
  });

  it('finds every id that was minted, while it grows and while it shrinks', () => {
    const mint = new IdGenerator(0, () => 1_763_800_000_000);
    const ids = Array.from({ length: 20_000 }, () => mint.next());
    const table = new OpenAddressingMap<Value>();
    for (const one of ids) table.set(one, { of: one });
    expect(ids.every((one) => table.get(one)?.of === one)).toBe(true);
    for (const one of ids.slice(10)) table.delete(one);
    expect(table.size).toBe(10);
    expect(ids.filter((one) => table.get(one)?.of === one)).toEqual(ids.slice(0, 10));
  });
});
