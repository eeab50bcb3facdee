/**
 * A file that grows at its end, as the logs of sandboxes do. It is kept open, and what comes while a write is on its way
 * goes with the next one: opening and closing costs more than writing. One that was moved or deleted is begun anew.
 */
import { appendFile, close, open } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const openAt = promisify(open);
const closeAt = promisify(close);
const appendAt = promisify(appendFile) as (file: number, text: string) => Promise<void>;

interface Waiting {
  text: string;
  written: () => void;
  failed: (error: unknown) => void;
}

export class AppendOnlyLogFile {
  readonly #path: string;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #opened: { file: number; name: string } | undefined;

  /** Made, and its folder, when it is first written. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Settles when the operating system has the text: no line waits for more to come. */
  append(text: string): Promise<void> {
    return new Promise((written, failed) => {
      this.#waiting.push({ text, written, failed });
      this.#writing ??= this.#writeOn();
    });
  }

  /** Writes what waits, and closes. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#close();
  }

  /** Never rejects: those who wait for a line hear why it was not written. */
  async #writeOn(): Promise<void> {
    while (this.#waiting.length > 0) {
      const opening = this.#open();
      await opening.catch(() => {});
      // What came while it was opened goes with this write.
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await appendAt(await opening, batch.map(({ text }) => text).join(''));
        for (const { written } of batch) written();
      } catch (error) {
        for (const { failed } of batch) failed(error);
        await this.#close().catch(() => {});
      }
    }
    // In the same breath as the look: who comes a moment later begins anew.
    this.#writing = undefined;
  }

  async #open(): Promise<number> {
    const name = await nameOf(this.#path);
    if (this.#opened && this.#opened.name === name) return this.#opened.file;
    await this.#close();
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const file = await openAt(this.#path, 'a', 0o600);
    this.#opened = { file, name: name ?? (await nameOf(this.#path)) ?? '' };
    return file;
  }

  async #close(): Promise<void> {
    const { file } = this.#opened ?? {};
    this.#opened = undefined;
    if (file !== undefined) await closeAt(file);
  }
}

/** Tells files that stood at one path apart; undefined: there is none. */
const nameOf = async (path: string): Promise<string | undefined> => {
  try {
    const { dev, ino } = await stat(path);
    return `${dev}.${ino}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
