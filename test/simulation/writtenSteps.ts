/** Which writes landed, when and by whom: also those that the database has forgotten since. */
import type { MemoryTables } from '../../src/store/memory.ts';
import type { MachineRowState } from '../../src/engine/contract/rows.ts';

/** When an entry of a history was written, virtual, by which incarnation, and with which write. */
interface Written {
  at: number;
  by: number;
  stepId: number;
}

type Writer = Pick<MachineRowState, 'heldBy' | 'stepId'>;

export class WrittenSteps {
  readonly #tables: MemoryTables;
  readonly #now: () => number;
  /** By machine and revision. */
  readonly #written = new Map<string, Written>();
  /** Revisions that were taken up. */
  readonly #takenUp = new Set<string>();
  /** The step of each machine that landed last, whether it still stands or not. */
  readonly #latest = new Map<number, { revision: number; stepId: number }>();
  /** Writes whose place others have taken since the database forgot them. */
  readonly #superseded: { machine: number; stepId: number }[] = [];

  /** `now`: virtual milliseconds. */
  constructor(tables: MemoryTables, now: () => number) {
    this.#tables = tables;
    this.#now = now;
  }

  /** An entry of a history was written. */
  wrote(machine: number, revision: number, { heldBy, stepId }: Writer): void {
    const name = `${machine} ${revision}`;
    const known = this.#written.get(name);
    if (known?.stepId === stepId) return;
    if (known) this.#superseded.push({ machine, stepId: known.stepId });
    this.#written.set(name, { at: this.#now(), by: heldBy, stepId });
  }

  /** A machine's row was written. */
  landed(machine: number, { revision, stepId }: Pick<MachineRowState, 'revision' | 'stepId'>): void {
    this.#latest.set(machine, { revision, stepId });
  }

  /** A machine was taken up; that is an entry of its history too. */
  tookUp(machine: number, revision: number, by: Writer): void {
    this.#takenUp.add(`${machine} ${revision}`);
    this.wrote(machine, revision, by);
  }

  /** When an entry of a history was written, virtual. */
  writtenAt(machine: number, revision: number): number {
    return this.#written.get(`${machine} ${revision}`)?.at ?? 0;
  }

  /** Which incarnation wrote it. */
  writtenBy(machine: number, revision: number): number {
    return this.#written.get(`${machine} ${revision}`)?.by ?? 0;
  }

  /** Names its write. */
  stepOf(machine: number, revision: number): number | undefined {
    return this.#written.get(`${machine} ${revision}`)?.stepId;
  }

  latestOf(machine: number): { revision: number; stepId: number } | undefined {
    return this.#latest.get(machine);
  }

  /** Writes that landed once and do not stand any more. */
  *missing(): Iterable<{ machine: number; stepId: number }> {
    const standing = new Set<string>();
    for (const [machine, entries] of this.#tables.history)
      for (const { revision } of entries) standing.add(`${machine} ${revision}`);
    yield* this.#superseded;
    for (const [name, { stepId }] of this.#written)
      if (!standing.has(name)) yield { machine: Number(name.split(' ', 1)[0]), stepId };
  }

  /**
   * A take-up whose answer was lost is on no journal, for it is known by its rows only; what its holder stepped next is
   * written again without it. The revision up to this one that only take-ups lead to.
   */
  afterTakeUps(machine: number, from: number, upTo: number): number {
    let revision = from;
    while (revision < upTo && this.#takenUp.has(`${machine} ${revision + 1}`)) revision += 1;
    return revision;
  }
}
