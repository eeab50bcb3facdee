/**
 * The rows of one database, and the journals of them that are at hand. No connection is handed out before what the
 * journals hold is written on the server that answers there: a standby that was promoted, or a copy that was put back,
 * is brought up to date first.
 */
import type { ClientBase, Pool } from 'pg';
import { type Journal, JournalUnreadable, type StoredJournal } from '../../engine/contract/journal.ts';
import type { EngineLog } from '../../engine/contract/ports.ts';
import { NewerImageFormatError, parseRowImages } from './rowImage.ts';
import {
  isEmptyImageMergeResult,
  type ImageMergeResult,
  mergeRowImagesIntoDatabase,
  emptyImageMergeResult,
  type NumberedRowImages,
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
  heard(merged: ImageMergeResult): void;
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
  #merging: Promise<void> | undefined;
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

  /** Writes again what the journals hold and the database lacks. Rejects as the database does. */
  merge(): Promise<void> {
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

  async #merge(): Promise<void> {
    const { pool, journals, name, heard, log } = this.#options;
    const merged = emptyImageMergeResult();
    const found = await this.#look(pool);
    if (!found) return;
    const problems: string[] = [];
    const streams: LineStream[] = [];
    for (const journal of await journals.kept(await readDatabaseIdentity(pool))) {
      const { incarnation, name: node } = journal.owner;
      const number = await readWriterLastRowWriteNumber(pool, incarnation);
      if (journal.problem !== undefined)
        problems.push(`the journal ${incarnation} (${node}) of rows cannot be read: ${journal.problem}`);
      if ((journal.last.get(0) ?? 0) > number) streams.push(new LineStream(journal, number, problems));
    }
    let batch: NumberedRowImages[] = [];
    for await (const one of inTheirOrder(streams)) {
      batch.push(one);
      if (batch.length < BATCH) continue;
      await mergeRowImagesIntoDatabase(pool, batch, merged, log);
      batch = [];
    }
    if (batch.length > 0) await mergeRowImagesIntoDatabase(pool, batch, merged, log);
    const lacks = found.lacks || streams.length > 0;
    await skipSmallIdsAhead(pool, { lacks, started: this.#started }, log);
    const now = await this.#look(pool);
    this.#server = now?.server;
    this.#started = now?.started;
    this.#told(merged, problems);
    if (!isEmptyImageMergeResult(merged))
      log.warn(
        { ...merged },
        `the database of ${name} lacked what journals hold of its rows: it is written again`,
      );
    heard(merged);
  }

  #told({ refused }: ImageMergeResult, problems: readonly string[]): void {
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

/** The lines of one journal above a number, with the next one at hand. */
class LineStream {
  readonly #journal: StoredJournal;
  readonly #lines: AsyncIterator<{ number: number; lane: number; text: string }>;
  readonly #problems: string[];
  next: NumberedRowImages | undefined;
  /** Of the next one, microseconds. */
  at = 0;

  constructor(journal: StoredJournal, above: number, problems: string[]) {
    this.#journal = journal;
    this.#problems = problems;
    this.#lines = journal.lines(new Map([[0, above]]))[Symbol.asyncIterator]();
  }

  /** What cannot be read ends it: what stands before that is written all the same. */
  async advance(): Promise<void> {
    const { incarnation, name } = this.#journal.owner;
    this.next = undefined;
    try {
      const { value, done } = await this.#lines.next();
      if (done) return;
      const images = parseRowImages(value.text);
      this.next = { writer: incarnation, number: value.number, images };
      this.at = Math.max(this.at, ...images.map((image) => ('at' in image ? image.at : 0)));
    } catch (error) {
      const isOfJournal =
        error instanceof JournalUnreadable ||
        error instanceof NewerImageFormatError ||
        error instanceof SyntaxError;
      if (!isOfJournal) throw error;
      this.#problems.push(`the journal ${incarnation} (${name}) of rows cannot be read: ${error.message}`);
    }
  }
}

/** A row is made before it is changed, also by another node: the oldest line of all journals comes first. */
async function* inTheirOrder(streams: readonly LineStream[]): AsyncGenerator<NumberedRowImages, void> {
  for (const stream of streams) await stream.advance();
  for (;;) {
    const [first] = streams.filter(({ next }) => next).toSorted((one, other) => one.at - other.at);
    if (!first?.next) return;
    yield first.next;
    await first.advance();
  }
}
