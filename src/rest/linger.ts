/** What becomes of a body that was refused before its end: so much more of it is read and thrown away, then no more. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Enough for most clients to get their request out and read the answer. */
const maxBytes = 64 * 1024 * 1024;
const maxMs = 5_000;

/** Lets the client finish while it is answered, within bounds; then the connection is closed on it. */
export const lingerOver = (request: IncomingMessage, response: ServerResponse): void => {
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
