/** An answer of server-sent events, and its bounds. */
import type { ServerResponse } from 'node:http';

/** So much may wait to be taken; who does not take it is cut off, and comes back to where it was. Bytes. */
const mostWaiting = 512 * 1024;
/** How soon a browser comes back after a cut, milliseconds. */
const retryMs = 1_000;

export interface ServerSentEvent {
  event: string;
  /** JSON text, in one line. */
  data: string;
  /** Where a reader who comes back goes on; absent: where it was. */
  id?: string;
}

export class ServerSentEventStream {
  readonly #response: ServerResponse;
  readonly #onClose: () => void;
  #isOpen = true;

  /**
   * Begins the answer. `onClose` runs once, whichever side ends it. A reader that left before is told of by nothing any more:
   * then the stream is not open, and `onClose` does not run.
   */
  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response;
    this.#onClose = onClose;
    if (response.destroyed) {
      this.#isOpen = false;
      return;
    }
    response.once('close', () => this.#close());
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies that collect an answer before they pass it on are asked not to.
      'X-Accel-Buffering': 'no',
    });
    this.#write(`retry: ${retryMs}\n\n`);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send({ event, data, id }: ServerSentEvent): void {
    this.#write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
  }

  /** Ends it in order; who does not take what was sent is cut off by the server. */
  end(): void {
    if (!this.#isOpen) return;
    this.#response.end();
    this.#close();
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onClose();
  }

  #write(text: string): void {
    if (!this.#isOpen) return;
    this.#response.write(text);
    if (this.#response.writableLength > mostWaiting) this.#response.destroy();
  }
}
