/**
 * Detects dead nodes of a shard. A node counts as alive while its heartbeat number grows; how long it has not grown is
 * measured on this node's own monotonic clock, so that setting a clock makes no node look dead.
 */
import type { NodeRow } from '../contract/store.ts';

interface Seen {
  beats: number;
  beatAt: number;
  /** When this beat was first seen here, monotonic. */
  since: number;
}

export class FailureDetector {
  #rows: readonly NodeRow[] = [];
  #seen = new Map<number, Seen>();
  #dead = new Set<number>();

  /** Those who live, as far as is known. */
  get living(): number {
    return this.#rows.filter(({ incarnation }) => !this.#dead.has(incarnation)).length;
  }

  /** The earliest of `now` and the times at which those who live have beaten last, epoch milliseconds. */
  earliestTime(now: number): number {
    const times = this.#rows
      .filter(({ incarnation }) => !this.#dead.has(incarnation))
      .map(({ beatAt }) => beatAt);
    return Math.min(now, ...times);
  }

  /** Whether it was declared dead. */
  isDead(incarnation: number): boolean {
    return this.#dead.has(incarnation);
  }

  /** All who were declared dead and are listed. */
  get dead(): number[] {
    return [...this.#dead];
  }

  /** Forgets for how long they were silent: this node did not listen. */
  reset(): void {
    this.#seen.clear();
  }

  /** Takes in the others that a heartbeat listed, and when that was heard, monotonic. */
  observe(rows: readonly NodeRow[], heard: number): void {
    const seen = new Map<number, Seen>();
    for (const { incarnation, beats, beatAt } of rows) {
      const before = this.#seen.get(incarnation);
      const isSame = before?.beats === beats && before.beatAt === beatAt;
      seen.set(incarnation, isSame ? before : { beats, beatAt, since: heard });
    }
    this.#rows = rows;
    this.#seen = seen;
    this.#dead = new Set(
      rows.filter(({ stoppedAt }) => stoppedAt !== null).map(({ incarnation }) => incarnation),
    );
  }

  /** Those not declared dead yet, each with how long it was silent up to that moment (monotonic), milliseconds. */
  silences(until: number): { node: NodeRow; silentMs: number }[] {
    return this.#rows
      .filter(({ incarnation }) => !this.#dead.has(incarnation))
      .map((node) => ({ node, silentMs: until - this.#seen.get(node.incarnation)!.since }));
  }

  /** It has been declared dead. */
  markDead(incarnation: number): void {
    this.#dead.add(incarnation);
  }
}
