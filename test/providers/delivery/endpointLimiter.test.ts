import { beforeEach, describe, expect, it } from 'vitest';
import {
  type WebhookEndpointCircuitLimiter,
  openEndpointLimiter,
} from '../../../src/providers/delivery/webhook/endpointLimiter.ts';
import { newWebhookWaitEstimator } from '../../../src/providers/delivery/webhook/queueWaitEstimator.ts';
import { Retryable, NotRetryable } from '../../../src/engine/contract/performer.ts';

let clock = 0;
let limiter: WebhookEndpointCircuitLimiter;
let begun: string[];
let ends: Map<string, (error?: Error) => void>;
beforeEach(() => {
  clock = 1_000;
  begun = [];
  ends = new Map();
  limiter = openEndpointLimiter({ now: () => Date.UTC(2026, 10, 20), clock: () => clock });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What became of a request, once something has. */
const sent = (
  name: string,
  { account = 3, origin = 'https://a.example', signal = new AbortController().signal, insists = false } = {},
) =>
  limiter
    .pass(
      { account, origin },
      () => {
        begun.push(name);
        return new Promise<string>((resolve, reject) =>
          ends.set(name, (error) => (error ? reject(error) : resolve('there'))),
        );
      },
      { signal, insists },
    )
    .catch((error: Error & { afterMs?: number }) => `${error.name}: ${error.message}`);

const failure = new Retryable('it answered HTTP 500');
const open = 'CircuitOpen: it failed too often and is left alone for a while; at last it answered HTTP 500';

/** Requests one after the other, each of which fails. */
const failing = async (count: number, where = {}): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const outcome = sent('failing', where);
    await settled();
    ends.get('failing')?.(failure);
    ends.delete('failing');
    outcomes.push(await outcome);
  }
  return outcomes;
};

describe('the limiter before a target', () => {
  it('lets 8 through at a time, and the others in the order they came', async () => {
    const names = Array.from({ length: 10 }, (_, n) => `r${n}`);
    const all = names.map((name) => sent(name));
    await settled();
    expect(begun).toEqual(names.slice(0, 8));
    ends.get('r3')!();
    await settled();
    expect(begun.at(-1)).toBe('r8');
    ends.get('r0')!(failure);
    await settled();
    for (const name of names) ends.get(name)!();
    expect(await Promise.all(all)).toEqual(
      names.map((name) => (name === 'r0' ? `Retryable: ${failure.message}` : 'there')),
    );
    expect(limiter.counts()).toEqual({ inFlight: 0, waiting: 0, open: 0 });
  });

  it('holds 64 of an account at a time, lets its targets take turns, and nobody else waits for it', async () => {
    const all = Array.from({ length: 10 }, (_, target) =>
      Array.from({ length: 8 }, (__, n) => sent(`t${target}.${n}`, { origin: `https://${target}.example` })),
    ).flat();
    await settled();
    expect(begun).toHaveLength(64);
    void sent('other', { account: 4 });
    await settled();
    expect(begun.at(-1)).toBe('other');
    for (let n = 0; n < 4; n += 1) ends.get(`t0.${n}`)!();
    await settled();
    expect(begun.slice(-4).map((name) => name.split('.')[0])).toEqual(['t8', 't9', 't8', 't9']);
    for (let round = 0; round < 3; round += 1) {
      for (const end of ends.values()) end();
      await settled();
    }
    expect(new Set(await Promise.all(all))).toEqual(new Set(['there']));
  });

  it('lets nobody wait who is no longer wanted', async () => {
    const quit = new AbortController();
    const first = Array.from({ length: 8 }, (_, n) => sent(`r${n}`));
    const given = sent('given up', { signal: quit.signal });
    const last = sent('last');
    await settled();
    quit.abort(new Error('over'));
    expect(await given).toBe('Error: over');
    for (let n = 0; n < 8; n += 1) ends.get(`r${n}`)!();
    await Promise.all(first);
    await settled();
    ends.get('last')!();
    expect([await last, begun.includes('given up')]).toEqual(['there', false]);
  });
});

