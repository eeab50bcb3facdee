import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { Retryable, NotRetryable, type EffectCall } from '../../src/engine/contract/performer.ts';
import { contextOf, errand } from './errand.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { withInbox, withRead } from './commits.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const begin = async (engine: RamalEngine, input: object = {}) => {
  const result = await engine.start({ kind: 'errand', shard: 'a', account, input });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('the engine on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  it('answers a start only when the machine stands in the store', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    expect((await bed.store.read([ref]))[0]).toMatchObject({
      state: 'open',
      revision: 1,
      kind: 'errand',
      version: 1,
    });
    expect(await engine.history(ref, 0, 10)).toMatchObject([
      { revision: 1, event: 'started', state: 'open' },
    ]);
  });

  it('keeps every event in its history, in the order it came', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => engine.send(ref, { type: 'word', text })));
    expect(contextOf(await engine.view(ref)).words).toEqual(['a', 'b', 'c', 'd']);
    expect((await engine.history(ref, 1, 10)).map(({ event, payload }) => [event, payload])).toEqual(
      ['a', 'b', 'c', 'd'].map((text) => ['word', { type: 'word', text }]),
    );
  });

  it('performs an effect after the commit, under an id that names the request', async () => {
    const calls: EffectCall[] = [];
    const engine = await bed.node({
      performers: {
        fetch: async (call: EffectCall) => {
          calls.push(call);
          return { events: [{ type: 'fetched', text: 'bread' }] };
        },
      },
    });
    const ref = await begin(engine);
    await engine.send(ref, { type: 'ask', name: 'fetch' });
    const view = await until(async () => {
      const now = await engine.view(ref);
      return now?.agenda.length === 0 && now;
    });
    expect(contextOf(view).words).toEqual(['fetched bread']);
    expect(calls.map(({ id, attempt, params }) => ({ id, attempt, params }))).toEqual([
      { id: `a.${account}.${ref.id}.2.0`, attempt: 1, params: { how: 'ok' } },
    ]);
  });

  it('tries an effect again when the provider could not, and tells the chart when tries are used up', async () => {
    let tries = 0;
    const engine = await bed.node({
      performers: {
        fetch: async () => {
          tries += 1;
          throw new Retryable('shop is shut', { afterMs: 1 });
        },
      },
    });
    const ref = await begin(engine);
    await engine.send(ref, { type: 'ask', name: 'fetch' });
    const view = await until(async () => {
      const now = await engine.view(ref);
      return contextOf(now).words.length > 0 && now;
    });
    expect(contextOf(view).words).toEqual(['failed triesUsedUp']);
    expect(tries).toBe(3);
    expect(view.attention).toContain('shop is shut');
  });

  it('notes every acceptance, however many come between two steps', async () => {
    let accept = (): void => {};
    const accepted = new Promise<void>((resolve) => (accept = resolve));
    const calls: string[] = [];
    const engine = await bed.node({
      performers: {
        fetch: ({ id }: EffectCall) => {
          calls.push(id);
          return accepted;
        },
      },
    });
    const ref = await begin(engine);
    for (let asked = 0; asked < 3; asked += 1) await engine.send(ref, { type: 'ask', name: 'fetch' });
    await until(() => calls.length === 3);
    accept();
    await engine.send(ref, { type: 'word', text: 'next' });
    await until(async () => (await engine.view(ref))?.agenda.length === 0);
    expect(calls).toHaveLength(3);
  });

  it('does not try again after a no', async () => {
    let tries = 0;
    const engine = await bed.node({
      performers: {
        fetch: async () => {
          tries += 1;
          throw new NotRetryable('noBread', 'there is none');
        },
      },
    });
    const ref = await begin(engine);
    await engine.send(ref, { type: 'ask', name: 'fetch' });
    await until(async () => contextOf(await engine.view(ref)).words.includes('failed noBread'));
    expect(tries).toBe(1);
  });

  it('hears what a provider says although no database takes a character of it', async () => {
    const engine = await bed.node({
      performers: {
        fetch: async ({ id }: EffectCall) => {
          if (id.endsWith('.2.0')) return { events: [{ type: 'fetched', text: 'bre\u0000ad \ud800' }] };
          throw new NotRetryable('no\u0000Bread', 'there is \u0000 none');
        },
      },
    });
    const ref = await begin(engine);
    for (const word of ['fetched bre\uFFFDad \uFFFD', 'failed no\uFFFDBread']) {
      await engine.send(ref, { type: 'ask', name: 'fetch' });
      await until(async () => contextOf(await engine.view(ref)).words.includes(word));
    }
    expect((await engine.view(ref))?.attention).toBeNull();
  });

  it('aborts an effect after its declared time: at most once means nobody knows', async () => {
    let aborted = false;
    const engine = await bed.node({
      performers: {
        once: (call: EffectCall) =>
          new Promise((_resolve, reject) => {
            call.signal.addEventListener('abort', () => {
              aborted = true;
              reject(new Error('aborted'));
            });
          }),
      },
    });
    const ref = await begin(engine);
    await engine.send(ref, { type: 'ask', name: 'once' });
    await until(async () => contextOf(await engine.view(ref)).words.includes('unknown once'));
    expect(aborted).toBe(true);
  });

  it('fires a timer when it is due, and drops one that was cancelled', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    await engine.send(ref, { type: 'wait' });
    await until(async () => contextOf(await engine.view(ref)).words.includes('deadline ended'));
    const entry = (await engine.history(ref, 0, 10)).find(({ event }) => event.includes('deadline'))!;
    const armed = (await engine.history(ref, 0, 10)).find(({ event }) => event === 'wait')!;
    expect(entry.at - armed.at).toBeGreaterThanOrEqual(300);
  });

  it('lets one machine tell another, once', async () => {
    const engine = await bed.node();
    const friend = await begin(engine);
    const ref = await begin(engine, { friend: friend.id });
    await engine.send(ref, { type: 'tell', text: 'hello' });
    await until(async () => contextOf(await engine.view(friend)).words.length > 0);
    expect(contextOf(await engine.view(friend)).words).toEqual(['hello']);
    expect(await bed.store.inbox((await bed.store.read([friend]))[0]!.heldBy, 10)).toEqual([]);
  });

  it('gives a claimed key to one start only and tells the other who holds it', async () => {
    const engine = await bed.node();
    const claims = [{ key: 'same text', forMs: 60_000, answer: '{"x":1}' }];
    const results = await Promise.all(
      [1, 2, 3].map(() => engine.start({ kind: 'errand', shard: 'a', account, input: {}, claims })),
    );
    const started = results.filter((result) => result.outcome === 'started');
    expect(started).toHaveLength(1);
    const owner = String((started[0] as { ref: { id: number } }).ref.id);
    for (const result of results)
      if (result.outcome === 'claimed')
        expect(result).toEqual({ outcome: 'claimed', key: 'same text', owner, answer: '{"x":1}' });
    const other = await engine.start({ kind: 'errand', shard: 'a', account: 8, input: {}, claims });
    expect(other.outcome).toBe('started');
  });

  it('lets a claim run out', async () => {
    const engine = await bed.node();
    const claims = [{ key: 'short', forMs: 1 }];
    await engine.start({ kind: 'errand', shard: 'a', account, input: {}, claims });
    await until(async () => {
      const again = await engine.start({ kind: 'errand', shard: 'a', account, input: {}, claims });
      return again.outcome === 'started';
    });
  });

  it('undoes a step whose claim is held by another machine', async () => {
    const engine = await bed.node();
    const [one, other] = [await begin(engine), await begin(engine)];
    await engine.send(one, { type: 'claimKey', key: 'seat' });
    await engine.send(other, { type: 'claimKey', key: 'seat' });
    await until(async () => contextOf(await engine.view(other)).words.length > 0);
    expect(contextOf(await engine.view(one)).words).toEqual(['claimed seat']);
    expect(contextOf(await engine.view(other)).words).toEqual(['refused seat']);
  });

  it('takes the word away that asked for a claim in vain', async () => {
    const engine = await bed.node();
    const [holder, asker] = [await begin(engine), await begin(engine)];
    const teller = await begin(engine, { friend: asker.id });
    await engine.send(holder, { type: 'claimKey', key: 'chair' });
    await engine.send(teller, { type: 'claimThere', key: 'chair' });
    await until(async () => contextOf(await engine.view(asker)).words.length > 0);
    expect(contextOf(await engine.view(asker)).words).toEqual(['refused chair']);
    const [row] = await bed.store.read([asker]);
    expect(await bed.store.inbox(row!.heldBy, 10)).toEqual([]);
  });

  it('sets an event that breaks the chart aside and goes on', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    await engine.send(ref, { type: 'boom' });
    await engine.send(ref, { type: 'word', text: 'still here' });
    const view = await engine.view(ref);
    expect(view?.attention).toContain('the chart broke');
    expect(contextOf(view).words).toEqual(['still here']);
    expect((await engine.history(ref, 0, 10)).map(({ event, asked }) => [event, asked])).toContainEqual([
      'boom',
      ['failed: the chart broke'],
    ]);
  });

  it('stops a chart that spins and leaves the others alone', async () => {
    // A busy machine may not write two hundred steps of one machine in a second.
    const engine = await bed.node({ ownStepsPerSecond: 10 });
    const [spinner, other] = [await begin(engine), await begin(engine)];
    await engine.send(spinner, { type: 'spin' });
    await until(async () => (await engine.view(spinner))?.attention?.includes('too many steps'));
    expect(await engine.send(other, { type: 'word', text: 'fine' })).toEqual({
      outcome: 'stepped',
      state: 'open',
    });
  });

  it('drops events of a source that it has seen before', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    for (const seq of [1, 2, 2, 1, 3])
      await engine.send(ref, { type: 'word', text: `n${seq}`, source: 'leg 1', seq });
    expect(contextOf(await engine.view(ref)).words).toEqual(['n1', 'n2', 'n3']);
  });

  it('says that an ended machine hears nothing more, and that a stranger is not there', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    await engine.send(ref, { type: 'finish' });
    expect((await engine.view(ref))?.endedAt).not.toBeNull();
    expect(await engine.send(ref, { type: 'word', text: 'late' })).toEqual({ outcome: 'gone' });
    expect(await engine.send({ ...ref, account: 8 }, { type: 'word', text: 'foreign' })).toEqual({
      outcome: 'gone',
    });
    expect(await engine.send({ ...ref, id: 12 }, { type: 'word', text: 'nobody' })).toEqual({
      outcome: 'gone',
    });
  });

  it('wakes who waits for a milestone, before or after it was passed', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    const waiting = engine.waitFor(ref, 'done', 10_000);
    await engine.send(ref, { type: 'finish' });
    expect(await waiting).toBe('reached');
    expect(await engine.waitFor(ref, 'done', 10_000)).toBe('reached');
    expect(await engine.waitFor(ref, 'never', 10_000)).toBe('ended');
    expect(await engine.waitFor(await begin(engine), 'done', 30)).toBe('timeout');
  });

  it('tells no other account that a machine passed a milestone, while it passes it or afterwards', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    const foreign = { ...ref, account: 8 };
    const waiting = engine.waitFor(foreign, 'done', 200);
    await engine.send(ref, { type: 'finish' });
    expect([await waiting, await engine.waitFor(foreign, 'done', 30)]).toEqual(['timeout', 'timeout']);
  });

  it('reads no row for who waits for a machine that is here', async () => {
    let reads = 0;
    const counting = (store: ShardMachineStore): ShardMachineStore =>
      withRead(store, (keys) => {
        reads += 1;
        return store.read(keys);
      });
    const engine = await bed.node({ through: counting });
    const ref = await begin(engine);
    const waiting = engine.waitFor(ref, 'done', 10_000);
    await engine.send(ref, { type: 'finish' });
    expect([await waiting, reads]).toEqual(['reached', 0]);
  });

  it('refuses text that cannot be stored, before anything is written', async () => {
    const engine = await bed.node();
    await expect(
      engine.start({ kind: 'errand', shard: 'a', account, input: { how: 'a\u0000b' } }),
    ).rejects.toThrow(TypeError);
    await expect(
      engine.start({ kind: 'errand', shard: 'a', account, input: { how: '\ud800' } }),
    ).rejects.toThrow(TypeError);
  });

  it('admits no start while it stops, and finishes what it has begun', async () => {
    let finish = (): void => {};
    const engine = await bed.node({
      performers: { fetch: () => new Promise<void>((resolve) => void (finish = resolve)) },
    });
    const ref = await begin(engine);
    await engine.send(ref, { type: 'ask', name: 'fetch' });
    const stopped = engine.stop();
    await expect(begin(engine)).rejects.toThrow('stopping');
    finish();
    await stopped;
    expect((await bed.store.read([ref]))[0]!.agenda).toBe('[]');
  });

  it('stops when what its last steps have told is heard, though that has still to be read', async () => {
    let isHeld = false;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => void (release = resolve));
    const engine = await bed.node({
      cache: 1,
      through: (store) =>
        withInbox(store, async (heldBy, limit) => {
          if (isHeld) await released;
          return store.inbox(heldBy, limit);
        }),
    });
    const friend = await begin(engine);
    const ref = await begin(engine, { friend: friend.id });
    isHeld = true;
    await engine.send(ref, { type: 'tell', text: 'hello' });
    const stopped = engine.stop();
    // Long enough for one that does not wait to have stopped.
    setTimeout(release, 100);
    await stopped;
    const [row] = await bed.store.read([friend]);
    expect(row!.snapshot).toContain('hello');
    expect(await bed.store.inbox(row!.heldBy, 10)).toEqual([]);
  });

  it('keeps few machines in memory and loses none', async () => {
    const engine = await bed.node({ cache: 10 });
    const refs = await Promise.all(Array.from({ length: 60 }, () => begin(engine)));
    await Promise.all(refs.map((ref) => engine.send(ref, { type: 'word', text: String(ref.id) })));
    await Promise.all(refs.map((ref) => engine.send(ref, { type: 'wait' })));
    for (const ref of refs)
      await until(async () => contextOf(await engine.view(ref)).words.join() === `${ref.id},deadline ended`);
  });

  it('moves the finished to history, where they can still be read', async () => {
    const engine = await bed.node();
    const ref = await begin(engine);
    await engine.send(ref, { type: 'word', text: 'kept' });
    await engine.send(ref, { type: 'finish' });
    const before = await engine.view(ref);
    expect(await bed.store.rest(engine.now('a') + 1, engine.now('a'), 10)).toBe(1);
    expect(await bed.store.read([ref])).toEqual([]);
    expect(await engine.view(ref)).toMatchObject({
      state: 'done',
      context: before!.context,
      milestones: ['done'],
    });
    expect(await engine.send(ref, { type: 'word', text: 'late' })).toEqual({ outcome: 'gone' });
  });
});
