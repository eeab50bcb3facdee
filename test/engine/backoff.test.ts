import { expect, it } from 'vitest';
import { Backoff } from '../../src/engine/contract/backoff.ts';
import { hostClock } from '../../src/engine/contract/ports.ts';

const failingOften = (): Backoff => {
  const backoff = new Backoff(hostClock, () => 1, { firstMs: 50, longestMs: 5_000 });
  for (let failures = 0; failures < 12; failures += 1) backoff.failed();
  return backoff;
};

it('pauses as after a first failure once a gate that was shut has opened', async () => {
  const backoff = failingOften();
  expect(backoff.nextMs()).toBe(5_000);
  await backoff.waitForOpening({ mayWrite: false, opened: () => Promise.resolve() });
  expect(backoff.nextMs()).toBe(50);
  backoff.failed();
  expect(backoff.nextMs()).toBe(100);
});

it('goes on with long pauses where the gate stood open all the time', async () => {
  const backoff = failingOften();
  await backoff.waitForOpening({ mayWrite: true, opened: () => Promise.resolve() });
  expect(backoff.nextMs()).toBe(5_000);
});
