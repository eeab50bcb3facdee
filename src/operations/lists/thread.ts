/** The thread: connects, loads its list, says what came of it, and ends. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { connectAlone } from '../../store/alone.ts';
import { load } from './load.ts';
import type { ThreadAnswer, ThreadTask, ThreadWord } from './threads.ts';

const port = parentPort!;
const say = (word: ThreadWord): void => port.postMessage(word);

const run = async ({ job, url, schema }: ThreadTask): Promise<void> => {
  const client = await connectAlone({ url, schema });
  try {
    const result = await load(client, job, async (loaded) => {
      say({ type: 'loaded', loaded });
      const [{ claims }] = (await once(port, 'message')) as [ThreadAnswer];
      return claims;
    });
    say({ type: 'ended', result });
  } finally {
    await client.end().catch(() => {});
  }
};

try {
  await run(workerData as ThreadTask);
} catch (error) {
  const { message, code } = error as Error & { code?: string };
  say({ type: 'failed', message, code });
}
// A connection that broke may still hold the thread.
process.exit(0);
