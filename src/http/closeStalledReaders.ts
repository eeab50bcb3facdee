/** Ends connections whose client does not take what it asked for. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface UnreadAnswerLimits {
  /** An answer that waits to be taken for so long, and of which not a byte is taken, is cut off; milliseconds. */
  unreadMs: number;
  /** Between looks, milliseconds. */
  lookMs: number;
}

/** How far a connection got, and since when it is no further. */
interface Mark {
  progress: string;
  since: number;
}

/**
 * Looks at every connection now and then. What is looked at is the socket, down to what the kernel has not accepted
 * yet: a stream may be drained into buffers that the client never empties. A connection on which nothing waits (the
 * service thinks, or the client is silent between requests) is left alone.
 */
export const closeStalledResponseReaders = (
  server: Server,
  { unreadMs, lookMs }: UnreadAnswerLimits,
): void => {
  const marks = new Map<Socket, Mark | undefined>();
  server.on('connection', (socket) => {
    marks.set(socket, undefined);
    socket.once('close', () => marks.delete(socket));
  });
  const look = (): void => {
    const now = performance.now();
    for (const [socket, mark] of marks) {
      const progress = socket.writableLength === 0 ? undefined : progressOf(socket);
      if (progress === undefined) marks.set(socket, undefined);
      else if (progress !== mark?.progress) marks.set(socket, { progress, since: now });
      else if (now - mark.since >= unreadMs) socket.destroy();
    }
  };
  const looking = setInterval(look, lookMs).unref();
  server.once('close', () => clearInterval(looking));
};

/** Written, waiting in Node, and waiting in the kernel's queue: of a large write the last one alone moves. */
const progressOf = (socket: Socket): string => {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten} ${socket.writableLength} ${handle?.writeQueueSize ?? 0}`;
};
