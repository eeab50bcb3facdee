import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { EffectCall } from '../../src/engine/contract/performer.ts';
import { JournalShelf } from '../helpers/journalShelf.ts';
import { type Bed, memoryBed, postgresBed } from './bed.ts';
import { contextOf, errand } from './errand.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const graceMs = 500;
const begin = async (engine: RamalEngine, input: object = {}) => {
  const result = await engine.start({ kind: 'errand', shard: 'a', account, input });
  if (result.outcome !== 'started') throw new Error('not started');
  return result.ref;
};
const problemOf = (engine: RamalEngine) => engine.shardStates()[0]!.problem;
const isOpen = (engine: RamalEngine) => problemOf(engine) === undefined;
/** The store, but for these. */
const instead = (store: ShardMachineStore, others: Partial<ShardMachineStore>): ShardMachineStore =>
  new Proxy(store, {
    get: (target, name) =>
      others[name as keyof ShardMachineStore] ??
      (target[name as keyof ShardMachineStore] as () => unknown).bind(target),
  });
const isClosed = (engine: RamalEngine) => problemOf(engine)?.startsWith('is closed');

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('journals, when a database goes back, on %s', (_name, makeBed) => {
  let bed: Bed;
  let shelf: JournalShelf;
  let ended: Set<string>;
  /** What was done in the world at most once. */
  let done: string[];
  const performers = { once: async (call: EffectCall) => void done.push(call.id) };
  beforeEach(async () => {
    done = [];
    shelf = new JournalShelf();
    ended = new Set();
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  const node = (process: string, journal = shelf.open(), through = (store: ShardMachineStore) => store) =>
    bed.node({ graceMs, performers, process, ended, journal, through });
  const kill = (engine: RamalEngine, process: string): void => {
    engine.abandon();
    ended.add(process);
  };
  /** The shard was doubted, and these nodes serve it again. */
  const isOpenAgain = (engines: RamalEngine[]) =>
    until(async () => {
      const { state, doubt } = await bed.store.standing(0);
      return state === 'open' && doubt === 1 && engines.every(isOpen);
    });
  const wordsOf = async (engine: RamalEngine, ref: Awaited<ReturnType<typeof begin>>) =>
    contextOf(await engine.view(ref)).words;
  const revisionsOf = async (engine: RamalEngine, ref: Awaited<ReturnType<typeof begin>>) =>
    (await engine.history(ref, 0, 1_000)).map(({ revision }) => revision);

  it('bring those of a node that ended while it was looked at, and close nothing meanwhile', async () => {
    const engine = await node('one');
    const ref = await begin(engine);
    const restore = await bed.backUp();
    await engine.send(ref, { type: 'word', text: 'one' });
    engine.abandon();
    await restore();
    let hasLived = false;
    let closed = 0;
    const next = await node('next', shelf.open(), (store) =>
      instead(store, {
        fates: async (incarnations) => {
          const fates = await store.fates(incarnations);
          if (hasLived || ![...fates.values()].includes('ended')) return fates;
          hasLived = true;
          return new Map([...fates.keys()].map((one) => [one, 'living']));
        },
        close: (why, at) => {
          closed += 1;
          return store.close(why, at);
        },
      }),
    );
    await until(async () => isOpen(next) && (await wordsOf(next, ref)).includes('one'));
    expect([hasLived, closed]).toEqual([true, 0]);
  });

  it('bring back what the database lacks: nothing is lost, and nothing is done a second time', async () => {
    const engine = await node('one');
    const ref = await begin(engine);
    const restore = await bed.backUp();
    await engine.send(ref, { type: 'ask', name: 'once' });
    await until(() => done.length === 1);
    const later = await begin(engine);
    for (const text of ['one', 'two']) await engine.send(ref, { type: 'word', text });
    await engine.send(later, { type: 'word', text: 'hello' });
    const before = await engine.history(ref, 0, 100);
    await restore();
    await isOpenAgain([engine]);
    expect(await wordsOf(engine, ref)).toEqual(['one', 'two']);
    expect(await wordsOf(engine, later)).toEqual(['hello']);
    expect(await engine.history(ref, 0, 100)).toEqual(before);
    await engine.send(ref, { type: 'word', text: 'on' });
    expect(await wordsOf(engine, ref)).toEqual(['one', 'two', 'on']);
    expect(done).toHaveLength(1);
    expect(await bed.store.standing(0)).toMatchObject({ state: 'open', losses: 0 });
  });

  it('of several nodes are written again in the order of before, with what machines told each other', async () => {
    const [one, other] = [await node('one'), await node('other')];
    const friend = await begin(other);
    const ref = await begin(one, { friend: friend.id });
    const restore = await bed.backUp();
    const texts = Array.from({ length: 20 }, (_, index) => `word ${index}`);
    for (const text of texts) await one.send(ref, { type: 'tell', text });
    await until(async () => (await wordsOf(other, friend)).length === texts.length);
    await restore();
    await isOpenAgain([one, other]);
    expect(await wordsOf(other, friend)).toEqual(texts);
    await one.send(ref, { type: 'tell', text: 'on' });
    await until(async () => (await wordsOf(other, friend)).at(-1) === 'on');
    expect(await wordsOf(one, friend)).toEqual([...texts, 'on']);
  });

  it('of a node that was killed are brought by one that lies beside it, which goes on with its machines', async () => {
    const [lost, idle] = [await node('lost'), await node('idle')];
    const ref = await begin(lost);
    const restore = await bed.backUp();
    await lost.send(ref, { type: 'ask', name: 'once' });
    await until(() => done.length === 1);
    await lost.send(ref, { type: 'word', text: 'kept' });
    lost.abandon();
    await restore();
    ended.add('lost');
    await isOpenAgain([idle]);
    await until(async () => (await idle.send(ref, { type: 'word', text: 'on' })).outcome === 'stepped');
    await until(async () => (await wordsOf(idle, ref)).at(-1) === 'on');
    expect(await wordsOf(idle, ref)).toContain('kept');
    expect(done).toHaveLength(1);
  });

  it('are read by the next process when a copy was restored while none ran', async () => {
    const first = await node('first');
    const ref = await begin(first);
    const restore = await bed.backUp();
    await first.send(ref, { type: 'ask', name: 'once' });
    await until(() => done.length === 1);
    await first.stop();
    ended.add('first');
    await restore();
    const second = await node('second');
    await isOpenAgain([second]);
    await second.send(ref, { type: 'word', text: 'on' });
    expect(await wordsOf(second, ref)).toEqual(['on']);
    expect(done).toHaveLength(1);
  });

  it('make nodes known again that joined after the copy was taken', async () => {
    const old = await node('old');
    const restore = await bed.backUp();
    const [lost, living] = [await node('lost'), await node('living')];
    const refs = [await begin(lost), await begin(living)];
    for (const [index, engine] of [lost, living].entries())
      await engine.send(refs[index]!, { type: 'ask', name: 'once' });
    await until(() => done.length === 2);
    kill(lost, 'lost');
    await restore();
    await isOpenAgain([old, living]);
    for (const ref of refs)
      await until(async () => {
        await living.send(ref, { type: 'word', text: 'on' });
        return (await wordsOf(living, ref)).includes('on');
      });
    expect(done).toHaveLength(2);
    await begin(living);
  });

  it('that are not at hand keep the shard closed, and open it when they come', async () => {
    const elsewhere = new JournalShelf();
    const lost = await node('lost', elsewhere.open());
    const idle = await node('idle');
    const ref = await begin(lost);
    const restore = await bed.backUp();
    await lost.send(ref, { type: 'ask', name: 'once' });
    await until(() => done.length === 1);
    await lost.send(ref, { type: 'word', text: 'kept' });
    kill(lost, 'lost');
    await restore('promoted');
    await until(() => isClosed(idle));
    expect(problemOf(idle)).toMatch(/a node has ended that cannot confirm its writes \(test \d+\)/);
    shelf.books.push(...elsewhere.books);
    await until(() => isOpen(idle));
    expect([await wordsOf(idle, ref), done.length]).toEqual([['kept'], 1]);
    expect((await bed.store.standing(0)).losses).toBe(0);
  });

  it('that are not at hand keep it closed also where the copy was made before their node held any machine', async () => {
    const elsewhere = new JournalShelf();
    const lost = await node('lost', elsewhere.open());
    const idle = await node('idle');
    const restore = await bed.backUp();
    const ref = await begin(lost);
    await lost.send(ref, { type: 'ask', name: 'once' });
    await until(() => done.length === 1);
    kill(lost, 'lost');
    await restore('promoted');
    await until(() => isClosed(idle));
    expect(problemOf(idle)).toMatch(/a node has ended that cannot confirm its writes \(test \d+\)/);
    shelf.books.push(...elsewhere.books);
    await until(() => isOpen(idle));
    expect([(await idle.view(ref)) !== undefined, done.length]).toEqual([true, 1]);
    expect((await bed.store.standing(0)).losses).toBe(0);
  });

  it('are not asked of a node that ended while it joined', async () => {
    const closed: string[] = [];
    const idle = await node('idle', shelf.open(), (store) =>
      instead(store, {
        close: async (why, at) => {
          closed.push(why);
          await store.close(why, at);
        },
      }),
    );
    const ref = await begin(idle);
    const joining = node('joining', new JournalShelf().open(), (store) =>
      instead(store, { beat: () => Promise.reject(new Error('the connection was reset')) }),
    );
    await expect(joining).rejects.toThrow('no shard of the database answers');
    const restore = await bed.backUp();
    await restore('promoted');
    ended.add('joining');
    await isOpenAgain([idle]);
    expect([await wordsOf(idle, ref), closed]).toEqual([[], []]);
  });

  it('that lack a commit in the middle keep the shard closed, and nothing behind it is written', async () => {
    const [lost, idle] = [await node('lost'), await node('idle')];
    const ref = await begin(lost);
    const restore = await bed.backUp();
    for (const text of ['one', 'two', 'three']) await lost.send(ref, { type: 'word', text });
    lost.abandon();
    const { lines } = shelf.books[0]!;
    const ofLane = lines.filter(({ lane }) => lane === lines.at(-1)!.lane);
    lines.splice(lines.indexOf(ofLane.at(-2)!), 1);
    await restore();
    ended.add('lost');
    await until(() => isClosed(idle));
    expect(problemOf(idle)).toContain(`lacks a commit before its ${ofLane.at(-1)!.number}th`);
    expect(await wordsOf(idle, ref)).not.toContain('three');
  });

  it('are read again by a node that has written nothing when the server was started anew', async () => {
    let serverSince = 1;
    let looks = 0;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      instead(store, {
        standing: async (incarnation) => {
          looks += 1;
          return { ...(await store.standing(incarnation)), serverSince };
        },
      });
    const lost = await node('lost');
    const idle = await bed.node({
      graceMs,
      performers,
      process: 'idle',
      ended,
      journal: shelf.open(),
      through,
    });
    const ref = await begin(lost);
    const restore = await bed.backUp();
    await lost.send(ref, { type: 'word', text: 'kept' });
    await lost.stop();
    ended.add('lost');
    // It has compared that journal with a database that lacks nothing.
    const before = looks;
    await until(() => looks > before + 4);
    await restore();
    serverSince = 2;
    await until(async () => (await wordsOf(idle, ref)).includes('kept'));
  });

  it('name a node that others have seen, of which neither database nor journals know', async () => {
    const old = await node('old');
    const restore = await bed.backUp();
    const elsewhere = new JournalShelf();
    const lost = await node('lost', elsewhere.open());
    const { incarnation } = elsewhere.books[0]!.owner;
    await until(() => shelf.books[0]!.seen.has(incarnation));
    await begin(lost);
    await begin(old);
    kill(lost, 'lost');
    await restore();
    await until(() => isClosed(old));
    expect(problemOf(old)).toContain(`does not know node ${incarnation}, which others have seen`);
    shelf.books.push(...elsewhere.books);
    await until(() => isOpen(old));
  });

  it('count no more when an operator opened the shard as it stood, for processes of later either', async () => {
    const elsewhere = new JournalShelf();
    const lost = await node('lost', elsewhere.open());
    const idle = await node('idle');
    const ref = await begin(lost);
    const restore = await bed.backUp();
    await lost.send(ref, { type: 'word', text: 'lost' });
    kill(lost, 'lost');
    await restore('promoted');
    await until(() => isClosed(idle));
    expect(await bed.store.openAfterLoss(Date.now())).toBe(true);
    await until(() => isOpen(idle));
    shelf.books.push(...elsewhere.books);
    const next = await node('next');
    await begin(next);
    await until(() => isOpen(next));
    expect((await bed.store.standing(0)).doubt).toBe(1);
    expect(await wordsOf(next, ref)).not.toContain('lost');
  });

  it('count no more then either, when their node noted afterwards whom it saw', async () => {
    const lost = await node('lost', new JournalShelf().open());
    const writing = await node('writing');
    const [own, others] = [await begin(writing), await begin(lost)];
    const restore = await bed.backUp();
    await writing.send(own, { type: 'word', text: 'own' });
    await lost.send(others, { type: 'word', text: 'lost' });
    kill(lost, 'lost');
    await restore('promoted');
    await until(() => isClosed(writing));
    // Its next heartbeat begins before it hears of the opening.
    shelf.books[0]!.lastAt = Date.now() + 60_000;
    expect(await bed.store.openAfterLoss(Date.now())).toBe(true);
    await until(() => isOpen(writing));
    const next = await node('next');
    await begin(next);
    expect((await bed.store.standing(0)).doubt).toBe(1);
    expect(await wordsOf(next, own)).toEqual([]);
  });

  it('keep who held a key, and who was refused it', async () => {
    const engine = await node('one');
    const restore = await bed.backUp();
    const claims = [{ key: 'idempotency 1', forMs: 60_000, answer: 'mine' }];
    const start = () => engine.start({ kind: 'errand', shard: 'a', account, input: {}, claims });
    const outcomes = (await Promise.all([start(), start(), start()])).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['claimed', 'claimed', 'started']);
    await restore();
    await isOpenAgain([engine]);
    expect(await start()).toMatchObject({ outcome: 'claimed', answer: 'mine' });
  });

  it('are all brought where it goes back to the middle of a doubt that is over', async () => {
    const found: string[][] = [];
    let ref: Awaited<ReturnType<typeof begin>> | undefined;
    const noteOpened = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) => {
          const deed = (target[name as keyof ShardMachineStore] as (...given: unknown[]) => unknown).bind(
            target,
          );
          if (name !== 'openWhenAllConfirmed') return deed;
          return async (...given: unknown[]) => {
            const answer = (await deed(...given)) as { opened: boolean };
            if (answer.opened && ref) found.push(await wordsOf(one, ref));
            return answer;
          };
        },
      });
    const one = await node('one', shelf.open(), noteOpened);
    const other = await node('other', shelf.open(), noteOpened);
    ref = await begin(other);
    one.suspect('a', 'has a split brain');
    const { doubt } = await until(async () => {
      const standing = await bed.store.standing(0);
      return standing.state === 'checking' && standing;
    });
    await until(async () => (await bed.store.openWhenAllConfirmed(doubt, 0)).missing.length === 1);
    const restore = await bed.backUp();
    one.suspect('a', undefined);
    await until(() => isOpen(one) && isOpen(other));
    for (const text of ['heard', 'since']) await other.send(ref, { type: 'word', text });
    await restore();
    await until(async () => {
      const standing = await bed.store.standing(0);
      return standing.state === 'open' && standing.doubt > doubt && isOpen(one) && isOpen(other);
    });
    expect(await wordsOf(one, ref)).toEqual(['heard', 'since']);
    expect(found).toEqual([[], ['heard', 'since']]);
  });

  it('bring it back as often as it goes back, from backups old and new', async () => {
    const engine = await node('one');
    const ref = await begin(engine);
    const first = await bed.backUp();
    const texts: string[] = [];
    const goOn = async (text: string): Promise<void> => {
      texts.push(text);
      await engine.send(ref, { type: 'word', text });
    };
    for (const round of [1, 2, 3]) {
      await goOn(`round ${round}`);
      await first();
      await isOpenAgain([engine]);
      expect(await wordsOf(engine, ref)).toEqual(texts);
      await goOn(`after ${round}`);
    }
    const revisions = await revisionsOf(engine, ref);
    expect(revisions).toEqual(revisions.map((_, index) => index + 1));
  });
});
