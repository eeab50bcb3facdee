/** The bytes of a backup, from the first to the last, as they are read from databases and folders. */
import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type CataloguedTable, qualifiedSqlName } from './databaseSchemaCatalogue.ts';
import {
  ArchiveHasher,
  type BackupHeader,
  BACKUP_HEADER_FILE,
  BACKUP_MANIFEST_FILE,
  type BackupManifest,
  formatControlAndShardNames,
  tableRowsFileName,
  BACKUP_SECRETS_FILE,
  type TableTally,
} from './format.ts';
import type { BackupMediaFile } from './readMediaFolder.ts';
import type { OpenBackupSchemaSnapshot } from './openSnapshotTransactions.ts';
import { tarEnd, tarHead, tarPadding } from './tar.ts';

/** Rows are gathered to parts of about so many bytes, for a part's length is written before it. */
const PART_BYTES = 1024 * 1024;

export interface BackupStreamOptions {
  header: BackupHeader;
  places: readonly OpenBackupSchemaSnapshot[];
  media: AsyncIterable<BackupMediaFile>;
  /** Seals the secrets for this digest; undefined: they are left out. */
  seal: ((about: string) => Buffer) | undefined;
  listener: BackupProgressListener;
  /** Epoch milliseconds. */
  now(): number;
}

export interface BackupProgressListener {
  /** Of the databases: how much was read, of about how much. */
  progress(what: string, done: number, of: number): void;
  /** A table was read to its end. */
  table(place: string, table: string, tally: TableTally): void;
}

/** An archive while it is written. `finish` hears the manifest when all of it is there. */
export async function* streamBackupArchive(
  options: BackupStreamOptions,
  finish: (manifest: BackupManifest) => void,
): AsyncGenerator<Buffer> {
  const { header, places, media, seal, now } = options;
  const writer = new FileWriter(header.at);
  yield* writer.file(BACKUP_HEADER_FILE, jsonOf(header));
  const manifest: BackupManifest = { places: [], media: { files: 0, bytes: 0 }, endedAt: 0, sha256: '' };
  const reading = new Reading(places, options.listener);
  for (const [index, place] of places.entries()) {
    const tallies: BackupManifest['places'][number] = {};
    manifest.places.push(tallies);
    for (const table of place.tables)
      yield* reading.table(writer, place, table, index, (tally) => (tallies[table.name] = tally));
  }
  for await (const { name, bytes, content } of media) {
    yield* writer.stream(name, bytes, content);
    manifest.media.files += 1;
    manifest.media.bytes += bytes;
    reading.step('media');
  }
  if (seal) yield* writer.file(BACKUP_SECRETS_FILE, seal(writer.digest()));
  Object.assign(manifest, { endedAt: now(), sha256: writer.digest() });
  yield* writer.file(BACKUP_MANIFEST_FILE, jsonOf(manifest));
  yield tarEnd();
  finish(manifest);
}

/** Files one after the other, and their digest. */
class FileWriter {
  readonly #digest = new ArchiveHasher();
  readonly #at: number;

  /** `at`: what stands in the archive as the time of its files, epoch milliseconds. */
  constructor(at: number) {
    this.#at = at;
  }

  *file(name: string, content: Buffer): Generator<Buffer> {
    this.#digest.begin(name, content.length);
    this.#digest.update(content);
    yield tarHead(name, content.length, this.#at);
    yield content;
    yield tarPadding(content.length);
  }

  async *stream(name: string, bytes: number, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    this.#digest.begin(name, bytes);
    yield tarHead(name, bytes, this.#at);
    for await (const chunk of content) {
      this.#digest.update(chunk);
      yield chunk;
    }
    yield tarPadding(bytes);
  }

  digest(): string {
    return this.#digest.hex();
  }
}

/** Tables one after the other, and how far it is: by what they take on the server's disk. */
class Reading {
  readonly #listener: BackupProgressListener;
  readonly #all: number;
  #done = 0;

  constructor(places: readonly OpenBackupSchemaSnapshot[], listener: BackupProgressListener) {
    this.#listener = listener;
    this.#all = places.flatMap(({ tables }) => tables).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async *table(
    writer: FileWriter,
    { client, schema, header }: OpenBackupSchemaSnapshot,
    table: CataloguedTable,
    place: number,
    ended: (tally: TableTally) => void,
  ): AsyncGenerator<Buffer> {
    const where = formatControlAndShardNames(header);
    const copy = copyTableOut(client, schema, table);
    let part = 0;
    try {
      for await (const bytes of copy.parts()) {
        yield* writer.file(tableRowsFileName(place, table.name, part), bytes);
        part += 1;
        this.step(`${where}: ${table.name}`, Math.min(copy.bytes(), table.bytes));
      }
      const tally = await copy.tally();
      ended(tally);
      this.#listener.table(where, table.name, tally);
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${table.name} of ${where} could not be read: ${message}`, { cause: error });
    }
    this.#done += table.bytes;
  }

  step(what: string, bytes = 0): void {
    this.#listener.progress(what, this.#done + bytes, this.#all);
  }
}

const jsonOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`);

export interface Copy {
  /** Its rows as text, in parts of about a megabyte. */
  parts(): AsyncGenerator<Buffer>;
  /** Bytes until now. */
  bytes(): number;
  /** After the last part. */
  tally(): Promise<TableTally>;
}

/** Reads a table with COPY, on a connection that does nothing else meanwhile. */
export const copyTableOut = (
  client: ClientBase,
  schema: string,
  { name, columns }: { name: string; columns: readonly string[] },
): Copy => {
  const hash = createHash('sha256');
  const list = columns.map(escapeIdentifier).join(', ');
  const stream = copyTo(`COPY ${qualifiedSqlName(schema, name)} (${list}) TO STDOUT`);
  let bytes = 0;
  return {
    async *parts() {
      let gathered: Buffer[] = [];
      let size = 0;
      const part = (): Buffer => {
        const whole = Buffer.concat(gathered);
        [gathered, size] = [[], 0];
        return whole;
      };
      for await (const chunk of client.query(stream) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
        gathered.push(chunk);
        size += chunk.length;
        if (size >= PART_BYTES) yield part();
      }
      if (size > 0) yield part();
    },
    bytes: () => bytes,
    tally: async () => {
      // The stream ends with the last row; how many there were comes behind it, before any answer to this.
      await client.query('SELECT');
      return { rows: stream.rowCount, bytes, sha256: hash.digest('hex') };
    },
  };
};
