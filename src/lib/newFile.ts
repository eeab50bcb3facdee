/** A file of ours with what a stream brings. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes what comes from the source into a file that this makes. When it settles nothing is done to that path any more: a
 * pipeline that fails at once rejects before its file was opened, and a file that is removed then is there later. Rejects as
 * `pipeline` does.
 */
export const pipeIntoNewFile = async (
  source: Readable | AsyncIterable<Uint8Array>,
  path: string,
): Promise<void> => {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const closed = once(file, 'close').catch(() => {});
  try {
    await pipeline(source, file);
  } catch (error) {
    await closed;
    throw error;
  }
};
