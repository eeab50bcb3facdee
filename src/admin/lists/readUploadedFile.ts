/** A file that a request of the admin API brings: read as it comes, within its bounds. */
import type { Context } from 'koa';
import { readParts } from '../../rest/multipart.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';

/** The body as it stands, or the first file of a form. Throws a 400, 413 or 415. */
export async function* readUploadedFile(ctx: Context, mostBytes: number): AsyncGenerator<Buffer> {
  const type = ctx.get('content-type');
  if (!/^(|identity)$/i.test(ctx.get('content-encoding')))
    throw new AdminError(415, 'a compressed body is not read; send it as it is');
  if (!/^multipart\//i.test(type)) {
    if (/[/+]json\b/i.test(type))
      throw new AdminError(415, 'send the numbers as CSV (Content-Type: text/csv)');
    yield* bytesOf(ctx, mostBytes);
    return;
  }
  let isFound = false;
  for await (const part of readParts(bytesOf(ctx, mostBytes), type)) {
    if (isFound || part.fileName === undefined) continue;
    isFound = true;
    yield* part.content;
  }
  if (!isFound) throw new AdminError(400, 'the form brings no file', { field: null });
}

async function* bytesOf(ctx: Context, mostBytes: number): AsyncGenerator<Buffer> {
  const tooLarge = new AdminError(413, `the file is larger than ${mostBytes} bytes; send it in pieces`);
  if (Number(ctx.get('content-length')) > mostBytes) throw tooLarge;
  let bytes = 0;
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLarge;
    yield chunk;
  }
}

/** The client went away, or its connection did. */
export const isBrokenOff = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'].includes((error as { code?: string }).code ?? '');
