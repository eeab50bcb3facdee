/** Journals in memory: a folder that outlives processes, for tests and simulations. */
import {
  type Journal,
  type JournalLine,
  type JournalOwner,
  type StoredJournal,
  journalLineText,
} from '../../src/engine/contract/journal.ts';

interface Book {
  owner: JournalOwner;
  lastAt: number;
  seen: Set<number>;
  lines: JournalLine[];
}

export class JournalShelf {
  readonly books: Book[] = [];

  /** A process's own way to it. */
  open(): Journal {
    let book: Book | undefined;
    return {
      begin: async (owner, at) => {
        book = { owner, lastAt: at, seen: new Set([owner.incarnation]), lines: [] };
        this.books.push(book);
      },
      saw: (incarnations, at) => {
        for (const one of incarnations) book?.seen.add(one);
        if (book) book.lastAt = at;
      },
      append: async (line, placed, at) => {
        book!.lines.push({ ...placed, text: journalLineText(line) });
        book!.lastAt = at;
      },
      writable: async () => {},
      problem: undefined,
      kept: async (identity) =>
        this.books
          .filter(({ owner }) => owner.identity === identity)
          .toSorted((one, other) => one.owner.incarnation - other.owner.incarnation)
          .map(keptOf),
    };
  }

  /** The journal of this incarnation is gone, as its disk may be. */
  lose(incarnation: number): void {
    this.books.splice(
      0,
      this.books.length,
      ...this.books.filter(({ owner }) => owner.incarnation !== incarnation),
    );
  }
}

const keptOf = ({ owner, lastAt, seen, lines }: Book): StoredJournal => ({
  owner,
  lastAt,
  era: lines.reduce((latest, { era }) => Math.max(latest, era), 0),
  seen: new Set(seen),
  last: new Map(lines.map(({ lane, number }) => [lane, number])),
  lines: async function* (above) {
    for (const line of lines) if (line.number > (above.get(line.lane) ?? 0)) yield line;
  },
});
