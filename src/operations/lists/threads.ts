/** A list that is loaded in a thread: started for it, ended with it. */
import { Worker } from 'node:worker_threads';
import type { ClaimRequest } from '../../engine/verbs.ts';
import type { ClaimsOf, ListFailure, ListJob, ListLoaded } from './load.ts';

/** What the thread is started with. */
export interface ThreadTask {
  job: ListJob;
  url: string;
  schema: string;
}

/** What it says. */
export type ThreadWord =
  /** Which claims come with this? */
  | { type: 'loaded'; loaded: ListLoaded }
  | { type: 'ended'; result: ListLoaded | ListFailure }
  | { type: 'failed'; message: string; code: string | undefined };

/** What it is told. */
export interface ThreadAnswer {
  claims: ClaimRequest[];
}

/** Little of a list is ever in memory; rubbish is to be taken away early. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/** Throws when the database fails, or the thread. */
export const loadInThread = (
  { url, schema }: { url: string; schema: string },
  job: ListJob,
  claimsOf: ClaimsOf,
): Promise<ListLoaded | ListFailure> =>
  new Promise((resolve, reject) => {
    const worker = startWorker({ job, url, schema });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`the thread that loaded a list ended with ${code}`)));
    worker.on('message', (word: ThreadWord) => {
      if (word.type === 'ended') resolve(word.result);
      else if (word.type === 'failed') reject(Object.assign(new Error(word.message), { code: word.code }));
      else void claimsOf(word.loaded).then((claims) => tell(worker, { claims }), reject);
    });
  });

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const tell = (worker: Worker, answer: ThreadAnswer): void => worker.postMessage(answer);

const startWorker = (task: ThreadTask): Worker => {
  // Nothing of our environment, secrets least of all, is its business.
  const options = { workerData: task, env: {}, resourceLimits };
  if (import.meta.url.endsWith('.js')) return new Worker(new URL('./thread.js', import.meta.url), options);
  // In development the sources run as they are: tsx must be at home in the thread before they come.
  const source = JSON.stringify(new URL('./thread.ts', import.meta.url).href);
  const run = `import('tsx/esm/api').then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(run, { ...options, eval: true });
};
