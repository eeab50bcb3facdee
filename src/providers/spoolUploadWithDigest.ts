/** Content whose length and digest must be known before it is sent. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeIntoNewFile } from '../lib/newFile.ts';

/** What is sent, and what its head must say. */
export interface ContentWithDigest {
  bytes: number;
  sha256: string;
  content(): Uint8Array | Readable;
}

export const toContentWithDigest = (content: Uint8Array): ContentWithDigest => ({
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
  content: () => content,
});

/** Puts a stream together on disk, where it has a length; a stream that breaks is not sent. */
export const spoolThenSend = async (
  folder: string,
  content: AsyncIterable<Uint8Array>,
  send: (body: ContentWithDigest) => Promise<void>,
): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `spool-${randomUUID()}`);
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = async function* () {
    for await (const part of content) {
      bytes += part.length;
      hash.update(part);
      yield part;
    }
  };
  try {
    await pipeIntoNewFile(measured(), path);
    await send({ bytes, sha256: hash.digest('hex'), content: () => createReadStream(path) });
  } finally {
    await rm(path, { force: true });
  }
};
