/**
 * The rows of one database, and the journals of them that are at hand. No connection is handed out before what the
 * journals hold is written on the server that answers there: a standby that was promoted, or a copy that was restored,
 * is brought up to date first.
 */
import type { ClientBase, Pool } from 'pg';
import { type Journal, type JournalLine, type StoredJournal } from '../../engine/contract/journal.ts';
import type { EngineLog } from '../../engine/contract/ports.ts';
import { NewerRowChangeFormatError, parseRowChanges } from './rowChange.ts';
import {
  isEmptyRowMergeResult,
  type RowMergeResult,
  mergeRowChangesIntoDatabase,
  emptyRowMergeResult,
  type NumberedRowChanges,
  readWriterLastRowWriteNumber,
} from './restoreRowsFromJournals.ts';
import {
  DATABASE_COPY_IDENTITY_SQL,
  skipSmallIdsAhead,
  DATABASE_SERVER_START_SQL,
} from './skipSmallIdsAhead.ts';

/** Writes that are written again in one transaction. */
const BATCH = 200;

export interface JournalCatchUpOptions {
  /** In sentences: `control`, `shard a`. */
  name: string;
  /** Connections that are not held up by this. */
  pool: Pool;
  /** All that are at hand. */
  journals: Pick<Journal, 'kept'>;
  /** This process among the writers of the database, and what it was told; undefined: it has written nothing. */
  standing(): Promise<{ writer: number; known: number } | undefined>;
  /** Hears what was written again. */
  heard(merged: RowMergeResult): void;
  log: EngineLog;
}

/**
 * The server that was connected to is not the one that answers now. Nothing was sent on this connection: with the code of a
 * connection that could not be made, for all who judge errors of the database.
 */
export class DatabaseServerReplaced extends Error {
  override readonly name = 'DatabaseServerReplaced';
  readonly code = '08001';

  constructor() {
    super('another server has taken over meanwhile');
  }
}

export class JournalDatabaseCatchUp {
  readonly #options: JournalCatchUpOptions;
  /** The server, and the copy of the database, that has what the journals hold. */
  #server: string | undefined;
  /** When the server that was used last had been started: `DATABASE_SERVER_START_SQL`. */
  #started: string | undefined;
  #merging: Promise<readonly string[]> | undefined;
  #problem: string | undefined;

  constructor(options: JournalCatchUpOptions) {
    this.#options = options;
  }

