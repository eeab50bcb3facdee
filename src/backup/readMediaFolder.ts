/** The files of a media folder, account by account. */
import { type Dir } from 'node:fs';
import { opendir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { idOfFileName } from '../providers/contracts/media.ts';

export interface BackupMediaFile {
  /** In the archive: `media/<account>/<file>`. */
  name: string;
  bytes: number;
  /** Its bytes, exactly so many. */
  content: AsyncIterable<Buffer>;
}

/**
 * All files that are whole. They are written aside and then named, and never written to again: one that is opened here
 * stays what it is. What is removed meanwhile is left out.
 */
export async function* readMediaFolderFiles(folder: string): AsyncGenerator<BackupMediaFile> {
  for await (const account of entriesOf(folder)) {
    if (!/^\d{1,15}$/.test(account)) continue;
    for await (const file of entriesOf(join(folder, account)))
      if (idOfFileName(file) !== undefined)
        yield* fileAt(join(folder, account, file), `media/${account}/${file}`);
  }
}

async function* entriesOf(folder: string): AsyncGenerator<string> {
  let entries: Dir;
  try {
    entries = await opendir(folder);
  } catch (error) {
    if (isAbsent(error)) return;
    throw error;
  }
  for await (const { name } of entries) yield name;
}

async function* fileAt(path: string, name: string): AsyncGenerator<BackupMediaFile> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (!file) return;
  try {
    const { size: bytes } = await file.stat();
    if (bytes === 0) yield { name, bytes, content: (async function* () {})() };
    else yield { name, bytes, content: file.createReadStream({ end: bytes - 1, autoClose: false }) };
  } finally {
    await file.close();
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
