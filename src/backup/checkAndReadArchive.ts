/** Reads an archive: all of it is looked over before anything is done with it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import {
  ArchiveHasher,
  type BackupHeader,
  parseArchiveEntryName,
  type BackupManifest,
  parseArchiveHeader,
  parseBackupManifest,
  type TableTally,
  ARCHIVE_FORMAT_VERSION,
} from './format.ts';
import { BrokenTar, readTar, type TarFile } from './tar.ts';

/** An archive that is whole. */
export interface CheckedArchive {
  path: string;
  header: BackupHeader;
  manifest: BackupManifest;
  /** As they stand in it, with the digest that they are sealed with. */
  secrets: { sealed: Buffer; about: string } | undefined;
}

/** Of files that are read into memory. */
const MOST_JSON_BYTES = 64 * 1024 * 1024;

/**
 * Reads all of it and compares every checksum. Throws a sentence for what is no archive of ours, is damaged, or is not
 * whole. `onBytes`: hears how much of the file was read, and of how much. `signal`: breaks it off.
 */
export const verifyBackupArchive = async (
  path: string,
  onBytes: (read: number, of: number) => void = () => {},
  signal?: AbortSignal,
): Promise<CheckedArchive> => {
  const digest = new ArchiveHasher();
  const check = new Check(path);
  for await (const file of readArchiveFiles(path, onBytes)) {
    signal?.throwIfAborted();
    const before = digest.hex();
    digest.begin(file.name, file.size);
    await check.take(file, before, (bytes) => digest.update(bytes));
  }
  return check.archive();
};

/** The files of an archive that was checked. */
export const readArchiveFiles = async function* (
  path: string,
  onBytes: (read: number, of: number) => void = () => {},
): AsyncGenerator<TarFile> {
  const size = await sizeOf(path);
  let read = 0;
  const source = createReadStream(path, { highWaterMark: 256 * 1024 });
  const unpacked = createGunzip({ chunkSize: 256 * 1024 });
  source.on('data', (bytes) => onBytes((read += bytes.length), size));
  source.on('error', (error) => unpacked.destroy(error));
  source.pipe(unpacked);
  let files = 0;
  // What goes wrong inside of a file is thrown to who reads it, and not through here.
  const told = async function* (content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* content;
    } catch (error) {
      throw sentenceOf(error, path, files);
    }
  };
  try {
    for await (const file of readTar(unpacked)) {
      yield { ...file, content: () => told(file.content()) };
      files += 1;
    }
  } catch (error) {
    throw sentenceOf(error, path, files);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
};

const sizeOf = async (path: string): Promise<number> => {
  try {
    const file = await open(path, 'r');
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw new Error(`${path} is a folder: name the archive in it`);
      return stat.size;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`there is no file ${path}`, { cause: error });
    throw error;
  }
};

const notOurs = (path: string, cause?: unknown): Error =>
  new Error(`${path} is no backup of Ramal`, { cause });
/** Nothing of it was read before, so it may be another's. */
const damagedAtFirst = (path: string, what: string, cause?: unknown): Error =>
  new Error(`${path} is no backup of Ramal, or is damaged: ${what}`, { cause });
const notWhole = (path: string, cause?: unknown): Error =>
  new Error(`${path} is not whole: it ends too soon, as a backup does that was interrupted`, { cause });
const damaged = (path: string, what: string, cause?: unknown): Error =>
  new Error(`${path} is damaged: ${what}`, { cause });

/** What zlib says of bytes that are not in its format at all. */
const NOT_PACKED = 'incorrect header check';

/** What zlib and tar say, as a sentence about the archive. `files`: how many were read before. */
const sentenceOf = (error: unknown, path: string, files: number): unknown => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const isOfFormat = code.startsWith('Z_') || error instanceof BrokenTar;
  const isEarly = code === 'Z_BUF_ERROR' || (error instanceof BrokenTar && message === 'it ends too soon');
  if (files === 0 && isEarly)
    return new Error(`${path} is no backup of Ramal, or only its beginning`, { cause: error });
  if (!isOfFormat) return error;
  if (message === NOT_PACKED) return notOurs(path, error);
  if (files === 0) return damagedAtFirst(path, message, error);
  return isEarly ? notWhole(path, error) : damaged(path, message, error);
};

