/** Files for customers on an SFTP server of theirs: written aside, then renamed. */
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Stats } from 'ssh2';
import type { FileTarget, FileToDeliver } from '../../contracts/delivery.ts';
import { temporaryName, isTemporaryNameOf } from './temporaryNames.ts';
import { type SftpLogin, openSftpSession, sftpRequestFailure, type SftpSession } from './sftpSession.ts';
import { type Host, openOutboundSocket, type OutboundNetworkOptions } from '../ssrfGuardedSocket.ts';
import { rememberContentSourceError } from '../idleTimeout.ts';

export interface SftpOptions extends Host, SftpLogin, OutboundNetworkOptions {
  /** On the server; empty: where a login begins. */
  folder: string;
}

export const sftpDeliveryTarget = (options: SftpOptions): FileTarget => ({
  async put(given) {
    const content = rememberContentSourceError(given.content);
    const file = { ...given, content };
    const socket = await openOutboundSocket(options, options, file.signal);
    const session = await openSftpSession(socket, options, file.signal);
    const path = posix.join(options.folder, file.name);
    try {
      await makeFolder(session, options.folder);
      await removeDrafts(session, options.folder, file);
      await write(session, options.folder, file);
      return { hostKey: session.hostKey };
    } catch (error) {
      throw content.failure() ?? sftpRequestFailure(error, path);
    } finally {
      session.end();
    }
  },
});

/** Makes the folder and those above it, when it is not there. */
const makeFolder = async ({ sftp, ask }: SftpSession, folder: string): Promise<void> => {
  if (folder === '') return;
  const isThere = () => ask<Stats>((done) => sftp.stat(folder, done));
  try {
    await isThere();
  } catch {
    const parts = folder.split('/');
    // One that is there already is refused, and so may be one above that we cannot see: the last look decides.
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const path = parts.slice(0, depth).join('/');
      if (path !== '') await ask((done) => sftp.mkdir(path, done)).catch(() => {});
    }
    await isThere();
  }
};

/** Entries of a folder that are looked at: a server may show more than memory holds, and without an end. */
const LOOKED_AT_MOST = 10_000;
/** Time for it: what is left behind is removed another time. */
const LOOKED_MS = 10_000;

/** What a process that died left behind; a server that does not show its folders keeps it. */
const removeDrafts = async (session: SftpSession, folder: string, file: FileToDeliver): Promise<void> => {
  const { sftp, ask } = session;
  const left = await namesIn(session, folder || '.', (name) =>
    isTemporaryNameOf(name, file.name, file.draft),
  ).catch(() => []);
  for (const name of left) await ask((done) => sftp.unlink(posix.join(folder, name), done)).catch(() => {});
};

/** Names in a folder that are wanted, of the first that the server shows: page by page, as many as it puts into one. */
const namesIn = async (
  { sftp, ask }: SftpSession,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<string[]> => {
  const handle = await ask<Buffer>((done) => sftp.opendir(folder, done));
  const until = performance.now() + LOOKED_MS;
  const wanted: string[] = [];
  let seen = 0;
  try {
    while (seen < LOOKED_AT_MOST && performance.now() < until) {
      const page = await ask<{ filename: string }[] | false>((done) => sftp.readdir(handle, done));
      if (!page) break;
      seen += page.length;
      wanted.push(...page.map(({ filename }) => filename).filter(isWanted));
    }
  } catch {
    // The end of a folder is told as a failure.
  } finally {
    await ask((done) => sftp.close(handle, done)).catch(() => {});
  }
  return wanted;
};

const write = async (
  session: SftpSession,
  folder: string,
  { name, content, draft, signal }: FileToDeliver,
) => {
  const { sftp, ask, during } = session;
  const path = posix.join(folder, temporaryName(name, draft));
  try {
    const stream = sftp.createWriteStream(path, { flags: 'wx' });
    await during(pipeline(Readable.from(content), stream, { signal }));
    await replace(session, path, posix.join(folder, name));
  } catch (error) {
    await ask((done) => sftp.unlink(path, done)).catch(() => {});
    throw error;
  }
};

/** In one step where the server can (OpenSSH), else by making room first. */
const replace = async ({ sftp, ask }: SftpSession, from: string, to: string): Promise<void> => {
  try {
    await ask((done) => sftp.ext_openssh_rename(from, to, done));
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    await ask((done) => sftp.unlink(to, done)).catch(() => {});
    await ask((done) => sftp.rename(from, to, done));
  }
};

const isUnsupported = (error: unknown): boolean =>
  (error as { code?: unknown }).code === 8 || /does not support/i.test((error as Error).message);
