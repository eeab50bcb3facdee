import { expect, test } from 'vitest';
import { Compensation } from '../../../src/operations/campaigns/campaignInput/compensation.ts';

test('what was made last is taken back first; what cannot be, does not keep the rest', async () => {
  const leftovers = new Compensation();
  const removed: string[] = [];
  const heard: unknown[] = [];
  const trouble = new Error('the disk is away');
  leftovers.add(() => Promise.resolve(removed.push('audio')));
  leftovers.add(() => Promise.reject(trouble));
  leftovers.add(() => Promise.resolve(removed.push('list')));
  await leftovers.remove((error) => heard.push(error));
  await leftovers.remove((error) => heard.push(error));
  expect([removed, heard]).toEqual([['list', 'audio'], [trouble]]);
});

test('what is kept is not taken back', async () => {
  const leftovers = new Compensation();
  const removed: string[] = [];
  leftovers.add(() => Promise.resolve(removed.push('list')));
  leftovers.keep();
  await leftovers.remove(() => {});
  expect(removed).toEqual([]);
});
