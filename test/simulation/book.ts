/** The book of a run: what happened, as a hash that two runs of one seed must share, as counts, and what must not be. */
import { createHash } from 'node:crypto';
import type { World } from './world.ts';

/** Something that must never happen, with the machine it happened to. */
export interface Violation {
  rule: string;
  machine: number;
  detail: string;
  /** Another that it happened with. */
  beside?: number;
}

export class Book {
  readonly violations: Violation[] = [];
  readonly #world: World;
  readonly #hash = createHash('sha256');
  readonly #counts = new Map<string, number>();
  readonly #watched: number;

  /** `watched`: a machine whose lines are told aloud; 0: none. */
  constructor(world: World, watched = 0) {
    this.#world = world;
    this.#watched = watched;
  }

  /** Writes a line of the story. */
  note(line: string, machine = 0): void {
    this.#hash.update(`${this.#world.now.toFixed(3)} ${line}\n`);
    if (this.#watched && (machine === this.#watched || machine === 0))
      console.log(`${(this.#world.now / 1000).toFixed(3)} ${line}`);
  }

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  /** Keeps the highest of all that were told under this name. */
  most(what: string, value: number): void {
    if (value > this.counted(what)) this.#counts.set(what, value);
  }

  counted(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** All counts whose name begins so, without that beginning, most first. */
  counts(beginning: string): [string, number][] {
    return [...this.#counts]
      .filter(([what]) => what.startsWith(beginning))
      .map(([what, many]): [string, number] => [what.slice(beginning.length), many])
      .toSorted(([, one], [, other]) => other - one);
  }

  violated(rule: string, machine: number, detail: string, beside = 0): void {
    this.violations.push({ rule, machine, detail, beside });
    this.note(`VIOLATED ${rule} ${machine} ${detail}`);
  }

  /** The story in 16 letters. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }
}
