/**
 * Media in a bucket of S3 or of what speaks like it, under the key `<id>/<account>`: all files whose id begins alike are
 * listed together, and a bucket's own rules (to keep, to expire) can be made by kind of file. For more than one node.
 */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readWavHeader } from '../sound/wav.ts';
import { contentTypeOfMediaId, isStoredMediaId } from '../contracts/media.ts';
import type { ListedMedia, MediaStat, MediaStore } from '../contracts/media.ts';
import { toContentWithDigest, type ContentWithDigest, spoolThenSend } from '../spoolUploadWithDigest.ts';
import { type S3Answer, type S3Options, s3Client } from './s3Client.ts';
import { parseS3Listing } from './s3Listing.ts';
import { readUpTo } from '../readUpTo.ts';

export interface S3MediaOptions extends S3Options {
  /** Where a file of unknown length is put together before it is sent. */
  folder: string;
}

const HEAD_BYTES = 1024;

export const s3Media = (options: S3MediaOptions): MediaStore => {
  const ask = s3Client(options);
  const keyOf = (account: number, id: string): string | undefined =>
    Number.isSafeInteger(account) && account >= 0 && isStoredMediaId(id) ? `${id}/${account}` : undefined;

  /** A PUT is seen as a whole or not at all. */
  const send = async (key: string, id: string, body: ContentWithDigest): Promise<void> => {
    const headers = {
      'content-type': contentTypeOfMediaId(id),
      'content-length': String(body.bytes),
      'x-amz-content-sha256': body.sha256,
    };
    await done(await ask('PUT', key, { headers, body: body.content() }));
  };

  const stat = async (key: string): Promise<MediaStat | undefined> => {
    const answer = await ask('GET', key, { headers: { range: `bytes=0-${HEAD_BYTES - 1}` } });
    if (answer.status === 404) return done(answer, 404);
    const modifiedAt = Date.parse(answer.header('last-modified')) || 0;
    // An empty file has no first byte.
    if (answer.status === 416) {
      await done(answer, 416);
      return { bytes: 0, seconds: 0, modifiedAt };
    }
    const head = await buffer(await done(answer));
    const bytes = Number(/\/(\d+)$/.exec(answer.header('content-range'))?.[1] ?? head.length);
    return { bytes, seconds: readWavHeader(head, bytes)?.seconds ?? 0, modifiedAt };
  };

  return {
    async put(account, id, content) {
      const key = keyOf(account, id);
      if (key === undefined) throw new TypeError(`"${id}" of account ${account} cannot name a media file`);
      if (content instanceof Uint8Array) await send(key, id, toContentWithDigest(content));
      else await spoolThenSend(options.folder, content, (body) => send(key, id, body));
      return (await stat(key))!;
    },

    async stat(account, id) {
      const key = keyOf(account, id);
      return key === undefined ? undefined : stat(key);
    },

    async open(account, id, range) {
      const key = keyOf(account, id);
      const known = key === undefined ? undefined : await stat(key);
      if (key === undefined || !known) return undefined;
      const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const answer = await ask('GET', key, { headers });
      return answer.status === 404 ? done(answer, 404) : { ...known, stream: await done(answer) };
    },

    async list(prefix) {
      const found: ListedMedia[] = [];
      let next: string | undefined;
      do {
        const query = { 'list-type': '2', prefix, ...(next !== undefined && { 'continuation-token': next }) };
        const page = parseS3Listing(
          (await buffer(await done(await ask('GET', '', { query })))).toString('utf8'),
        );
        found.push(...page.files);
        next = page.next;
      } while (next !== undefined);
      return found.toSorted((one, other) => one.modifiedAt - other.modifiedAt);
    },

    async delete(account, id) {
      const key = keyOf(account, id);
      if (key === undefined || !(await stat(key))) return false;
      await done(await ask('DELETE', key));
      return true;
    },
  };
};

/** Of a complaint, bytes. */
const mostBytes = 65_536;

/** The body of an answer that is a success; of one of `none`, nothing. Throws what the server complains of. */
async function done(answer: S3Answer): Promise<Readable>;
async function done(answer: S3Answer, ...none: number[]): Promise<undefined>;
async function done(answer: S3Answer, ...none: number[]): Promise<Readable | undefined> {
  if (answer.status < 300) return answer.body;
  const text = await readUpTo(answer.body, mostBytes);
  if (none.includes(answer.status)) return undefined;
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? '';
  throw new Error(`the media bucket answered ${answer.status} ${code}`.trim());
}
