/** How a file begins: enough to see what it is. */
import { open } from 'node:fs/promises';

/** Its first bytes, `most` at the most. Rejects as `open` does. */
export const readFileHead = async (path: string, most: number): Promise<Buffer> => {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(most), 0, most, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
