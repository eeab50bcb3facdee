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

/**
 * Lets the client finish while it is answered, within bounds; then the connection is closed on it. To be called before
 * the answer is begun; a second call takes none of the bounds of the first away.
 */
export const drainRequestBody = (
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, maxMs }: BodyDrainLimits = usual,
): void => {
  if (request.complete || request.destroyed) return;
  keepConnectionUntilRead(request, response);
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
  // A reader that gave up may have paused it.
  request.resume();
};

/**
 * Of a client that wants its connection closed, Node closes it as soon as the answer has ended: what the client still
 * sends is answered with a reset, and the client loses the answer. Here it is closed when both have ended.
 */
const keepConnectionUntilRead = (request: IncomingMessage, response: ServerResponse): void => {
  if (response.shouldKeepAlive || response.headersSent) return;
  response.shouldKeepAlive = true;
  // Node would call the connection kept alive, which it is not.
  response.removeHeader('Connection');
  const close = () => {
    if (request.readableEnded && response.writableFinished) request.socket.destroySoon();
  };
  request.once('end', close);
  response.once('finish', close);
};
