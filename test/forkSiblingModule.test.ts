/** Processes of ours beside the service. */
import type { ChildProcess } from 'node:child_process';
import { getPriority } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { forkSiblingModule } from '../src/forkSiblingModule.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The process that loads a list waits for its task. */
const aChild = (lowPriority: boolean): number => {
  const lists = new URL('../src/operations/lists/loadListInChildProcess.ts', import.meta.url).href;
  const child = forkSiblingModule(lists, 'listLoadChildMain', { lowPriority });
  children.push(child);
  return child.pid!;
};

test('one that gives way to calls has a lower priority than the service from its first moment; others have the same', () => {
  const own = getPriority(process.pid);
  expect([getPriority(aChild(true)), getPriority(aChild(false))]).toEqual([Math.max(10, own), own]);
});
