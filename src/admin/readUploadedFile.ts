/** A file that a request of the admin API brings: read as it comes, within its bounds. */
import type { Context } from 'koa';
import { drainRequestBody } from '../rest/drainRefusedRequestBody.ts';
import { readParts } from '../rest/multipart.ts';
import { UploadRefused } from '../rest/upload/refused.ts';
import { AdminError } from './adminErrorsAndRequestParsing.ts';
import type { AdminDeps, FileLimit, RequestFile, RequestFileFolder } from './deps.ts';

const insteadOfJson: Readonly<Record<FileLimit, string>> = {
  list: 'send the numbers as CSV (Content-Type: text/csv)',
  audio: 'send the sound file as it is (Content-Type: audio/wav, audio/mpeg, …)',
};

/** The body as it stands, or the first file of a form. Throws a 400, 413 or 415. */
export async function* readUploadedFile(
  ctx: Context,
  mostBytes: number,
  limit: FileLimit = 'list',
): AsyncGenerator<Buffer> {
  const type = ctx.get('content-type');
  if (!/^(|identity)$/i.test(ctx.get('content-encoding')))
    throw new AdminError(415, 'a compressed body is not read; send it as it is');
  if (!/^multipart\//i.test(type)) {
    if (/[/+]json\b/i.test(type)) throw new AdminError(415, insteadOfJson[limit]);
    yield* bytesOf(ctx, mostBytes, limit);
    return;
  }
  let isFound = false;
  for await (const part of readParts(bytesOf(ctx, mostBytes, limit), type)) {
    if (isFound || part.fileName === undefined) continue;
    isFound = true;
    yield* part.content;
  }
  if (!isFound) throw new AdminError(400, 'the form brings no file', { field: null });
}

async function* bytesOf(ctx: Context, mostBytes: number, limit: FileLimit): AsyncGenerator<Buffer> {
  const instead = limit === 'list' ? '; send it in pieces' : '';
  const tooLarge = new AdminError(413, `the file is larger than ${mostBytes} bytes${instead}`);
  if (Number(ctx.get('content-length')) > mostBytes) throw tooLarge;
  let bytes = 0;
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge;
    yield chunk;
  }
}

/**
 * Writes the file of the request to disk, under this name; it is gone when `files` is discarded. Throws a 400, 413 or 415.
 */
export const receiveUploadedFile = async (
  { mostBytes }: Pick<AdminDeps, 'mostBytes'>,
  ctx: Context,
  files: RequestFileFolder,
  { name, limit }: { name: string; limit: FileLimit },
): Promise<RequestFile> => {
  const most = mostBytes[limit];
  try {
    const sink = await files.begin({ name, field: '', contentType: '' });
    for await (const piece of readUploadedFile(ctx, most, limit)) await sink.write(piece);
    return await sink.end();
  } catch (error) {
    drainRequestBody(ctx.req, ctx.res);
    if (error instanceof UploadRefused && error.why === 'tooLarge')
      throw new AdminError(413, `the file is larger than ${most} bytes`);
    if ((error instanceof UploadRefused && error.why !== 'notStored') || isBrokenOff(error))
      throw new AdminError(400, 'the file did not arrive whole: send it again', { field: null });
    throw error;
  }
};

/** The client went away, or its connection did. */
export const isBrokenOff = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'].includes((error as { code?: string }).code ?? '');