/** What was seen of an archive so far, compared as it comes. */
class Check {
  readonly #path: string;
  #header: BackupHeader | undefined;
  #manifest: BackupManifest | undefined;
  #secrets: CheckedArchive['secrets'];
  #tables: Map<string, { bytes: number; hash: ReturnType<typeof createHash> }> = new Map();
  #media = { files: 0, bytes: 0 };

  constructor(path: string) {
    this.#path = path;
  }

  /** `before`: the digest of all files before this one. */
  async take(file: TarFile, before: string, heard: (bytes: Buffer) => void): Promise<void> {
    const entry = parseArchiveEntryName(file.name);
    if ((entry.kind === 'header') !== (this.#header === undefined)) throw notOurs(this.#path);
    if (this.#manifest) throw damaged(this.#path, `${file.name} stands behind its end`);
    switch (entry.kind) {
      case 'header':
        this.#header = this.#readHeader(await this.#text(file, heard));
        break;
      case 'rows':
        await this.#rows(file, `${entry.place}/${entry.table}`, heard);
        break;
      case 'media':
        for await (const bytes of file.content()) heard(bytes);
        this.#media = { files: this.#media.files + 1, bytes: this.#media.bytes + file.size };
        break;
      case 'secrets':
        this.#secrets = { sealed: Buffer.from(await this.#text(file, heard)), about: before };
        break;
      case 'manifest':
        this.#end(await this.#text(file, heard), before);
        break;
      case 'unknown':
        throw damaged(this.#path, `it holds ${JSON.stringify(file.name)}, which is none of its files`);
    }
  }

  archive(): CheckedArchive {
    if (!this.#header) throw notOurs(this.#path);
    if (!this.#manifest) throw notWhole(this.#path);
    return { path: this.#path, header: this.#header, manifest: this.#manifest, secrets: this.#secrets };
  }

  async #text(file: TarFile, heard: (bytes: Buffer) => void): Promise<string> {
    if (file.size > MOST_JSON_BYTES) throw damaged(this.#path, `${file.name} is too large`);
    const parts: Buffer[] = [];
    for await (const bytes of file.content()) {
      heard(bytes);
      parts.push(bytes);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  async #rows(file: TarFile, key: string, heard: (bytes: Buffer) => void): Promise<void> {
    const seen = this.#tables.get(key) ?? { bytes: 0, hash: createHash('sha256') };
    this.#tables.set(key, seen);
    for await (const bytes of file.content()) {
      heard(bytes);
      seen.hash.update(bytes);
      seen.bytes += bytes.length;
    }
  }

  #readHeader(json: string): BackupHeader {
    const header = parseArchiveHeader(json);
    if (!header) throw damagedAtFirst(this.#path, 'its header cannot be read');
    if (header.version !== ARCHIVE_FORMAT_VERSION)
      throw new Error(
        `${this.#path} is a backup in format ${header.version}, and this release reads ${ARCHIVE_FORMAT_VERSION}: use release ${header.release} or a newer one`,
      );
    return header;
  }

  #end(json: string, before: string): void {
    const manifest = parseBackupManifest(json);
    if (!manifest) throw damaged(this.#path, 'its manifest cannot be read');
    const differs = (what: string): Error =>
      damaged(this.#path, `${what} is not what its manifest says: its checksum differs`);
    for (const [index, place] of this.#header!.places.entries())
      for (const { name } of place.tables)
        if (!isAs(manifest.places[index]?.[name], this.#tables.get(`${index}/${name}`)))
          throw differs(`the table ${name}`);
    if (manifest.media.files !== this.#media.files || manifest.media.bytes !== this.#media.bytes)
      throw differs('the media');
    if (this.#header!.secrets !== (this.#secrets !== undefined)) throw differs('the part with secrets');
    if (manifest.sha256 !== before) throw differs('its content');
    this.#manifest = manifest;
  }
}

/** A table without rows has no part. */
const isAs = (
  told: TableTally | undefined,
  seen: { bytes: number; hash: ReturnType<typeof createHash> } | undefined,
): boolean =>
  told !== undefined &&
  told.bytes === (seen?.bytes ?? 0) &&
  told.sha256 === (seen?.hash ?? createHash('sha256')).copy().digest('hex');
