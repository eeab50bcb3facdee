import { expect, it } from 'vitest';
import { Semaphore } from '../../src/lib/semaphore.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and a list of what has begun. */
const aWorkload = () => {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) =>
      ends.set(name, (error) => (error ? reject(error) : resolve(name))),
    );
  };
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)!(error) };
};

it('begins as much as may be done at a time, and the rest in the order it came, also after a failure', async () => {
  const { begun, work, end } = aWorkload();
  const turns = new Semaphore(2);
  const { signal } = new AbortController();
  const all = ['a', 'b', 'c', 'd'].map((name) => turns.take(work(name), signal));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  end('b', new Error('broken'));
  await expect(all[1]).rejects.toThrow('broken');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  expect(await all[0]).toBe('a');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all([all[2], all[3]])).toEqual(['c', 'd']);
});

it('does not begin what was given up while it waited, and loses no turn by it', async () => {
  const { begun, work, end } = aWorkload();
  const turns = new Semaphore(1);
  const giveUp = new AbortController();
  const { signal } = new AbortController();
  const first = turns.take(work('a'), signal);
  const second = turns.take(work('b'), giveUp.signal);
  const third = turns.take(work('c'), signal);
  await settled();
  giveUp.abort(new Error('over'));
  await expect(second).rejects.toThrow('over');
  await expect(turns.take(work('d'), giveUp.signal)).rejects.toThrow('over');
  end('a');
  await first;
  await settled();
  end('c');
  expect([await third, begun]).toEqual(['c', ['a', 'c']]);
});

it('refuses what would wait beyond the bound, and takes it again when there is room', async () => {
  const { begun, work, end } = aWorkload();
  const turns = new Semaphore(1, { waiting: 1, tooMany: (waiting) => new Error(`${waiting} wait`) });
  const first = turns.take(work('a'));
  const second = turns.take(work('b'));
  await expect(turns.take(work('c'))).rejects.toThrow('1 wait');
  end('a');
  await first;
  const third = turns.take(work('d'));
  await settled();
  end('b');
  await second;
  await settled();
  end('d');
  expect([await third, begun]).toEqual(['d', ['a', 'b', 'd']]);
});
