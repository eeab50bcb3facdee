/** JSON and form bodies: long parameters go to files, the rest stays in memory. */
import type { UploadedFile } from '../../operations/operationUploadTypes.ts';
import {
  type BodyTokenScan,
  detectJsonOrFormByFirstBytes,
  createBodyAccessTokenScan,
} from '../scanBodyTokenAndComplexity.ts';
import { UploadRefused } from './refused.ts';
import type { LongParamBodySplitter } from './split.ts';
import { LongFormValueSplitter } from './spillUrlencodedLongValues.ts';
import { LongJsonValueSplitter } from './spillLongJsonValues.ts';
import type { UploadFileWriter } from './temporary.ts';
import type {
  UploadedContents,
  IncomingUploadSession,
  UnreceivedUploadRequest,
} from './uploadRequestState.ts';
import { parseBodyWithoutLongParams } from './readRemainingBody.ts';

/** Throws `UploadRefused`. */
export const receiveJsonOrForm = async (
  source: AsyncIterable<Buffer>,
  { contentType, rules, limits }: UnreceivedUploadRequest,
  session: IncomingUploadSession,
): Promise<UploadedContents> => {
  const { kind, chunks } = await recognise(source);
  const splitter = splitterFor(kind, rules.spills ?? []);
  const rest = new Rest(kind, limits.maxRestBytes);
  const sinks = new Map<string, UploadFileWriter>();
  const take = async (pieces: ReturnType<LongParamBodySplitter['push']>): Promise<void> => {
    for (const { to, bytes, first } of pieces) {
      if (to === undefined) {
        rest.push(bytes);
        continue;
      }
      // Of a repeated name the last counts.
      if (first) {
        await sinks.get(to)?.end();
        sinks.set(to, await session.begin({ name: '', field: to, contentType: '' }, rest.scan.shown));
      }
      await sinks.get(to)!.write(bytes);
    }
  };
  for await (const chunk of chunks) {
    await take(splitter.push(chunk));
    await session.hold(rest.newBytes(), rest.scan.shown);
  }
  await take(splitter.end());
  if (splitter.inside) throw new UploadRefused('partial');
  await session.checkMay(rest.scan);
  const spilled: Record<string, UploadedFile> = {};
  for (const [name, sink] of sinks) spilled[name] = await sink.end();
  return { body: parseBodyWithoutLongParams(kind, rest.bytes(), contentType), spilled };
};

const splitterFor = (kind: 'json' | 'form', spills: readonly string[]): LongParamBodySplitter =>
  kind === 'json' ? new LongJsonValueSplitter(spills) : new LongFormValueSplitter(spills);

const recognise = async (
  source: AsyncIterable<Buffer>,
): Promise<{ kind: 'json' | 'form'; chunks: AsyncIterable<Buffer> }> => {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (;;) {
    const next = await iterator.next();
    if (!next.done) head = Buffer.concat([head, next.value]);
    const kind = detectJsonOrFormByFirstBytes(head);
    if (kind === undefined && !next.done) continue;
    return { kind: kind ?? 'form', chunks: following(head, iterator) };
  }
};

async function* following(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** What stays in memory. */
class Rest {
  /** Of all of it: a token is looked for in front of each long value. */
  readonly scan: BodyTokenScan;
  readonly #maxBytes: number;
  readonly #pieces: Uint8Array[] = [];
  #size = 0;
  #told = 0;

  constructor(kind: 'json' | 'form', maxBytes: number) {
    this.scan = createBodyAccessTokenScan(kind);
    this.#maxBytes = maxBytes;
  }

  /** Throws `UploadRefused`. */
  push(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) throw new UploadRefused('discarded');
    this.scan.push(bytes);
    // A copy: the chunk it is a part of is otherwise kept whole.
    this.#pieces.push(Uint8Array.from(bytes));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  /** How many have come since this was asked last. */
  newBytes(): number {
    const bytes = this.#size - this.#told;
    this.#told = this.#size;
    return bytes;
  }
}
