/** What callers who have not shown a token yet may write to disk, all of them together. */

export class AnonymousUploadAllowance {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** False when so much is not left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}
