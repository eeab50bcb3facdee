import { expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { closestKnownName } from '../../src/lib/closestKnownName.ts';

const known = ['dest', 'text', 'text2', 'cp_id', 'ctid', 'vel', 'time_resends', 'sendinbound'];

test.each([
  ['texto', 'text'],
  ['tetx', 'text'],
  ['Text', 'text'],
  ['texto2', 'text2'],
  ['cpId', 'cp_id'],
  ['destt', 'dest'],
  ['time_resend', 'time_resends'],
  ['timeResends', 'time_resends'],
  ['sendInbuond', 'sendinbound'],
])('%s means %s', (name, meant) => {
  expect(closestKnownName(name, known)).toBe(meant);
});

test.each(['text7', 'dest2', 'colour', 'velo', 'id', '', 'x'.repeat(10_000)])(
  '%s means none of them',
  (name) => {
    expect(closestKnownName(name, known)).toBeUndefined();
  },
);

test('no name of an operation is taken for another one of it when its number is another', () => {
  for (const op of operations)
    for (const { rest } of Object.values(op.params as Record<string, { rest: string }>))
      if (/\d$/.test(rest)) expect(closestKnownName(rest.replace(/\d+$/, '99'), [rest])).toBeUndefined();
});
