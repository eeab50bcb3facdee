import { expect, test } from 'vitest';
import { RequestUndoActions } from '../../../src/operations/campaigns/campaignInput/compensation.ts';

test('what was made last is taken back first; what cannot be, does not keep the rest', async () => {
  const compensation = new RequestUndoActions();
  const removed: string[] = [];
  const heard: unknown[] = [];
  const trouble = new Error('the disk is away');
  compensation.add(() => Promise.resolve(removed.push('audio')));
  compensation.add(() => Promise.reject(trouble));
  compensation.add(() => Promise.resolve(removed.push('list')));
  await compensation.remove((error) => heard.push(error));
  await compensation.remove((error) => heard.push(error));
  expect([removed, heard]).toEqual([['list', 'audio'], [trouble]]);
});

test('what is kept is not taken back', async () => {
  const compensation = new RequestUndoActions();
  const removed: string[] = [];
  compensation.add(() => Promise.resolve(removed.push('list')));
  compensation.keep();
  await compensation.remove(() => {});
  expect(removed).toEqual([]);
});
