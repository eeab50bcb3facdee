import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { batchLoader, batchLoaderOn } from '../../../src/store/reads/batchLoader.ts';

/** A question asked of many at a time, each answered when it is told to be. */
const slowly = () => {
  const asked: number[][] = [];
  const answers: ((error?: Error) => void)[] = [];
  const askAll = (questions: number[]): Promise<number[]> => {
    asked.push(questions);
    return new Promise((resolve, reject) => {
      answers.push((error) => (error ? reject(error) : resolve(questions.map((question) => -question))));
    });
  };
  return { askAll, asked, answer: (error?: Error) => answers.shift()!(error) };
};

/** What waits for its turn has had it. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what is asked in one breath is one question, and what comes meanwhile is the next', async () => {
  const { askAll, asked, answer } = slowly();
  const ask = batchLoader(askAll, 3);
  const first = [ask(1), ask(2)];
  await settled();
  const next = [3, 4, 5, 6].map(ask);
  await settled();
  expect(asked).toEqual([[1, 2]]);
  answer();
  expect(await Promise.all(first)).toEqual([-1, -2]);
  await settled();
  answer();
  await settled();
  answer();
  expect(await Promise.all(next)).toEqual([-3, -4, -5, -6]);
  expect(asked).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('everyone hears that the database is away, and the next are asked', async () => {
  const { askAll, answer } = slowly();
  const ask = batchLoader(askAll);
  const failing = [ask(1), ask(2)].map((asked) => asked.catch((error: Error) => error.message));
  await settled();
  const next = ask(3);
  answer(Object.assign(new Error('away'), { code: 'ECONNRESET' }));
  expect(await Promise.all(failing)).toEqual(['away', 'away']);
  await settled();
  answer();
  expect(await next).toBe(-3);
});

test('a question that is refused takes no other along', async () => {
  const asked: number[][] = [];
  const ask = batchLoader(async (questions: number[]) => {
    asked.push(questions);
    if (questions.includes(2)) throw new Error('refused');
    return questions.map((question) => -question);
  });
  const answers = await Promise.allSettled([1, 2, 3].map(ask));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'refused'))).toEqual([
    -1,
    'refused',
    -3,
  ]);
  expect(asked).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test('questions to different databases do not wait for each other', async () => {
  const asked: [Pool, string[]][] = [];
  const ask = batchLoaderOn<string, string>(async (pool, questions) => {
    asked.push([pool, questions]);
    return questions;
  });
  const [here, there] = [{} as Pool, {} as Pool];
  expect(await Promise.all([ask(here, 'a'), ask(there, 'b'), ask(here, 'c')])).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual([
    [here, ['a', 'c']],
    [there, ['b']],
  ]);
});
