/**
 * Asks many small questions with few statements: while one is on its way, the next questions gather. A statement of its
 * own costs a question more than its answer does, on both sides of the connection.
 */
import type { Pool } from 'pg';
import { isTransientDatabaseError } from '../transientError.ts';

interface Pending<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * A function that answers one question, though `askAll` hears of up to `most` (default 500) at a time and answers
 * in their order. When the database is away, everyone who was asked for hears it; when it refuses a question, who asked
 * that one does, and the others are asked for alone.
 */
export const batchLoader = <Question, Answer>(
  askAll: (questions: Question[]) => Promise<Answer[]>,
  most = 500,
): ((question: Question) => Promise<Answer>) => {
  let waiting: Pending<Question, Answer>[] = [];
  let asking = false;

  const askOn = async (): Promise<void> => {
    asking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await answer(batch);
    }
    asking = false;
  };

  const answer = async (batch: Pending<Question, Answer>[]): Promise<void> => {
    try {
      const answers = await askAll(batch.map((pending) => pending.question));
      batch.forEach((pending, index) => pending.resolve(answers[index]!));
    } catch (error) {
      if (batch.length === 1 || isTransientDatabaseError(error))
        for (const pending of batch) pending.reject(error);
      else for (const pending of batch) await answer([pending]);
    }
  };

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      // Questions of the same turn of the event loop go into one query.
      if (!asking) {
        asking = true;
        queueMicrotask(() => void askOn());
      }
    });
};

/** The same, asked of a database that is named with the question: those of one database gather. */
export const batchLoaderOn = <Question, Answer>(
  askAll: (pool: Pool, questions: Question[]) => Promise<Answer[]>,
): ((pool: Pool, question: Question) => Promise<Answer>) => {
  const gatherings = new WeakMap<Pool, (question: Question) => Promise<Answer>>();
  return (pool, question) => {
    let ask = gatherings.get(pool);
    if (!ask) gatherings.set(pool, (ask = batchLoader((questions) => askAll(pool, questions))));
    return ask(question);
  };
};
