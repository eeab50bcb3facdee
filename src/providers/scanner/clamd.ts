/** ClamAV's daemon, over TCP or a local socket: commands `INSTREAM` and `PING` in their NUL-ended form. */
import { connect, type Socket } from 'node:net';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import type { VirusScanner } from '../contracts/scanner.ts';

export interface ClamdOptions {
  /** `tcp://host:port` or `unix:///path`. */
  url: string;
  /** A scanner that says and takes nothing for so long does not answer, milliseconds. Default 30,000. */
  timeoutMs?: number;
}

/** Its answers are short; one that is not is not clamd's, bytes. */
const LONGEST_ANSWER = 4096;
const HEALTH_TIMEOUT_MS = 1500;

export const clamdScanner = ({ url, timeoutMs = 30_000 }: ClamdOptions): VirusScanner => ({
  async scan(content) {
    const answer = await ask(url, timeoutMs, (socket) => sendStream(socket, content));
    if (answer === 'stream: OK') return undefined;
    const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
    if (found !== undefined) return found;
    if (answer.includes('size limit exceeded'))
      throw new NotRetryable('notScanned', 'the virus scanner takes no file of this size');
    throw new Retryable(`the virus scanner answered "${answer}"`);
  },

  async health() {
    const answer = await ask(url, HEALTH_TIMEOUT_MS, (socket) => void socket.write('zPING\0'));
    return {
      ok: answer === 'PONG',
      detail: answer === 'PONG' ? 'clamd answers' : 'clamd answers something else',
    };
  },
});

/** Sends, and reads one answer until its NUL. */
const ask = (
  url: string,
  timeoutMs: number,
  send: (socket: Socket) => Promise<void> | void,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTo(url);
    let answer = '';
    const fail = (why: string, cause?: unknown): void => {
      reject(new Retryable(`the virus scanner ${why}`, { cause }));
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => fail('does not answer'));
    // One that will not read on closes at once; if it has said why, that is heard.
    socket.on('error', (error) => {
      if (!answer.endsWith('\0')) fail('cannot be reached, or reads no further', error);
    });
    socket.on('data', (part: Buffer) => {
      answer += part.toString('utf8');
      if (answer.length > LONGEST_ANSWER) fail('talks too much');
    });
    socket.on('close', () => {
      if (!answer.endsWith('\0')) return fail('broke off');
      resolve(answer.slice(0, -1).trim());
    });
    socket.once('connect', () => {
      Promise.resolve(send(socket)).catch((error: unknown) => fail('could not be shown the file', error));
    });
  });

const connectTo = (url: string): Socket => {
  const { protocol, hostname, port, pathname } = new URL(url);
  return protocol === 'unix:'
    ? connect(decodeURIComponent(pathname))
    : connect(Number(port || '3310'), hostname.replace(/^\[|\]$/g, ''));
};

/** Each part behind its length; one of no length ends it. A scanner that has answered early takes no more. */
const sendStream = async (socket: Socket, content: AsyncIterable<Buffer>): Promise<void> => {
  socket.write('zINSTREAM\0');
  for await (const part of content) {
    if (socket.destroyed || socket.readableEnded) return;
    socket.write(lengthOf(part));
    if (!socket.write(part)) await drained(socket);
  }
  socket.write(Buffer.alloc(4));
};

const lengthOf = (part: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
};

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
