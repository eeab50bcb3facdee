/**
 * Where the lines of the log go, standard output as a rule. A disk that is full, a reader that has gone and one that
 * stands still cost lines, never the process: what cannot be written is counted, and the count is written when it can.
 */
import { write, writeSync } from 'node:fs';

/** Text that waits while what was before it is being written, characters; beyond that lines are lost. */
const mostWaiting = 4_000_000;
/** A reader that is not ready is asked again so much later, milliseconds. */
const againMs = 50;

/** A file descriptor to which lines are written one after the other, while the process goes on. */
export class LogOutput {
  readonly #fd: number;
  #waiting: string[] = [];
  #length = 0;
  #isWriting = false;
  /** The last line that was written ends in its middle. */
  #isHalf = false;
  #lost = 0;
  #isGone = false;
  #flushed: (() => void)[] = [];

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Never throws. */
  write(line: string): void {
    if (this.#isGone || this.#length + line.length > mostWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#length += line.length;
    if (!this.#isWriting) this.#writeOn();
  }

  /** Calls back when what waits now is written, or lost. */
  flush(done: () => void): void {
    if (this.#isWriting) this.#flushed.push(done);
    else done();
  }

  /** At the very end of the process. What a reader that stands still has not taken is left. */
  end(): void {
    if (this.#isWriting || this.#waiting.length === 0) return;
    try {
      writeSync(this.#fd, this.#take());
    } catch {
      // The log itself fails: there is no place left to report it.
    }
  }

  #writeOn(): void {
    if (this.#waiting.length > 0) {
      this.#isWriting = true;
      this.#put(Buffer.from(`${this.#isHalf ? '\n' : ''}${this.#take()}`), 0);
      return;
    }
    this.#isWriting = false;
    for (const done of this.#flushed.splice(0)) done();
  }

  #take(): string {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#length = 0;
    return text;
  }

  #put(bytes: Buffer, from: number): void {
    write(this.#fd, bytes, from, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#put(bytes, from), againMs);
        return;
      }
      if (!error && from + written < bytes.length) {
        this.#put(bytes, from + written);
        return;
      }
      if (error) this.#lose(error, bytes, from);
      else this.#isHalf = false;
      if (!error && this.#lost > 0) this.#tellLost();
      this.#writeOn();
    });
  }

  #lose(error: NodeJS.ErrnoException, bytes: Buffer, written: number): void {
    this.#isGone = error.code === 'EPIPE';
    const first = this.#isHalf ? 1 : 0;
    for (const byte of bytes.subarray(Math.max(first, written))) if (byte === newline) this.#lost += 1;
    if (written > 0) this.#isHalf = bytes[written - 1] !== newline;
  }

  #tellLost(): void {
    const told = { level: 'warn', time: new Date().toISOString(), lost: this.#lost };
    this.#lost = 0;
    this.write(`${JSON.stringify({ ...told, msg: 'lines of the log could not be written' })}\n`);
  }
}

const newline = 10;
