/**
 * The journal: a copy of every acknowledged commit, on a disk of its own, written before anything follows from the
 * commit.
 *
 * A database that goes back (a standby without the last commits is promoted, a backup is restored) has lost commits
 * whose effects were performed already. Each acknowledged commit is appended here before its effects begin and its
 * answers leave; what the database lacks is written to it again, in the original order (`journalRedo.ts`).
 */
import type { MachineInboxRow, NonMachineRecordsToWrite, MachineWrite } from './rows.ts';

/** What a writer was told is written. Every sort says all that writing it again takes. */
export type JournalEntry =
  /**
   * A batch of steps. `isUnsure`: its answer was lost, so steps may be among them that were not written, because a claim or
   * a balance refused them.
   */
  | { what: 'commit'; at: number; writes: readonly MachineWrite[]; isUnsure?: boolean }
  /** Events left for machines that other nodes hold. */
  | { what: 'leave'; rows: readonly MachineInboxRow[] }
  /** What was written outside of machines' commits. */
  | ({ what: 'records' } & NonMachineRecordsToWrite)
  /** Machines taken up; each stood one revision lower before. */
  | { what: 'takeUp'; at: number; heldBy: number; rows: readonly TakenOverRow[] };

export interface TakenOverRow {
  account: number;
  id: number;
  revision: number;
  stepId: number;
  /** The incarnation that held it. */
  from: number;
}

/** Where a write stands among all that were written to the shard. */
export interface JournalWritePosition {
  /** Its writer's number once it was written. */
  lane: number;
  number: number;
  /** When the shard was last opened before it, epoch milliseconds: positions of different servers cannot be compared. */
  era: number;
  /** Ascends over all writers of an era: of two writes that touch the same row, the later has the higher one. */
  position: number;
}

/** Whose journal it is. */
export interface JournalOwner {
  shard: string;
  /** Names the shard over all its copies and backups. */
  identity: string;
  incarnation: number;
  slot: number;
  name: string;
  process: string;
  /** Of its writers, by lane. */
  tokens: readonly string[];
}

/** Lines of a journal are missing, or cannot be read. */
export class JournalUnreadable extends Error {
  override name = 'JournalUnreadable';
}

/** A journal that is at hand, this process's or another's. */
export interface StoredJournal {
  owner: JournalOwner;
  /** The number of the last write of each lane; a lane without one is absent. */
  last: ReadonlyMap<number, number>;
  /** Shard's time of the last line, epoch milliseconds. */
  lastAt: number;
  /** When the shard was last opened before its last write (`DatabaseWithSchemas`); 0: it has none. */
  era: number;
  /** Incarnations that its owner saw alive, its own among them. */
  seen: ReadonlySet<number>;
  /** Why it cannot be relied on; absent: it can. */
  problem?: string;
  /** It may hold more than `last` says; absent: it does not. */
  isReachUnknown?: true;
  /** Nothing in it says whose it is: of `owner` only the incarnation is known. Absent: its head does. */
  isHeadless?: true;
  /** It lies in a folder that an operator named, and none of ours is as good. Absent: it is ours. */
  isBrought?: true;
  /**
   * Lines of writes above these numbers by lane (absent: 0), in the order in which they were appended. Throws
   * `JournalUnreadable` where some are missing, unless `passedOver` is there, which then hears of it before the next
   * whole line comes.
   */
  lines(
    above: ReadonlyMap<number, number>,
    passedOver?: (damage: JournalUnreadable) => void,
  ): AsyncIterable<JournalLine>;
}

/** A write on its way into a line, in pieces that stand one after the other: texts, and bytes that are no text. */
export type JournalLineChunks = readonly (string | Uint8Array)[];

/** The longest text of a line, bytes; a write that is longer is not committed. */
export const MOST_JOURNAL_LINE_BYTES = 64 * 1024 * 1024;

/** The first letter of a line that is made of columns (`recovery/columnarJournalLineFormat.ts`), and is no text. Others begin with a digit. */
export const COLUMNAR_JOURNAL_LINE_MARK = 'c';

/** The first letter of a line whose write had no answer (`JournalEntry`); the line itself stands behind it. */
export const UNSURE_JOURNAL_LINE_MARK = 'u';

/** A line as text: one of columns, which is bytes, in base64 behind its mark. */
export const journalLineText = (pieces: JournalLineChunks): string =>
  pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : journalLineBytesToText(
        Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))),
      );

/** The same for a line that was read. */
export const journalLineBytesToText = (bytes: Buffer): string => {
  if (begins(bytes, UNSURE_JOURNAL_LINE_MARK))
    return `${UNSURE_JOURNAL_LINE_MARK}${journalLineBytesToText(bytes.subarray(UNSURE_JOURNAL_LINE_MARK.length))}`;
  return begins(bytes, COLUMNAR_JOURNAL_LINE_MARK)
    ? `${COLUMNAR_JOURNAL_LINE_MARK}${bytes.toString('base64', COLUMNAR_JOURNAL_LINE_MARK.length)}`
    : bytes.toString('utf8');
};

const begins = (bytes: Buffer, mark: string): boolean => bytes[0] === mark.charCodeAt(0);

/** A write as a line (`journalLineText`), which any release after the one that wrote it can read. */
export interface JournalLine extends JournalWritePosition {
  text: string;
}

export interface Journal {
  /** From now on what is appended is of this incarnation. Throws when its first line cannot be written. */
  begin(owner: JournalOwner, at: number): Promise<void>;
  /** Others that live, when they are not those of the last time. */
  saw(incarnations: readonly number[], at: number): void;
  /**
   * Appends a line; resolves when it outlives the process. Insists while it cannot be
   * written: whatever follows from the write waits. `at`: the shard's time.
   */
  append(line: JournalLineChunks, placed: JournalWritePosition, at: number): Promise<void>;
  /** Settles when lines can be written. */
  writable(): Promise<void>;
  /** Why none can be, as the end of "the shard …"; undefined: they can. */
  readonly problem: string | undefined;
  /** All journals of the shard with this identity that are at hand, the oldest incarnation first. */
  kept(identity: string): Promise<StoredJournal[]>;
}

/** For engines that keep none: what their database forgets is lost. */
export const noopJournal: Journal = {
  begin: () => Promise.resolve(),
  saw: () => {},
  append: () => Promise.resolve(),
  writable: () => Promise.resolve(),
  problem: undefined,
  kept: () => Promise.resolve([]),
};
