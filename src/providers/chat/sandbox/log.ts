/**
 * The memory of the sandbox upstream: a log, one JSON object a line, that outlives the service. Processes that share
 * the file share the upstream; each reads what the others wrote.
 */
import { open } from 'node:fs/promises';
import type { LineClass } from '../../chat.ts';
import { LineFile } from '../../lineFile.ts';

/** A receipt, or a person's answer, that is due at a moment (epoch milliseconds). */
export interface Due {
  what: 'sent' | 'delivered' | 'read' | 'failed' | 'reply';
  at: number;
}

export interface MessageEntry {
  kind: 'message';
  id: string;
  at: number;
  channel: LineClass;
  /** Whose app hears of it (`v8l_id`). */
  lines: number[];
  /** The id below which it was posted. */
  sender: string;
  to: string;
  /** `biz_opaque_callback_data`; empty: none. */
  reference: string;
  due: Due[];
}

export interface TemplateEntry {
  kind: 'template';
  id: string;
  at: number;
  lines: number[];
  business: string;
  name: string;
  language: string;
  category: string;
  components: Record<string, unknown>[];
}

export type Entry =
  | MessageEntry
  | TemplateEntry
  | { kind: 'templateDeleted'; id: string }
  /** A hook was taken; `what` as in `Due`, or `review` of a template. */
  | { kind: 'told'; id: string; what: string };

export class SandboxLog {
  readonly #file: string;
  readonly #end: LineFile;
  /** What was read so far, bytes. */
  #read = 0;
  #reading: Promise<Entry[]> = Promise.resolve([]);

  constructor(file: string) {
    this.#file = file;
    this.#end = new LineFile(file);
  }

  /** Each line begins its own: what a crash cut short stays alone. */
  append(entry: Entry): Promise<void> {
    return this.#end.append(`\n${JSON.stringify(entry)}\n`);
  }

  close(): Promise<void> {
    return this.#end.close();
  }

  /** What was written since the last time. One reads after the other. */
  news(): Promise<Entry[]> {
    this.#reading = this.#reading.catch(() => []).then(() => this.#readOn());
    return this.#reading;
  }

  async #readOn(): Promise<Entry[]> {
    const text = await this.#rest();
    // The last line may still be under way.
    const whole = text.subarray(0, text.lastIndexOf(10) + 1);
    this.#read += whole.length;
    return whole.toString('utf8').split('\n').flatMap(readLine);
  }

  async #rest(): Promise<Buffer> {
    const file = await open(this.#file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return Buffer.alloc(0);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(Math.max(0, size - this.#read)),
        position: this.#read,
      });
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

const readLine = (line: string): Entry[] => {
  try {
    return line === '' ? [] : [JSON.parse(line) as Entry];
  } catch {
    return [];
  }
};
