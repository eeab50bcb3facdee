/**
 * The numbers of this node's writers: what they were told is written, what may be, and what follows from it. A write
 * that was written is in the journal before it is acknowledged.
 */
import { checkJournalLineSize } from './refuseOversizedWrite.ts';
import { formatJournalLine } from './journalLines.ts';
import {
  type JournalEntry,
  type Journal,
  type JournalLineChunks,
  UNSURE_JOURNAL_LINE_MARK,
} from '../contract/journal.ts';
import {
  BadBatch,
  BatchTookTooLong,
  WriterOutOfTurnError,
  type ShardStatus,
  StoreUnavailable,
  type CommitFencingToken,
} from '../contract/store.ts';

/** Writers of a shard that write batches of steps: its lanes. */
export const STEP_WRITERS = 2;
/** The writer of events that are left for machines of other nodes. */
export const OUTBOX_WRITER = STEP_WRITERS;
/** Writers of machines that are taken up, several at a time. */
export const TAKEOVER_WRITER_NUMBERS = [STEP_WRITERS + 1, STEP_WRITERS + 2] as const;
/** The writer of what no machine writes: block lists, bookings by hand. */
export const NON_MACHINE_RECORDS_WRITER = STEP_WRITERS + 1 + TAKEOVER_WRITER_NUMBERS.length;
/** All of a node. */
export const WRITERS_PER_NODE = NON_MACHINE_RECORDS_WRITER + 1;

/** One writer's numbers. */
interface Writer {
  token: string;
  /** Of the last write that is known to stand. */
  number: number;
  /** The highest that may stand: a write that was sent and has no answer may have moved it on, or may still. */
  most: number;
  /** Writes that were sent so far. */
  sent: number;
  /**
   * Those after `number` that have no answer. No map: one that is cleared at each commit points to its next table, and one
   * old table keeps the lines of all that followed, until the collector looks through all of the memory.
   */
  unanswered: readonly UnansweredWrite[];
  /** A write is under way, or on its way into the journal: its own answer tells what became of it. */
  isSending: boolean;
}

interface UnansweredWrite {
  /** Its place among the writer's, from 1. */
  sent: number;
  line: JournalLineChunks;
}

export interface WriterSequenceNumbersDeps {
  journal: Journal;
  now(): number;
}

export class WriterSequenceNumbers {
  readonly #scope: WriterSequenceNumbersDeps;
  #incarnation = 0;
  #writers: Writer[] = [];
  #era = 0;
  #serverSince: number | undefined;

  constructor(scope: WriterSequenceNumbersDeps) {
    this.#scope = scope;
  }

  get incarnation(): number {
    return this.#incarnation;
  }

