/** Multipart bodies: fields stay in memory, the first file that may do and long fields go to disk. */
import type { UploadedFile } from '../../operations/operationUploadTypes.ts';
import { decodeUtf8OrLatin1 } from '../../lib/clientTextEncoding.ts';
import { emptyFormBody } from '../body.ts';
import { type Part, readParts } from '../multipart.ts';
import { UploadRefused } from './refused.ts';
import type {
  UploadedContents,
  IncomingUploadSession,
  UnreceivedUploadRequest,
} from './uploadRequestState.ts';

const maxNameLength = 200;

/** Throws `UploadRefused`. */
export const receiveMultipart = async (
  source: AsyncIterable<Buffer>,
  { contentType, rules, limits }: UnreceivedUploadRequest,
  session: IncomingUploadSession,
): Promise<UploadedContents> => {
  const provided = emptyFormBody();
  const spilled: Record<string, UploadedFile> = {};
  let file: UploadedFile | undefined;
  const isEnough = (one: UploadedFile | undefined): boolean => (one?.bytes ?? 0) >= (rules.leastBytes ?? 1);
  const better = (first: UploadedFile | undefined, next: UploadedFile | undefined) =>
    isEnough(next) || !first?.bytes ? (next ?? first) : first;
  let room = limits.maxRestBytes;
  for await (const part of readParts(source, contentType)) {
    if (isFile(part)) {
      if (!isEnough(file)) file = better(file, await keep(part, session, provided));
      else if (rules.refusedAs?.several !== undefined) await refuseContent(part);
    } else if (rules.spills?.includes(part.name)) {
      const long = await keep(part, session, provided);
      if (long?.bytes) spilled[part.name] = long;
    } else {
      provided[part.name] = await readField(part, room, (bytes) => session.hold(bytes, provided));
      room -= part.name.length + provided[part.name]!.length;
    }
  }
  return { body: { kind: 'form', provided }, ...(file && { file }), spilled };
};

/** A part without a file name is a file when it says it is sound or bytes. */
const isFile = ({ fileName, contentType }: Part): boolean =>
  fileName !== undefined || /^(audio\/|application\/octet-stream$)/.test(contentType);

/** Undefined: an empty file without a name, which is how browsers send a file input that was left empty. */
const keep = async (
  part: Part,
  session: IncomingUploadSession,
  provided: Readonly<Record<string, string>>,
): Promise<UploadedFile | undefined> => {
  const about = { name: plainName(part.fileName ?? ''), field: part.name, contentType: part.contentType };
  const sink = await session.begin(about, provided);
  for await (const piece of part.content) await sink.write(piece);
  const kept = await sink.end();
  return kept.bytes === 0 && kept.name === '' ? undefined : kept;
};

/** One more file is a mistake, as long as there is something in it. */
const refuseContent = async ({ content }: Part): Promise<void> => {
  for await (const piece of content) if (piece.length > 0) throw new UploadRefused('several');
};

const readField = async (
  { content }: Part,
  most: number,
  hold: (bytes: number) => Promise<void>,
): Promise<string> => {
  let text = '';
  for await (const piece of content) {
    await hold(piece.length);
    text += piece.toString('latin1');
    if (text.length > most) throw new UploadRefused('discarded');
  }
  return text;
};

/** A client's file name as text, without folders and control characters. */
const plainName = (bytes: string): string =>
  decodeUtf8OrLatin1(Buffer.from(bytes, 'latin1'))
    .replace(/^.*[/\\]/s, '')
    .slice(0, maxNameLength)
    .replace(/\p{Cc}|\p{Cs}/gu, '')
    .trim();
