import { expect, test } from 'vitest';
import { SandboxHookLoopbackSender } from '../../../src/providers/chat/sandbox/hookSender.ts';
import type { ChatSenderLine } from '../../../src/providers/contracts/chat.ts';

const line = { class: 'msgapp', openAppSecret: () => 'secret' } as ChatSenderLine;

test('a hook sender that stops waits until what it brings was taken, and brings nothing more', async () => {
  const brought: number[] = [];
  let take = (): void => {};
  const hooks = new SandboxHookLoopbackSender({
    line: () => Promise.resolve(line),
    bring: async ({ line: id }) => {
      brought.push(id);
      await new Promise<void>((resolve) => (take = resolve));
      return 200;
    },
    clock: {
      now: Date.now,
      after: (ms, run) => {
        const alarm = setTimeout(run, ms);
        return () => clearTimeout(alarm);
      },
    },
  });
  const hook = { body: () => ({}), done: () => Promise.resolve() };
  hooks.send({ ...hook, id: 'first', lines: [1], dueAt: 0 });
  hooks.send({ ...hook, id: 'later', lines: [2], dueAt: Date.now() + 3_600_000 });
  await expect.poll(() => brought).toEqual([1]);

  let hasStopped = false;
  const stopped = hooks.stop().then(() => (hasStopped = true));
  await new Promise((resolve) => void setImmediate(resolve));
  expect(hasStopped).toBe(false);
  take();
  await stopped;
  expect(brought).toEqual([1]);
});