  /** A new incarnation's numbers begin at 0. */
  begin(incarnation: number, tokens: readonly string[]): void {
    this.#incarnation = incarnation;
    this.#writers = tokens.map((token) => ({
      ...{ token, number: 0, most: 0, sent: 0, isSending: false, unanswered: [] },
    }));
  }

  /** The incarnation has ended, and the next one has not begun: whatever is sent is out of turn. */
  end(): void {
    this.begin(0, []);
  }

  /** Nothing of this shard is written but on the server that was started at that time, epoch milliseconds. */
  compared(serverSince: number): void {
    this.#serverSince = serverSince;
  }

  /** What is written from now on is written after the shard was opened at that time. */
  opened(since: number): void {
    this.#era = since;
  }

  /** What was acknowledged so far, by lane. */
  known(): number[] {
    return this.#writers.map(({ number }) => number);
  }

  /**
   * Sends a write under the next number of its writer, one at a time for each, and settles with what was answered once the
   * journal has it. Rejects as `send` does, and with `BatchTookTooLong` what fits into no line, which is not sent; one that was written all the same is found when numbers are compared.
   * `isDone`: whether the answer says that it was done; where it was not, the number stays. Default always.
   */
  async write<T>(
    lane: number,
    entry: JournalEntry,
    send: (ticket: CommitFencingToken) => Promise<T>,
    isDone: (answer: T) => boolean = () => true,
  ): Promise<T> {
    const measured = checkJournalLineSize(entry);
    const writer = this.#writer(lane);
    const sent = writer.sent + 1;
    const sendKeeping = (ticket: CommitFencingToken): Promise<T> => {
      const sending = send(ticket);
      ticket.line = measured ?? ticket.line ?? formatJournalLine(entry);
      writer.unanswered = [...without(writer.unanswered, sent), { sent, line: ticket.line }];
      return sending;
    };
    try {
      return await this.#send(lane, sendKeeping, (answer, { landed, line }) => {
        if (isDone(answer)) return landed ? formatJournalLine(partOf(entry, new Set(landed))) : line;
        writer.unanswered = without(writer.unanswered, sent);
        return undefined;
      });
    } catch (error) {
      if (isNothingWrittenError(error)) writer.unanswered = without(writer.unanswered, sent);
      throw error;
    }
  }

  /** The same for a write that is known by its answer only; undefined: nothing was done, and the number stays. */
  async writeFound<T>(
    lane: number,
    send: (ticket: CommitFencingToken) => Promise<T>,
    entryOf: (answer: T) => JournalEntry | undefined,
  ): Promise<T> {
    return this.#send(lane, send, (answer) => {
      const entry = entryOf(answer);
      return entry && formatJournalLine(entry);
    });
  }

  #writer(lane: number): Writer {
    const writer = this.#writers[lane];
    if (!writer) throw new WriterOutOfTurnError('this node is joining the shard');
    return writer;
  }

  async #send<T>(
    lane: number,
    send: (ticket: CommitFencingToken) => Promise<T>,
    lineOf: (answer: T, ticket: CommitFencingToken) => JournalLineChunks | undefined,
  ): Promise<T> {
    const incarnation = this.#incarnation;
    const writer = this.#writer(lane);
    const { token, number } = writer;
    const ticket: CommitFencingToken = { incarnation, lane, token, number, sent: ++writer.sent };
    if (this.#serverSince !== undefined) ticket.serverSince = this.#serverSince;
    writer.most = number + 1;
    writer.isSending = true;
    try {
      const answer = await send(ticket);
      const line = lineOf(answer, ticket);
      // A late answer to a former incarnation must not be acted on, and its journal has ended.
      const isCurrent = incarnation === this.#incarnation;
      if (line !== undefined && isCurrent)
        await this.#written(lane, writer, number + 1, line, ticket.position);
      return answer;
    } finally {
      writer.isSending = false;
    }
  }

  /** What of these writers' writes does not stand, in words; undefined: all of it does. `known`: as it was before the question. */
  async compare({ writers }: ShardStatus, known: readonly number[]): Promise<MissingCommits | undefined> {
    for (const [lane, writer] of this.#writers.entries()) {
      const found = writers.find((one) => one.lane === lane);
      const acknowledged = known[lane]!;
      if (found?.token !== writer.token)
        return { what: 'incarnation', hasWritten: known.some((one) => one > 0) };
      if (found.number < acknowledged) return { what: 'commits', count: acknowledged - found.number };
      if (found.number > writer.most) return { what: 'surplus' };
    }
    for (const { lane, number, sent, position } of writers) {
      const writer = this.#writers[lane]!;
      if (number <= writer.number || writer.isSending) continue;
      // A write whose answer is missing stands, as a whole or in part: the next one goes after it.
      const line = writer.unanswered.find((write) => write.sent === sent)?.line;
      const kept = line ? [UNSURE_JOURNAL_LINE_MARK, ...line] : this.#unknown();
      await this.#written(lane, writer, number, kept, position);
    }
    return undefined;
  }

  /** What was taken up without an answer is known by its rows only; its number is not left out of the journal. */
  #unknown(): JournalLineChunks {
    return formatJournalLine({ what: 'takeUp', at: this.#scope.now(), heldBy: this.#incarnation, rows: [] });
  }

  async #written(
    lane: number,
    writer: Writer,
    number: number,
    line: JournalLineChunks,
    position: number | undefined,
  ): Promise<void> {
    if (number <= writer.number) return;
    Object.assign(writer, { number, most: number });
    writer.unanswered = [];
    const { journal, now } = this.#scope;
    await journal.append(line, { lane, number, era: this.#era, position: position ?? 0 }, now());
  }
}

const without = (writes: readonly UnansweredWrite[], sent: number): readonly UnansweredWrite[] =>
  writes.length === 0 ? writes : writes.filter((write) => write.sent !== sent);

/** What was refused is not to be written later: its caller was told of the refusal. */
const partOf = (entry: JournalEntry, landed: ReadonlySet<number>): JournalEntry =>
  entry.what === 'commit' ? { ...entry, writes: entry.writes.filter(({ id }) => landed.has(id)) } : entry;

/** What the database does not have of that which it acknowledged. */
export type MissingCommits =
  | { what: 'incarnation'; hasWritten: boolean }
  | { what: 'commits'; count: number }
  | { what: 'surplus' };

export const describeMissingCommits = (missing: MissingCommits, node: number): string => {
  switch (missing.what) {
    case 'incarnation':
      return `the database does not know node ${node}, which ${missing.hasWritten ? 'has written to it' : 'has joined it'}`;
    case 'surplus':
      return `the database has commits of node ${node} that it never sent`;
    case 'commits':
      return lacking(missing.count, node);
  }
};

const lacking = (commits: number, node: number): string =>
  commits === 1
    ? `1 acknowledged commit of node ${node} is not in the database`
    : `${commits} acknowledged commits of node ${node} are not in the database`;

/** Nothing was written, and nothing will be. */
export const isNothingWrittenError = (error: unknown): boolean =>
  error instanceof WriterOutOfTurnError ||
  error instanceof BadBatch ||
  error instanceof BatchTookTooLong ||
  error instanceof StoreUnavailable;
