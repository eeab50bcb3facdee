/** The text of a request's body, whatever type it claims to be. */
import type { IncomingMessage } from 'node:http';
import type { BodyMemoryReservation } from '../access/bodyMemoryBudget.ts';
import { decodeUtf8OrLatin1 } from '../lib/clientTextEncoding.ts';

export type UnreadBodyReason = 'tooLarge' | 'encoded' | 'noRoom';

/** UTF-8, or ISO-8859-1 where it is not valid UTF-8. */
export const readBodyText = async (
  request: IncomingMessage,
  maxBytes: number,
  place: BodyMemoryReservation,
): Promise<{ text: string } | UnreadBodyReason> => {
  if (!/^(|identity)$/i.test(request.headers['content-encoding'] ?? '')) return 'encoded';
  const chunks: Buffer[] = [];
  let size = 0;
  // A request that is refused in the middle keeps its connection until it has been answered (`drainRefusedRequestBody.ts`).
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return 'tooLarge';
    if (!place.take(chunk.length)) return 'noRoom';
    chunks.push(chunk);
  }
  return { text: decodeUtf8OrLatin1(Buffer.concat(chunks)) };
};
