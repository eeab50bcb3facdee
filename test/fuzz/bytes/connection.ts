/** One connection on which requests go out as bytes, several at a time, and answers are told apart as they come in. */
import { connect, type Socket } from 'node:net';

export interface Answer {
  http: number;
  head: string;
  body: string;
}

/** Requests that got no answer: the connection was closed, or time ran out. */
export type Fate = Answer | 'cut' | 'silent';

/** Of an answer's body so much is looked at, bytes. */
const lookedAt = 200_000;

export class Connection {
  readonly #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #wanted: { isHead: boolean; settle(fate: Fate): void }[] = [];
  #isClosed = false;

  constructor(port: number, localAddress: string) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    this.#socket.setNoDelay();
    this.#socket.on('data', (piece) => this.#read(piece));
    this.#socket.on('error', () => {});
    this.#socket.on('end', () => this.#socket.end());
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#settleAll('cut');
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends bytes that hold one request; settles with its answer. */
  ask(bytes: Buffer, isHead: boolean): Promise<Fate> {
    if (this.#isClosed) return Promise.resolve('cut');
    const answer = new Promise<Fate>((settle) => this.#wanted.push({ isHead, settle }));
    this.#socket.write(bytes);
    return answer;
  }

  halfClose(): void {
    this.#socket.end();
  }

  /** What is not answered by now is told so. */
  leave(fate: Fate = 'cut'): void {
    this.#settleAll(fate);
    this.#socket.destroy();
  }

  reset(): void {
    this.#settleAll('cut');
    this.#socket.resetAndDestroy();
  }

  #settleAll(fate: Fate): void {
    for (const { settle } of this.#wanted.splice(0)) settle(fate);
  }

  #read(piece: Buffer): void {
    this.#buffer = this.#buffer.length === 0 ? piece : Buffer.concat([this.#buffer, piece]);
    for (;;) {
      const read = readAnswer(this.#buffer, this.#wanted[0]?.isHead ?? false);
      if (!read) return;
      this.#buffer = this.#buffer.subarray(read.length);
      if (read.answer.http >= 200) this.#wanted.shift()?.settle(read.answer);
    }
  }
}

/** The first answer of these bytes; undefined: it is not whole yet. */
const readAnswer = (bytes: Buffer, isHead: boolean): { answer: Answer; length: number } | undefined => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const http = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const from = headEnd + 4;
  const hasNone = isHead || http < 200 || http === 204 || http === 304;
  if (!hasNone && /\r\ntransfer-encoding: chunked/i.test(head))
    return readChunks(bytes, { http, head }, from);
  const length = hasNone ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < from + length) return undefined;
  const body = bytes.toString('latin1', from, from + Math.min(length, lookedAt));
  return { answer: { http, head, body }, length: from + length };
};

const readChunks = (bytes: Buffer, about: Omit<Answer, 'body'>, from: number) => {
  let body = '';
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (bytes.length < line + 2 + size + 2) return undefined;
    if (body.length < lookedAt) body += bytes.toString('latin1', line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    if (size === 0) return { answer: { ...about, body }, length: at };
  }
};
