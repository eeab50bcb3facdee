import { expect, it } from 'vitest';
import { FailureDetector } from '../../src/engine/cluster/failureDetector.ts';
import type { NodeRow } from '../../src/engine/contract/store.ts';

const aNode = (
  incarnation: number,
  beats: number,
  beatAt: number,
  stoppedAt: number | null = null,
): NodeRow => ({
  ...{ incarnation, slot: incarnation, name: 'n', process: 'p', beats, beatAt, stoppedAt, serverSince: null },
});

it('measures silence from when it first saw a count, by its own clock', () => {
  const peers = new FailureDetector();
  peers.observe([aNode(1, 5, 1_000)], 100);
  peers.observe([aNode(1, 5, 1_000)], 300);
  expect(peers.silences(350).map(({ silentMs }) => silentMs)).toEqual([250]);
  peers.observe([aNode(1, 6, 1_000)], 400);
  expect(peers.silences(450).map(({ silentMs }) => silentMs)).toEqual([50]);
});

it('takes a new stamp for a sign of life: a node of the release before does not count', () => {
  const peers = new FailureDetector();
  peers.observe([aNode(1, 0, 1_000)], 100);
  peers.observe([aNode(1, 0, 3_000)], 300);
  expect(peers.silences(350).map(({ silentMs }) => silentMs)).toEqual([50]);
});

it('knows a time that every living node has passed: none is taken for late because another is ahead', () => {
  const peers = new FailureDetector();
  peers.observe([aNode(1, 1, 1_000), aNode(2, 1, 70_000), aNode(3, 1, 5, 6)], 0);
  expect(peers.earliestTime(60_000)).toBe(1_000);
  peers.markDead(1);
  expect(peers.earliestTime(60_000)).toBe(60_000);
  expect([peers.living, peers.dead]).toEqual([1, [3, 1]]);
});
