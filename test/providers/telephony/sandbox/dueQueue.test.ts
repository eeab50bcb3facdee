import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { dueQueue, type DueItem } from '../../../../src/providers/telephony/sandbox/dueQueue.ts';

it('gives the earliest item first, also after moments have changed or been taken back', () => {
  const moment = fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined });
  const changes = fc.array(fc.tuple(fc.integer({ min: 0, max: 19 }), moment), { maxLength: 200 });
  fc.assert(
    fc.property(changes, (steps) => {
      const items = Array.from({ length: 20 }, (): DueItem => ({ due: 0, place: -1 }));
      const expected = new Map<DueItem, number>();
      const queue = dueQueue();
      for (const [index, due] of steps) {
        queue.set(items[index]!, due);
        if (due === undefined) expected.delete(items[index]!);
        else expected.set(items[index]!, due);
      }
      const drained: number[] = [];
      for (let first = queue.first(); first; first = queue.first()) {
        drained.push(first.due);
        queue.set(first, undefined);
      }
      expect(drained).toEqual([...expected.values()].toSorted((a, b) => a - b));
    }),
  );
});
