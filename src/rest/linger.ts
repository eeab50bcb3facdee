/** What becomes of a body that was refused before its end: so much more of it is read and thrown away, then no more. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** How much more of a body is read. */
export interface BodyDrainLimits {
  maxBytes: number;
  maxMs: number;
}

/** Enough for most clients to get their request out and read the answer. */
const usual: BodyDrainLimits = { maxBytes: 64 * 1024 * 1024, maxMs: 5_000 };
/** For a client whose body is not wanted at all. */
export const briefBodyDrainLimits: BodyDrainLimits = { maxBytes: 256 * 1024, maxMs: 1_000 };

/** Lets the client finish while it is answered, within bounds; then the connection is closed on it. */
export const drainRequestBody = (
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, maxMs }: BodyDrainLimits = usual,
): void => {
  if (request.complete || request.destroyed) return;
  let left = maxBytes;
  const close = () => {
    request.pause();
    if (response.writableFinished) request.socket.destroy();
    else response.once('finish', () => request.socket.destroy());
  };
  const late = setTimeout(close, maxMs);
  request.once('close', () => clearTimeout(late));
  request.once('end', () => clearTimeout(late));
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) close();
  });
};
