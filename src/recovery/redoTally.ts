/** Counts what was brought from journals: commits by node, machines by kind, calls that were dialled. */
import { parseJournalLine } from '../engine/recovery/journalLines.ts';
import type { JournalEntry } from '../engine/contract/journal.ts';
import type { JournalRedoLine } from '../engine/contract/store.ts';

interface Touched {
  account: number;
  id: number;
  /** Where the entry says it. */
  kind: string | undefined;
}

/** The effect that a step asks for when a person is called (`machines/call/sharedActions.ts`). */
const DIALS = /\boriginate\b/;

export class RedoTally {
  /** Commits by incarnation. */
  readonly commits = new Map<number, number>();
  readonly #machines = new Map<number, Touched>();
  readonly #dialled = new Set<number>();
  /** The highest number that was counted, by writer. */
  readonly #counted = new Map<string, number>();

  /** Counted once, whether it was brought from here or by a node, or both. */
  count(line: JournalRedoLine, entry: JournalEntry | undefined = entryIn(line)): void {
    const writer = `${line.incarnation} ${line.lane}`;
    if (line.number <= (this.#counted.get(writer) ?? 0)) return;
    this.#counted.set(writer, line.number);
    this.commits.set(line.incarnation, (this.commits.get(line.incarnation) ?? 0) + 1);
    if (entry?.what === 'commit') this.#commit(entry);
    if (entry?.what === 'takeUp')
      for (const { account, id } of entry.rows) this.#touch(account, id, undefined);
  }

  #commit({ writes }: Extract<JournalEntry, { what: 'commit' }>): void {
    for (const { account, id, insert: birth, record, history } of writes) {
      this.#touch(account, id, birth?.kind ?? record?.kind);
      if (history.some(({ asked }) => DIALS.test(asked ?? ''))) this.#dialled.add(id);
    }
  }

  #touch(account: number, id: number, kind: string | undefined): void {
    const known = this.#machines.get(id);
    if (!known || known.kind === undefined) this.#machines.set(id, { account, id, kind });
  }

  get machines(): readonly Touched[] {
    return [...this.#machines.values()];
  }

  /** Calls that were dialled, each once. */
  get dialled(): number {
    return this.#dialled.size;
  }
}

/** Undefined: it cannot be read here. Writing it again reports that. */
const entryIn = ({ text }: JournalRedoLine): JournalEntry | undefined => {
  try {
    return parseJournalLine(text);
  } catch {
    return undefined;
  }
};
