/** A file, chunk by chunk, in one piece of memory: a chunk is overwritten by the next. */
import { open } from 'node:fs/promises';

const chunkBytes = 64 * 1024;

export async function* readFileChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const memory = Buffer.allocUnsafeSlow(chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, chunkBytes);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
