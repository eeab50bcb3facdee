/**
 * Journals of the simulated hosts: folders that outlive processes. A line is written a moment after it was given, not at
 * all by a process that dies before, and not as long as the disk is full.
 */
import { parseJournalLine } from '../../src/engine/recovery/journalLines.ts';
import {
  type JournalEntry,
  type Journal,
  type JournalOwner,
  type StoredJournal,
  journalLineText,
  type JournalWritePosition,
} from '../../src/engine/contract/journal.ts';
import { JournalShelf } from '../helpers/journalShelf.ts';
import type { Book } from './book.ts';
import type { Dice } from './dice.ts';
import type { Life } from './life.ts';
import { trouble, type Break } from './plan.ts';
import type { World } from './world.ts';

/** Why nothing can be written, as a file says it. */
const FULL = 'cannot write its journal (ENOSPC)';
/** Between two tries to write. */
const AGAIN_MS = 250;
/** A write into a file, and what is read of it. */
const WRITE_MS = [0.02, 0.6] as const;
const READ_MS = [0.5, 20] as const;

export interface JournalsScope {
  world: World;
  book: Book;
  dice: Dice;
  troubled: () => boolean;
  broken: Break | undefined;
}

/** What a writer's number was moved on for. */
export type DeedName = string;

/** Names a deed by what it writes, as its line does. */
export const nameOf = (deed: JournalEntry): DeedName => {
  switch (deed.what) {
    case 'commit':
      return `commit ${deed.writes.map(({ row }) => row.stepId).join(' ')}`;
    case 'leave':
      return `leave ${deed.rows.map(({ id }) => id).join(' ')}`;
    case 'records':
      return `records ${deed.booked.map(({ id }) => id).join(' ')}`;
    case 'takeUp':
      return `takeUp ${deed.rows.map(({ id, stepId }) => `${id}:${stepId}`).join(' ')}`;
  }
};

export class Journals {
  readonly #scope: JournalsScope;
  readonly #shelves = new Map<string, JournalShelf>();
  readonly #fullUntil = new Map<string, number>();
  /** Step ids of the writes that stand in a line, of whatever journal; lost ones are lost. */
  #kept = new Set<number>();
  /** Told of each line that is kept. */
  onLine: (incarnation: number, placed: JournalWritePosition, deed: JournalEntry) => void = () => {};

  constructor(scope: JournalsScope) {
    this.#scope = scope;
  }

  /** Whether the write of this step id stands in some journal. */
  keeps(stepId: number): boolean {
    return this.#kept.has(stepId);
  }

  /** How many lines lie on all disks. */
  get lines(): number {
    return [...this.#shelves.values()].reduce(
      (sum, { books }) => sum + books.reduce((all, { lines }) => all + lines.length, 0),
      0,
    );
  }

  /** The disk of this host is full until then. */
  fill(host: string, ms: number): void {
    const { world, book } = this.#scope;
    book.count('full disks');
    book.note(`the disk of ${host} is full for ${Math.round(ms)} ms`);
    this.#fullUntil.set(host, world.now + ms);
  }

  /** Whether nothing can be written there now. */
  isFull(host: string): boolean {
    return (this.#fullUntil.get(host) ?? 0) > this.#scope.world.now;
  }

  /** The disk of this host is gone, and what it held. */
  lose(host: string): void {
    const { book } = this.#scope;
    const shelf = this.#shelves.get(host);
    if (!shelf) return;
    book.count('lost disks');
    book.note(`the disk of ${host} is lost`);
    shelf.books.splice(0);
  }

  #shelfOf(host: string): JournalShelf {
    let shelf = this.#shelves.get(host);
    if (!shelf) this.#shelves.set(host, (shelf = new JournalShelf()));
    return shelf;
  }

  /** A process's own way to the disk of its host. */
  open(life: Life): Journal {
    const { world, dice } = this.#scope;
    const shelf = this.#shelfOf(life.host);
    const inner = shelf.open();
    let owner: JournalOwner | undefined;
    let writing = Promise.resolve();
    let isStuck = false;
    let waiting: (() => void)[] = [];
    const write = (line: () => void): Promise<void> =>
      new Promise((resolve) => {
        // A write that is under way while its process is killed is done, or it is not.
        const outlives = dice.chance(0.5);
        const done = (): void => {
          line();
          isStuck = false;
          for (const wake of waiting.splice(0)) wake();
        };
        const arrive = (): void => {
          if (!life.alive && !outlives) return;
          if (!this.isFull(life.host)) {
            done();
            life.reach(world.now + dice.between(...WRITE_MS), resolve);
          } else if (life.alive) {
            isStuck = true;
            life.reach(world.now + AGAIN_MS, arrive);
          }
        };
        const { slowReply, slowReplyMs, crashAtAppend } = trouble;
        const ms = this.#happens(slowReply) ? dice.between(...slowReplyMs) : dice.between(...WRITE_MS);
        life.next(() => world.after(ms, arrive));
        if (this.#happens(crashAtAppend)) life.crash('at a line of its journal');
      });
    return {
      begin: async (given, at) => {
        await write(() => {});
        await inner.begin(given, at);
        owner = given;
      },
      saw: (incarnations, at) => {
        if (!this.isFull(life.host)) inner.saw(incarnations, at);
      },
      append: (pieces, placed, at) => {
        const { incarnation } = owner!;
        const { books } = shelf;
        const own = books.find((one) => one.owner.incarnation === incarnation);
        writing = writing.then(() =>
          write(() => {
            // Lines go into the file that was open then, also when it was lost meanwhile.
            const text = journalLineText(pieces);
            own?.lines.push({ ...placed, text });
            if (own) own.lastAt = at;
            this.#keep(incarnation, text, placed);
          }),
        );
        const { broken } = this.#scope;
        return broken === 'unkept' ? Promise.resolve() : writing;
      },
      writable: async () => {
        while (isStuck && life.alive) await new Promise<void>((resolve) => void waiting.push(resolve));
      },
      get problem() {
        return isStuck ? FULL : undefined;
      },
      kept: (identity) => this.#read(life, () => inner.kept(identity)),
    };
  }

  #keep(incarnation: number, text: string, placed: JournalWritePosition): void {
    const deed = parseJournalLine(text);
    if (deed.what === 'commit') for (const { row } of deed.writes) this.#kept.add(row.stepId);
    if (deed.what === 'takeUp') for (const { stepId } of deed.rows) this.#kept.add(stepId);
    this.#scope.book.count('lines kept');
    this.onLine(incarnation, placed, deed);
  }

  #read(life: Life, read: () => Promise<StoredJournal[]>): Promise<StoredJournal[]> {
    const { world, dice } = this.#scope;
    return new Promise((resolve, reject) => {
      life.reach(world.now + dice.between(...READ_MS), () => {
        if (this.#happens(trouble.away)) reject(new Error('EIO: the folder of journals cannot be read'));
        else read().then(resolve, reject);
      });
    });
  }

  #happens(chance: number): boolean {
    return this.#scope.troubled() && this.#scope.dice.chance(chance);
  }
}
