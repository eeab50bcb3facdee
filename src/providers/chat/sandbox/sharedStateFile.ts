/**
 * The memory of the sandbox upstream: a log, one JSON object a line, that outlives the service. Processes that share
 * the file share the upstream; each reads what the others wrote.
 */
import { open } from 'node:fs/promises';
import type { ChatChannelKind } from '../../contracts/chat.ts';
import { AppendOnlyLogFile } from '../../appendOnlyFile.ts';

/** A receipt, or a person's answer, that is due at a moment (epoch milliseconds). */
export interface Due {
  what: 'sent' | 'delivered' | 'read' | 'failed' | 'reply';
  at: number;
}

export interface SandboxChatMessage {
  kind: 'message';
  id: string;
  at: number;
  channel: ChatChannelKind;
  /** Whose app hears of it (`v8l_id`). */
  lines: number[];
  /** The id below which it was posted. */
  sender: string;
  to: string;
  /** `biz_opaque_callback_data`; empty: none. */
  reference: string;
  due: Due[];
}

export interface SandboxChatTemplate {
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

export type SandboxChatLogEntry =
  | SandboxChatMessage
  | SandboxChatTemplate
  | { kind: 'templateDeleted'; id: string }
  /** A hook was taken; `what` as in `Due`, or `review` of a template. */
  | { kind: 'told'; id: string; what: string };

export class SandboxChatStateLog {
  readonly #file: string;
  readonly #end: AppendOnlyLogFile;
  /** What was read so far, bytes. */
  #read = 0;
  #reading: Promise<SandboxChatLogEntry[]> = Promise.resolve([]);

  constructor(file: string) {
    this.#file = file;
    this.#end = new AppendOnlyLogFile(file);
  }

  /** Each line begins its own: what a crash cut short stays alone. */
  append(entry: SandboxChatLogEntry): Promise<void> {
    return this.#end.append(`\n${JSON.stringify(entry)}\n`);
  }

  close(): Promise<void> {
    return this.#end.close();
  }

  /** What was written since the last time. One reads after the other. */
  news(): Promise<SandboxChatLogEntry[]> {
    this.#reading = this.#reading.catch(() => []).then(() => this.#readOn());
    return this.#reading;
  }

  async #readOn(): Promise<SandboxChatLogEntry[]> {
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

const readLine = (line: string): SandboxChatLogEntry[] => {
  try {
    return line === '' ? [] : [JSON.parse(line) as SandboxChatLogEntry];
  } catch {
    return [];
  }
};
