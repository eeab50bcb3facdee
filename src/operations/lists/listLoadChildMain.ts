/** The process: hears its task, connects, loads its list, says what came of it, and ends; with its parent at latest. */
import { once } from 'node:events';
import { openSingleDatabaseConnection } from '../../store/singleConnection.ts';
import type { ListLoadChildRequest, ListLoadChildMessage } from './loadListInChildProcess.ts';
import { loadListFile } from './loadListFile.ts';

const say = (word: ListLoadChildMessage): Promise<void> =>
  new Promise((said) => process.send!(word, undefined, undefined, () => said()));

const hear = async <Type extends ListLoadChildRequest['type']>(
  type: Type,
): Promise<Extract<ListLoadChildRequest, { type: Type }>> => {
  const [told] = (await once(process, 'message')) as [ListLoadChildRequest];
  if (told.type !== type) throw new Error(`${told.type} was told where ${type} was asked for`);
  return told as Extract<ListLoadChildRequest, { type: Type }>;
};

const run = async (): Promise<void> => {
  const { job, url, schema } = await hear('task');
  const client = await openSingleDatabaseConnection({ url, schema });
  try {
    const result = await loadListFile(client, job, async (loaded) => {
      const told = hear('claims');
      await say({ type: 'loaded', loaded });
      return (await told).claims;
    });
    await say({ type: 'ended', result });
  } finally {
    await client.end().catch(() => {});
  }
};

// The parent is gone: ending the connection makes PostgreSQL roll back what was begun for it.
process.once('disconnect', () => process.exit(1));
try {
  await run();
} catch (error) {
  const { message, code } = error as Error & { code?: string };
  await say({ type: 'failed', message, code });
}
// A connection that broke may still hold the process.
process.exit(0);
