/** What a request has made on its way; taken back when it is refused in the end. */
export class RequestUndoActions {
  readonly #takeBack: (() => Promise<unknown>)[] = [];

  /** Notes how something that was made is removed. */
  add(takeBack: () => Promise<unknown>): void {
    this.#takeBack.push(takeBack);
  }

  /** It stays: nothing is taken back any more. */
  keep(): void {
    this.#takeBack.length = 0;
  }

  /** Removes it all, the last first. What cannot be removed does not keep the rest; `failed` hears of it. */
  async remove(failed: (error: unknown) => void): Promise<void> {
    for (const takeBack of this.#takeBack.splice(0).toReversed()) await takeBack().catch(failed);
  }
}
