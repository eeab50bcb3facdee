/** For how long the simulated shard was open: closed time counts against no promise. */
export class OpenTime {
  readonly #now: () => number;
  /** When it was not open any more, and for how long it was not before that, virtual milliseconds. */
  #closedAt: number | undefined;
  #closedMs = 0;
  /** Since when it has been open, virtual milliseconds. */
  since = 0;

  /** `now`: virtual milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** It stands so now. */
  note(isOpen: boolean): void {
    if (!isOpen) this.#closedAt ??= this.#now();
    else if (this.#closedAt !== undefined) {
      this.#closedMs += this.#now() - this.#closedAt;
      this.#closedAt = undefined;
      this.since = this.#now();
    }
  }

  /** For how long it has been open so far. */
  get allMs(): number {
    return this.#now() - this.#closedMs - (this.#closedAt === undefined ? 0 : this.#now() - this.#closedAt);
  }

  /** For how long it has been open without a break; 0: it is not. */
  get unbrokenMs(): number {
    return this.#closedAt === undefined ? this.#now() - this.since : 0;
  }
}
