/** Writes again what the journals have and the database lacks: the lines that were brought to it, in their order. */
import { parseJournalLine, UnreadableEntry } from './journalLines.ts';
import type { JournalEntry } from '../contract/journal.ts';
import type { Clock, EngineLog } from '../contract/ports.ts';
import {
  BadBatch,
  BatchTookTooLong,
  WriterOutOfTurnError,
  type JournalRedoLine,
  type ShardMachineStore,
} from '../contract/store.ts';

/** Lines that are read to be written again. */
const WRITTEN_LINES = 50;
/** A node that writes again has written another line after so long. */
const OTHERS_MS = 500;

/** What became of a line: `stood`: another had written it. */
type Written = 'written' | 'stood' | 'notChecked';

interface LineWriterDeps {
  shard: string;
  store: ShardMachineStore;
  clock: Clock;
  log: EngineLog;
  /** The shard's time, epoch milliseconds. */
  now(): number;
  /** Hears of each line that is written again. */
  heard?: { written(line: JournalRedoLine, entry: JournalEntry): void };
}

export class JournalReplayer {
  /** Lines written so far; who begins with another doubt sets it to 0. */
  written = 0;
  /** Why the shard was closed when a line was refused here: nothing that is tried again helps. */
  refusal: string | undefined;
  readonly #scope: LineWriterDeps;
  #stopped = false;

  constructor(scope: LineWriterDeps) {
    this.#scope = scope;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Writes what was brought, in its order. False: the shard is not checked any more, because one was refused or otherwise. */
  async writeAll(): Promise<boolean> {
    const { store } = this.#scope;
    for (;;) {
      const lines = await store.brought(WRITTEN_LINES);
      if (lines.length === 0 || this.#stopped) return !this.#stopped;
      const outcome = await this.#writeLines(lines);
      if (outcome === 'notChecked') return false;
      if (outcome === 'stood') await this.#letOthersWrite();
    }
  }

  async #writeLines(lines: readonly JournalRedoLine[]): Promise<Written> {
    for (const line of lines) {
      const outcome = await this.#writeLine(line);
      if (outcome !== 'written') return outcome;
    }
    return 'written';
  }

  async #writeLine(line: JournalRedoLine): Promise<Written> {
    const { store, log, shard, now, heard } = this.#scope;
    try {
      const entry = parseJournalLine(line.text);
      if (!(await store.redo(line, entry))) return 'stood';
      heard?.written(line, entry);
    } catch (error) {
      if (error instanceof WriterOutOfTurnError) return 'notChecked';
      if (!isHopeless(error)) throw error;
      this.refusal = `commit ${line.number} of node ${line.incarnation} is refused now`;
      log.error({ err: error, shard }, 'a commit of the journals was refused');
      await store.close(this.refusal, now());
      return 'notChecked';
    }
    this.written += 1;
    return 'written';
  }

  /** One line stood already, so another node is at it; two are slower than one. Waits as long as that one moves on. */
  async #letOthersWrite(): Promise<void> {
    const { store, clock } = this.#scope;
    for (let last = ''; !this.#stopped;) {
      const [first] = await store.brought(1);
      const name = first ? `${first.incarnation} ${first.lane} ${first.number}` : '';
      if (name === '' || name === last) return;
      last = name;
      await new Promise<void>((resolve) => void clock.after(OTHERS_MS, resolve));
    }
  }
}

/** Nothing that is tried again helps: the data is refused, or cannot be read. */
const isHopeless = (error: unknown): boolean =>
  error instanceof BadBatch || error instanceof BatchTookTooLong || error instanceof UnreadableEntry;
