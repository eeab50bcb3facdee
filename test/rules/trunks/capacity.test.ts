import { expect, test } from 'vitest';
import { capacityOfAll } from '../../../src/rules/trunks/capacity.ts';
import { tableOf, trunkOf } from './trunkTable.ts';

test('trunks that are on, at servers that are on, bear together', () => {
  const trunks = [
    trunkOf(1, 'a', { callsPerSecond: 10, legs: 100 }),
    trunkOf(2, 'b', { callsPerSecond: 5, legs: 50 }),
    trunkOf(3, 'drained', { state: 'draining' }),
    // Its server is drained.
    trunkOf(4, 'elsewhere', { server: 2 }),
  ];
  expect(capacityOfAll(tableOf(trunks))).toEqual({ callsPerSecond: 15, legs: 150 });
  const off = [trunkOf(1, 'a', { state: 'off', callsPerSecond: 10, legs: 100 })];
  expect(capacityOfAll(tableOf(off))).toEqual({ callsPerSecond: 10, legs: 100 });
});
