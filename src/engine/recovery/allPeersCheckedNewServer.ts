/**
 * Whether all nodes that live have looked at the database's server since it was started. Its files may be a copy that is older
 * than what one of them was told, and only that one knows: until it has looked, and doubts the shard, a machine that others
 * hold by the copy may be its by now.
 *
 * A node looks before each heartbeat, so one that was heard twice has looked in between.
 */
import type { NodeRow } from '../contract/store.ts';

/** Heartbeats that must be heard of a node. */
const HEARD = 2;

export interface AllNodesCheckedDatabaseServerDeps {
  graceMs: number;
  isProcessDead(process: string): boolean;
}

export class PeerServerCheckTracker {
  readonly #scope: AllNodesCheckedDatabaseServerDeps;
  /** Those who lived when they were listed last, by incarnation. */
  #living = new Map<number, NodeRow>();
  /** How often each had beaten when it was first listed on this server; undefined: it is not compared. */
  #first: Map<number, number> | undefined;
  #since = -Infinity;

  constructor(scope: AllNodesCheckedDatabaseServerDeps) {
    this.#scope = scope;
  }

  /** Some have not looked yet. */
  get isAwaited(): boolean {
    return this.#first !== undefined;
  }

  /** Another server is in use. `at`: monotonic. */
  changed(at: number): void {
    this.#first = new Map();
    this.#since = at;
  }

  /** Others, as a heartbeat listed them at that moment, monotonic. True: now all of them have looked, and had not before. */
  observe(rows: readonly NodeRow[], at: number): boolean {
    const living = rows.filter((row) => this.#lives(row));
    const first = this.#first;
    for (const { incarnation, beats } of living)
      if (first && !first.has(incarnation)) first.set(incarnation, beats);
    if (first && this.#awaited(rows, living, first, at).length > 0) return false;
    this.#living = new Map(living.map((row) => [row.incarnation, row]));
    this.#first = undefined;
    return first !== undefined;
  }

  /** Those who live and have not looked; and those whom the copy does not know, for as long as they may still come and say so. */
  #awaited(
    rows: readonly NodeRow[],
    living: readonly NodeRow[],
    first: ReadonlyMap<number, number>,
    at: number,
  ): NodeRow[] {
    const listed = new Set(rows.map(({ incarnation }) => incarnation));
    const unknown = [...this.#living.values()].filter(
      (row) => !listed.has(row.incarnation) && this.#lives(row) && at - this.#since <= this.#scope.graceMs,
    );
    return [
      ...unknown,
      ...living.filter(({ incarnation, beats }) => beats < first.get(incarnation)! + HEARD),
    ];
  }

  #lives({ stoppedAt, process }: NodeRow): boolean {
    return stoppedAt === null && !this.#scope.isProcessDead(process);
  }
}
