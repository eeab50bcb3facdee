/** Requests that come on one connection before the one before is answered (pipelining). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many wait behind an answer; more are begun at once, as Node does: their answers wait instead. */
const mostWaiting = 64;

/**
 * Begins each request of a connection when the answer before it was sent. Hundreds may come in one piece, and would all
 * be worked on before any other client's is looked at, for answers that cannot leave yet, and that the client may not
 * read.
 */
export const serializePipelinedRequests = (answer: RequestListener): RequestListener => {
  const waiting = new WeakMap<Socket, number>();
  return (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
    const { socket } = request;
    const ahead = waiting.get(socket) ?? 0;
    if (response.socket !== null || ahead >= mostWaiting) {
      answer(request, response);
      return;
    }
    waiting.set(socket, ahead + 1);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      answer(request, response);
    });
  };
};