describe('a target that fails', () => {
  it('is left alone after 5 failures in a row, for 5 s that double to a minute', async () => {
    expect(await failing(4)).toEqual(Array.from({ length: 4 }, () => `Retryable: ${failure.message}`));
    const good = sent('good');
    await settled();
    ends.get('good')!();
    await good;
    await failing(5);
    const pauses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const [view] = limiter.targetsOf(3);
      expect(view).toMatchObject({ state: 'open', lastError: failure.message });
      pauses.push(view!.opensInMs);
      begun = [];
      expect([await sent('early'), begun]).toEqual([open, []]);
      clock += view!.opensInMs - 1;
      expect(await sent('early')).toBe(open);
      clock += 1;
      expect(limiter.targetsOf(3)).toMatchObject([{ state: 'half', opensInMs: 0 }]);
      expect(await failing(1)).toEqual([`Retryable: ${failure.message}`]);
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('is asked by one request when its pause is over; the others wait for the verdict, and go', async () => {
    await failing(5);
    clock += 5_000;
    begun = [];
    const all = ['probe', 'second', 'third'].map((name) => sent(name));
    await settled();
    expect(begun).toEqual(['probe']);
    ends.get('probe')!();
    await settled();
    expect(begun).toEqual(['probe', 'second', 'third']);
    ends.get('second')!();
    ends.get('third')!();
    expect(await Promise.all(all)).toEqual(['there', 'there', 'there']);
    expect(limiter.targetsOf(3)).toMatchObject([{ state: 'closed', failures: 0 }]);
  });

  it('fails those who waited for the verdict with the probe, without a connection', async () => {
    await failing(5);
    clock += 5_000;
    begun = [];
    const all = ['probe', 'second', 'third'].map((name) => sent(name));
    await settled();
    ends.get('probe')!(failure);
    expect(await Promise.all(all)).toEqual([`Retryable: ${failure.message}`, open, open]);
    expect([begun, limiter.counts()]).toEqual([['probe'], { inFlight: 0, waiting: 0, open: 1 }]);
  });

  it('fails who stood in line when it opened, and asks another when the probe said nothing of it', async () => {
    const all = Array.from({ length: 20 }, (_, n) => sent(`r${n}`));
    await settled();
    for (let n = 0; n < 5; n += 1) ends.get(`r${n}`)!(failure);
    await settled();
    // Those that had begun before say nothing new.
    for (const end of ends.values()) end(failure);
    const outcomes = await Promise.all(all);
    expect(outcomes.filter((outcome) => outcome === open)).toHaveLength(20 - begun.length);
    expect(begun.length).toBeLessThan(13);
    expect(limiter.targetsOf(3)).toMatchObject([{ state: 'open', opensInMs: 5_000 }]);
    clock += 5_000;
    const gone = sent('gone');
    const next = sent('next');
    await settled();
    ends.get('gone')!(new NotRetryable('gone', 'it is gone'));
    await settled();
    ends.get('next')!();
    expect([await gone, await next]).toEqual(['NotRetryable: it is gone', 'there']);
  });

  it('says when to come again: after its pause, and the later the longer it has been failing', async () => {
    const awayMs = () =>
      limiter
        .pass({ account: 3, origin: 'https://a.example' }, () => Promise.resolve(), {
          signal: new AbortController().signal,
        })
        .catch(({ afterMs }: { afterMs: number }) => afterMs);
    await failing(5);
    const first = Number(await awayMs());
    expect(first).toBeGreaterThanOrEqual(5_000 + 2_500);
    expect(first).toBeLessThanOrEqual(5_000 + 5_000);
    const later: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      clock += 60_000;
      await failing(1);
      later.push(Number(await awayMs()));
    }
    expect(later[9]).toBeGreaterThan(5 * 60_000);
    expect(later[9]).toBeLessThanOrEqual(12 * 60_000);
    expect(Math.max(...later)).toBeLessThanOrEqual(31 * 60_000);
    expect(Math.min(...later.slice(30))).toBeGreaterThanOrEqual(15 * 60_000);
  });

  it('is tried by who insists, 8 at a time, and by nobody else', async () => {
    await failing(5);
    begun = [];
    const all = Array.from({ length: 10 }, (_, n) => sent(`r${n}`, { insists: true }));
    expect(await sent('patient')).toBe(open);
    await settled();
    expect(begun).toHaveLength(8);
    ends.get('r0')!(failure);
    await settled();
    expect(begun).toHaveLength(9);
    ends.get('r1')!();
    await settled();
    expect(limiter.targetsOf(3)).toMatchObject([{ state: 'closed' }]);
    for (const end of ends.values()) end();
    expect(await Promise.all(all)).toEqual(
      all.map((_, n) => (n === 0 ? `Retryable: ${failure.message}` : 'there')),
    );
  });

  it('is not tried by who insists where more insist than it could be asked by', async () => {
    await failing(5);
    clock += 1;
    const all = Array.from({ length: 8 + 512 }, (_, n) => sent(`r${n}`, { insists: true }));
    expect(await sent('one more', { insists: true })).toBe(
      'Retryable: it goes on failing, and 512 others are about to try it; at last it answered HTTP 500',
    );
    for (let round = 0; round < 66; round += 1) {
      await settled();
      for (const end of ends.values()) end();
    }
    expect(new Set(await Promise.all(all))).toEqual(new Set(['there']));
  });

  it('is closed at once when it was seen to work past the line; another account’s is not touched by it', async () => {
    await failing(5);
    await failing(5, { account: 4 });
    expect(limiter.counts().open).toBe(2);
    limiter.succeeded({ account: 3, origin: 'https://a.example' });
    expect(limiter.targetsOf(3)).toMatchObject([{ state: 'closed' }]);
    expect(limiter.targetsOf(4)).toMatchObject([{ state: 'open' }]);
  });

  it('is forgotten when it rests and 2,000 others came after it', async () => {
    await failing(5);
    for (let n = 0; n < 2_001; n += 1) limiter.succeeded({ account: 5, origin: `https://${n}.example` });
    expect(limiter.targetsOf(3)).toEqual([]);
    expect(limiter.targetsOf(5)).toHaveLength(2_000);
  });
});

describe('the pace of a target', () => {
  it('makes room for what gets its turn within half a minute', () => {
    const pace = newWebhookWaitEstimator();
    expect(pace.room()).toBe(512);
    for (let n = 0; n < 50; n += 1) pace.took(2_000);
    expect(pace.room()).toBeGreaterThan(100);
    expect(pace.room()).toBeLessThan(130);
    for (let n = 0; n < 50; n += 1) pace.took(60_000);
    expect(pace.room()).toBe(8);
  });

  it('gives every later one a later turn, as fast as the target is, and none beyond ten minutes', () => {
    const pace = newWebhookWaitEstimator(() => 0.5);
    for (let n = 0; n < 100; n += 1) pace.took(8_000);
    const turns = Array.from({ length: 700 }, () => pace.turnIn(0, 30, 3_600_000));
    expect(turns[0]).toBeGreaterThan(30_000);
    expect(turns[10]! - turns[0]!).toBeGreaterThan(9_900);
    expect(turns[10]! - turns[0]!).toBeLessThan(10_100);
    expect(Math.max(...turns)).toBeLessThanOrEqual(600_000);
    expect(turns.at(-1)).toBe(450_000);
    // Time has passed: the line has moved.
    expect(pace.turnIn(590_000, 0, 3_600_000)).toBeLessThan(15_000);
    expect(pace.turnIn(10_000_000, 0, 3_600_000)).toBe(5_000);
  });

  it('is not foretold further than four times as long as there was a line', () => {
    const pace = newWebhookWaitEstimator(() => 1);
    for (let n = 0; n < 100; n += 1) pace.took(8_000);
    const last = (busyMs: number): number =>
      Math.max(...Array.from({ length: 1_000 }, () => pace.turnIn(0, 30, busyMs)));
    expect([0, 1_000, 10_000, 60_000, 3_600_000].map(last)).toEqual([
      10_000, 10_000, 40_000, 240_000, 600_000,
    ]);
  });
});