  /** Why not all that was acknowledged may stand, as a sentence; undefined: it does. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** For each new connection: settles when it may be used. Rejects as the database does. */
  async verify(client: ClientBase): Promise<void> {
    const found = (await this.#look(client))?.server;
    if (found === undefined || found === this.#server) return;
    await this.merge();
    // What was merged may have been the server before.
    if (found !== this.#server) await this.merge();
    if (found !== this.#server) throw new DatabaseServerReplaced();
  }

  /** The database has fewer writes than it acknowledged. */
  async wentBack(): Promise<void> {
    this.#server = undefined;
    await this.merge();
  }

  /**
   * Writes again what the journals hold and the database lacks; what of them cannot be read, as sentences. Rejects as the
   * database does.
   */
  merge(): Promise<readonly string[]> {
    this.#merging ??= this.#merge().finally(() => (this.#merging = undefined));
    return this.#merging;
  }

  /** Which server, and which copy of the database, answers there; undefined: it has no such tables, or takes no writes. */
  async #look(client: Pick<ClientBase, 'query'> | Pool): Promise<Looked | undefined> {
    const own = await this.#options.standing();
    const { rows } = await client.query<{ history: string; started: string; ready: boolean }>(SERVER);
    const { history, started, ready } = rows[0]!;
    if (!ready) return undefined;
    const server = `${history} ${started}`;
    if (!own || own.known === 0) return { server, started, lacks: false };
    const { rows: counted } = await client.query<{ number: number }>(
      'SELECT number FROM row_writers WHERE writer = $1',
      [own.writer],
    );
    const lacks = (counted[0]?.number ?? 0) < own.known;
    return { server: lacks ? `${server} before ${own.known}` : server, started, lacks };
  }

  async #merge(): Promise<readonly string[]> {
    const { pool, journals, name, heard, log, standing } = this.#options;
    const merged = emptyRowMergeResult();
    const found = await this.#look(pool);
    if (!found) return [];
    const problems = new Set<string>();
    const streams: LineStream[] = [];
    const own = (await standing())?.writer;
    for (const journal of await journals.kept(await readDatabaseIdentity(pool))) {
      const { incarnation } = journal.owner;
      const number = await readWriterLastRowWriteNumber(pool, incarnation);
      if (journal.problem !== undefined) problems.add(unreadableSentence(journal, journal.problem));
      const isOwn = incarnation === own;
      if ((journal.last.get(0) ?? 0) > number)
        streams.push(new LineStream(journal, { number, isOwn }, problems));
    }
    let batch: NumberedRowChanges[] = [];
    for await (const one of inTheirOrder(streams)) {
      batch.push(one);
      if (batch.length < BATCH) continue;
      await mergeRowChangesIntoDatabase(pool, batch, merged, log);
      batch = [];
    }
    if (batch.length > 0) await mergeRowChangesIntoDatabase(pool, batch, merged, log);
    // Lines behind damage are read each time, and mostly stand already.
    const lacks =
      found.lacks || !isEmptyRowMergeResult(merged) || streams.some(({ isDamaged }) => !isDamaged);
    await skipSmallIdsAhead(pool, { lacks, started: this.#started }, log);
    const now = await this.#look(pool);
    this.#server = now?.server;
    this.#started = now?.started;
    this.#told(merged, [...problems]);
    if (!isEmptyRowMergeResult(merged))
      log.warn(
        { ...merged },
        `the database of ${name} lacked what journals hold of its rows: it is written again`,
      );
    heard(merged);
    return [...problems];
  }

  #told({ refused }: RowMergeResult, problems: readonly string[]): void {
    const { name, log } = this.#options;
    for (const problem of problems) log.error({ database: name }, problem);
    const all = [...problems, ...refused];
    this.#problem = all.length === 0 ? undefined : `the database of ${name} may lack rows: ${all[0]}`;
  }
}

interface Looked {
  server: string;
  started: string;
  /** It has fewer writes of this process than it acknowledged. */
  lacks: boolean;
}

const SERVER = `SELECT to_regclass('row_writers') IS NOT NULL AND NOT pg_is_in_recovery() AS ready,
  ${DATABASE_COPY_IDENTITY_SQL} AS history, ${DATABASE_SERVER_START_SQL} AS started`;

/** Names the database over all its copies. */
export const readDatabaseIdentity = async (pool: Pool): Promise<string> =>
  (await pool.query<{ identity: string }>('SELECT identity FROM shard_state')).rows[0]!.identity;

const unreadableSentence = ({ owner: { incarnation, name } }: StoredJournal, why: string): string =>
  `the journal ${name === '' ? incarnation : `${incarnation} (${name})`} of rows cannot be read: ${why}`;

/** The lines of one journal above a number, with the next one at hand. What cannot be read among them is passed over. */
class LineStream {
  readonly #journal: StoredJournal;
  readonly #lines: AsyncIterator<JournalLine>;
  readonly #problems: Set<string>;
  /** This process writes it: it goes on from its last number, whatever cannot be read. */
  readonly #isOwn: boolean;
  next: NumberedRowChanges | undefined;
  /** Of the next one, microseconds. */
  at = 0;
  /** Something before the next one could not be read. */
  isDamaged = false;

  constructor(journal: StoredJournal, above: { number: number; isOwn: boolean }, problems: Set<string>) {
    this.#journal = journal;
    this.#problems = problems;
    this.#isOwn = above.isOwn;
    const lines = journal.lines(new Map([[0, above.number]]), ({ message }) => this.#lacks(message));
    this.#lines = lines[Symbol.asyncIterator]();
  }

  async advance(): Promise<void> {
    this.next = undefined;
    while (!this.next) {
      const { value, done } = await this.#lines.next();
      if (done) return;
      this.#take(value);
    }
  }

  #take({ number, text }: JournalLine): void {
    try {
      const changes = parseRowChanges(text);
      this.next = {
        ...{ writer: this.#journal.owner.incarnation, number, changes },
        isBehindDamage: this.isDamaged && !this.#isOwn,
      };
      this.at = Math.max(this.at, ...changes.map((change) => ('at' in change ? change.at : 0)));
    } catch (error) {
      if (!(error instanceof NewerRowChangeFormatError || error instanceof SyntaxError)) throw error;
      this.#lacks(error.message);
    }
  }

  #lacks(why: string): void {
    this.isDamaged = true;
    this.#problems.add(unreadableSentence(this.#journal, why));
  }
}

/** A row is made before it is changed, also by another node: the oldest line of all journals comes first. */
async function* inTheirOrder(streams: readonly LineStream[]): AsyncGenerator<NumberedRowChanges, void> {
  for (const stream of streams) await stream.advance();
  for (;;) {
    const [first] = streams.filter(({ next }) => next).toSorted((one, other) => one.at - other.at);
    if (!first?.next) return;
    yield first.next;
    await first.advance();
  }
}
