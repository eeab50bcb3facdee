/** Reads an uploaded list step by step; what it says is gathered in rows. */
import iconv from 'iconv-lite';
import { listRecordError, ListBroken } from '../../rules/lists/broken.ts';
import { CsvListReader } from '../../rules/lists/csv.ts';
import { JsonListReader } from '../../rules/lists/json.ts';
import { type ListRowBuffer, textToUtf8ByteString } from '../../rules/lists/listRowsForPostgresCopy.ts';
import { readFileChunks } from './chunks.ts';
import type { DetectedListFormat } from './detectListFormat.ts';
import type { ListLoadJob } from './job.ts';

/** A step is a chunk of the file. Throws `ListBroken`. */
export async function* parseUploadedListRows(
  file: ListLoadJob['file'],
  { form, encoding, brokenAt }: DetectedListFormat,
  rows: ListRowBuffer,
): AsyncGenerator<void> {
  const reader = form === 'csv' ? csvReader(encoding, rows) : new JsonListReader(rows, decoderOf(encoding));
  if (encoding === 'UTF-16LE' || encoding === 'UTF-16BE') {
    yield* readWide(file.path, encoding, reader);
    return;
  }
  let offset = 0;
  for await (const chunk of readFileChunks(file.path)) {
    const upTo = brokenAt === undefined ? chunk.length : Math.min(chunk.length, brokenAt - offset);
    const from = offset === 0 && chunk.subarray(0, 3).toString('latin1') === '\xef\xbb\xbf' ? 3 : 0;
    reader.push(chunk.subarray(from, upTo));
    if (upTo < chunk.length) throw listRecordError(rows.next, 'it is not UTF-8, as what comes before it is');
    offset += chunk.length;
    yield;
  }
  if (brokenAt !== undefined) throw new ListBroken('it ends within a character');
  reader.end();
}

/** UTF-16 is written anew as UTF-8, and read as that. */
async function* readWide(
  path: string,
  encoding: 'UTF-16LE' | 'UTF-16BE',
  reader: { push(bytes: Buffer): void; end(): void },
): AsyncGenerator<void> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of readFileChunks(path)) {
    reader.push(Buffer.from(decoder.decode(chunk, { stream: true })));
    yield;
  }
  reader.push(Buffer.from(decoder.decode()));
  reader.end();
}

const decoderOf =
  (encoding: DetectedListFormat['encoding']) =>
  (bytes: Buffer): string =>
    encoding === 'ISO-8859-1' ? iconv.decode(bytes, 'windows-1252') : bytes.toString('utf8');

const csvReader = (encoding: DetectedListFormat['encoding'], rows: ListRowBuffer) => {
  const list = new CsvListReader(rows);
  return {
    push: (chunk: Buffer) =>
      list.push(
        encoding === 'ISO-8859-1'
          ? textToUtf8ByteString(iconv.decode(chunk, 'windows-1252'))
          : chunk.toString('latin1'),
      ),
    end: () => list.end(),
  };
};
