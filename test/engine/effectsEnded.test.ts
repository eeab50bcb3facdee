/** The history says how each effect ended: what its provider said, after how many attempts, and how long the last one took. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Retryable, NotRetryable, type EffectCall } from '../../src/engine/contract/performer.ts';
import type { HistoryEntryView, MachineRef } from '../../src/engine/contract/api.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import { errand } from './errand.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { until } from '../helpers/patience.ts';

const account = 7;

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('how effects ended, on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  const asks = async (engine: RamalEngine, name: 'fetch' | 'once'): Promise<MachineRef> => {
    const begun = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
    if (begun.outcome !== 'started') throw new Error('not started');
    await engine.send(begun.ref, { type: 'ask', name });
    return begun.ref;
  };
  /** The first event that brings the end of an effect. */
  const told = (engine: RamalEngine, ref: MachineRef): Promise<HistoryEntryView> =>
    until(async () => (await engine.history(ref, 0, 10)).find(({ ended }) => ended.length > 0));

  it('an effect that was tried three times and brought an answer says both, and its event stays as it was told', async () => {
    const engine = await bed.node({
      performers: {
        fetch: async ({ attempt }: EffectCall) => {
          if (attempt < 3) throw new Retryable('shop is shut', { afterMs: 1 });
          return { events: [{ type: 'fetched', text: 'bread' }] };
        },
      },
    });
    const entry = await told(engine, await asks(engine, 'fetch'));
    expect(entry).toMatchObject({ event: 'fetched', payload: { type: 'fetched', text: 'bread' } });
    expect(entry.payload).not.toHaveProperty('$ended');
    expect(entry.ended).toEqual([
      { id: '2.0', name: 'fetch', outcome: 'accepted', tries: 3, ms: expect.any(Number) as number },
    ]);
    expect(entry.ended[0]!.ms).toBeLessThan(60_000);
  });

  it('one that was refused says that it failed', async () => {
    const engine = await bed.node({
      performers: {
        fetch: async () => {
          throw new NotRetryable('unknownBread', 'no such bread');
        },
      },
    });
    const entry = await told(engine, await asks(engine, 'fetch'));
    expect(entry.event).toBe('fetchFailed');
    expect(entry.ended).toMatchObject([{ name: 'fetch', outcome: 'failed', tries: 1 }]);
  });

  it('one whose tries were used up, or that may not be tried again, has a number of attempts and a word', async () => {
    const engine = await bed.node({
      performers: {
        fetch: async () => {
          throw new Retryable('shop is shut', { afterMs: 1 });
        },
        once: async () => {
          throw new Error('the line broke');
        },
      },
    });
    const used = await told(engine, await asks(engine, 'fetch'));
    expect(used.ended).toMatchObject([{ name: 'fetch', outcome: 'failed', tries: 3 }]);
    const broken = await told(engine, await asks(engine, 'once'));
    expect([broken.event, broken.ended]).toMatchObject([
      'outcomeUnknown',
      [{ name: 'once', outcome: 'unknown', tries: 1 }],
    ]);
  });

  it('one that was accepted with nothing to tell stands with the event that came next, its time with it', async () => {
    let performed = 0;
    const engine = await bed.node({ performers: { fetch: async () => void (performed += 1) } });
    const ref = await asks(engine, 'fetch');
    await until(() => performed === 1);
    await until(async () => {
      await engine.send(ref, { type: 'word', text: 'next' });
      return (await engine.history(ref, 0, 10)).some(({ ended }) => ended.length > 0);
    });
    const entry = await told(engine, ref);
    expect(entry.event).toBe('word');
    expect(entry.ended).toMatchObject([{ id: '2.0', name: 'fetch', outcome: 'accepted', tries: 1 }]);
    const asked = (await engine.history(ref, 0, 10)).find(({ revision }) => revision === 2)!;
    expect(entry.ended[0]!.ms).toBeLessThanOrEqual(entry.at - asked.at);
  });

  it('an event that no effect ended with says so', async () => {
    const engine = await bed.node();
    const begun = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
    if (begun.outcome !== 'started') throw new Error('not started');
    expect((await engine.history(begun.ref, 0, 10)).map(({ ended }) => ended)).toEqual([[]]);
  });
});
