import { expect, test } from 'vitest';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { computeRowChangeToApply, parseRowChanges } from '../../src/store/rowChanges/rowChange.ts';
import { PRISMA_MODEL_TABLES } from '../../src/store/rowChanges/journaledTables.ts';

/** Written by commits of machines, made anew by whoever needs them, or left out by docs/decisions/0025. */
const NOT_KEPT = {
  commits: ['Machine', 'History', 'Inbox', 'Claim', 'Call', 'Campaign', 'Delivery', 'Balance', 'LedgerEntry'],
  alsoCommits: ['Template', 'Message', 'BlockedNumber'],
  ofTheEngine: ['Node', 'ShardState', 'Redo', 'Writer', 'RowMark', 'RowWriter'],
  counters: ['SmallId'],
  leftOut: [
    'List',
    'ListRecord',
    'ListReject',
    'Destination',
    'SkippedDestination',
    'Media',
    'AuditEntry',
    'Lockout',
  ],
  alsoLeftOut: [
    'KeyCheck',
    'GlobalBlock',
    'InboundMessage',
    'Conversation',
    'TrunkShare',
    'CallCharge',
    'CallerIdUse',
    'Spending',
  ],
};

test('every table is kept, or is named here as one that is not', () => {
  const kept = Object.keys(PRISMA_MODEL_TABLES).map((model) => model[0]!.toUpperCase() + model.slice(1));
  const all = [...kept, ...Object.values(NOT_KEPT).flat()];
  expect(all.toSorted()).toEqual(Object.values(Prisma.ModelName).toSorted());
});

test('of each column the latest stands, whatever came first', () => {
  const change = { table: 'tokens', key: '[3,1]', at: 20, set: { label: 'late', revoked_at: 5 } };
  expect(computeRowChangeToApply(change, {})).toMatchObject({
    set: change.set,
    marks: { label: 20, revoked_at: 20 },
  });
  const changedSince = computeRowChangeToApply(change, { label: 30 });
  expect(changedSince).toEqual({ goes: false, set: { revoked_at: 5 }, marks: { label: 30, revoked_at: 20 } });
  expect(computeRowChangeToApply(change, { label: 20, revoked_at: 20 })).toBeUndefined();
});

test('a deleted row comes back only by what was written after that', () => {
  const change = { table: 'groups', key: '[3,1]', at: 20 };
  expect(computeRowChangeToApply({ ...change, set: { name: 'x' } }, { gone: 25 })).toBeUndefined();
  expect(computeRowChangeToApply({ ...change, set: { name: 'x' } }, { gone: 15 })).toMatchObject({
    set: { name: 'x' },
  });
  expect(computeRowChangeToApply(change, { name: 19 })).toEqual({ goes: true, set: {}, marks: { gone: 20 } });
  expect(computeRowChangeToApply(change, { name: 21 })).toBeUndefined();
});

test('what a newer release wrote is refused by name', () => {
  expect(() => parseRowChanges('{"format":2,"images":[]}')).toThrow('a newer release wrote it (format 2)');
});
