/** The built files of the console, read once and kept in memory: they are small, and the same for all. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';

export interface BuiltConsoleFile {
  /** Content type. */
  type: string;
  plain: Buffer;
  /** Absent where the file is compressed by itself. */
  gzipped?: Buffer;
  etag: string;
}

/** By path below the folder. */
export type BuiltConsoleFiles = ReadonlyMap<string, BuiltConsoleFile>;

/** What is built; nothing else is served. The second says whether it is worth compressing. */
const types: Readonly<Record<string, readonly [type: string, compress: boolean]>> = {
  '.html': ['text/html; charset=utf-8', true],
  '.js': ['text/javascript; charset=utf-8', true],
  '.css': ['text/css; charset=utf-8', true],
  '.svg': ['image/svg+xml', true],
  '.woff2': ['font/woff2', false],
};

const zip = promisify(gzip);

/** Reads the folder when it is first asked to; answers undefined while there is nothing built. */
export const readBuiltPages = (folder: string): (() => Promise<BuiltConsoleFiles | undefined>) => {
  let reading: Promise<BuiltConsoleFiles | undefined> | undefined;
  return () =>
    (reading ??= readAll(folder).then((pages) => {
      if (!pages) reading = undefined;
      return pages;
    }));
};

const readAll = async (folder: string): Promise<BuiltConsoleFiles | undefined> => {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const known = names.filter((name) => Object.hasOwn(types, extname(name)));
  if (!known.includes('index.html')) return undefined;
  const files = known.map(
    async (name) => [name.replaceAll('\\', '/'), await readOne(join(folder, name))] as const,
  );
  return new Map(await Promise.all(files));
};

const readOne = async (path: string): Promise<BuiltConsoleFile> => {
  const plain = await readFile(path);
  const [type, compress] = types[extname(path)]!;
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  if (!compress) return { type, plain, etag };
  return { type, plain, etag, gzipped: await zip(plain, { level: constants.Z_BEST_COMPRESSION }) };
};
