/**
 * Answers a request for a media file, whichever door it came through: the whole file, a part of it, or "you have it".
 */
import type { Readable } from 'node:stream';
import { contentTypeOfMediaId, type MediaStore } from '../contracts/media.ts';
import type { SignedMediaLinks } from './links.ts';

export interface MediaFileRequest {
  method: string;
  /** As it stands in the request line. */
  pathAndQuery: string;
  /** Header `range`. */
  range?: string | undefined;
  /** Header `if-none-match`. */
  ifNoneMatch?: string | undefined;
}

/** Of a request what says how much of the file is wanted. */
export type MediaFilePartRequest = Omit<MediaFileRequest, 'pathAndQuery'>;

export interface MediaFileHttpResponse {
  status: 200 | 206 | 304 | 404 | 405 | 416;
  headers: Record<string, string>;
  /** Absent: an empty body. */
  stream?: Readable;
}

/** A link that is unknown, wrong or expired is answered 404, like a file that is gone. */
export const serveMedia =
  ({ media, links, now }: { media: MediaStore; links: SignedMediaLinks; now: () => number }) =>
  async (request: MediaFileRequest): Promise<MediaFileHttpResponse> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 405, headers: { allow: 'GET, HEAD' } };
    }
    const link = links.read(request.pathAndQuery);
    if (!link) return { status: 404, headers: {} };
    const seconds = Math.max(0, Math.floor((link.expiresAt - now()) / 1000));
    return serveMediaFile(media, link, request, `private, max-age=${seconds}`);
  };

/** A file by its account and id, for callers that were admitted otherwise. `cacheControl`: how long it may be kept, as HTTP says it. */
export const serveMediaFile = async (
  media: MediaStore,
  { account, id }: { account: number; id: string },
  request: MediaFilePartRequest,
  cacheControl: string,
): Promise<MediaFileHttpResponse> => {
  const known = await media.stat(account, id);
  if (!known) return { status: 404, headers: {} };
  const tag = `"${known.bytes.toString(36)}-${known.modifiedAt.toString(36)}"`;
  const headers = {
    'cache-control': cacheControl,
    etag: tag,
    'accept-ranges': 'bytes',
    'content-type': contentTypeOfMediaId(id),
    'x-content-type-options': 'nosniff',
  };
  if (request.ifNoneMatch === tag) return { status: 304, headers };
  const part = partOf(request.range, known.bytes);
  if (part === 'outside') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${known.bytes}` } };
  }
  const { start, end } = part ?? { start: 0, end: known.bytes - 1 };
  const sized: Record<string, string> = { ...headers, 'content-length': String(end - start + 1) };
  if (part) sized['content-range'] = `bytes ${start}-${end}/${known.bytes}`;
  const status = part ? 206 : 200;
  if (request.method === 'HEAD') return { status, headers: sized };
  const file = await media.open(account, id, { start, end });
  return file ? { status, headers: sized, stream: file.stream } : { status: 404, headers: {} };
};

/** One range of bytes, as browsers ask for; several at once, or anything unclear, is answered with the whole file. */
const partOf = (range: string | undefined, bytes: number) => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start > end ? 'outside' : { start, end };
};
