/**
 * The files of spoken texts: which files there are, the longest unused first, and which must go so that their bytes
 * stay within a bound. Recordings are none of its business.
 */
export class LruFileIndex {
  readonly #maxBytes: number;
  /** In the order of use: a file that is used moves to the end. */
  readonly #files = new Map<string, { account: number; id: string; bytes: number }>();
  #bytes = 0;

  /** `maxBytes`: all files together; the newest stays even if it is larger. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Notes a use; the answer names the files that must go for it. */
  use(account: number, id: string, bytes: number): { account: number; id: string }[] {
    this.forget(account, id);
    this.#files.set(keyOf(account, id), { account, id, bytes });
    this.#bytes += bytes;
    return [...this.#overflow()];
  }

  forget(account: number, id: string): void {
    const file = this.#files.get(keyOf(account, id));
    if (!file) return;
    this.#files.delete(keyOf(account, id));
    this.#bytes -= file.bytes;
  }

  *#overflow() {
    for (const file of this.#files.values()) {
      if (this.#bytes <= this.#maxBytes || this.#files.size === 1) return;
      this.forget(file.account, file.id);
      yield { account: file.account, id: file.id };
    }
  }
}

const keyOf = (account: number, id: string): string => `${account}/${id}`;
