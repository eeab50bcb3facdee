/**
 * A JSON object whose long properties leave it on the way: the rest stays an object, with `null` in their place. Only
 * brackets and quotes are followed; whether all of it is JSON is found out when the pieces are parsed.
 */
import type { BodyPiece, LongParamBodySplitter } from './split.ts';
import { JsonStringDecoder } from './jsonStringDecoder.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const nothing = Buffer.from('null');
/** A longer name is none that we look for. */
const maxKeyBytes = 200;

/** Arrays, objects and texts of these properties (of the outermost object) are split off. */
export class LongJsonValueSplitter implements LongParamBodySplitter {
  readonly #spills: ReadonlySet<string>;
  /** Of the brackets that are open. */
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** Bytes of the property's name while it is read; its name when it is known. */
  #keyBytes: number[] | undefined;
  #key = '';
  /** Set from the colon on until the value begins. */
  #awaited: string | undefined;
  /** The long value that is being read: its depth, or how far its text is. */
  #value: { name: string; first: boolean; depth: number; text: JsonStringDecoder | undefined } | undefined;

  constructor(spills: readonly string[]) {
    this.#spills = new Set(spills);
  }

  get inside(): boolean {
    return this.#value !== undefined;
  }

  end(): BodyPiece[] {
    return [];
  }

  push(chunk: Buffer): BodyPiece[] {
    const pieces: BodyPiece[] = [];
    for (let at = 0; at < chunk.length;) {
      const from = at;
      if (this.#value?.text) at = this.#readText(chunk, at, this.#value.text, pieces);
      else if (this.#value) {
        at = this.#skipValue(chunk, at);
        this.#spill(chunk.subarray(from, at), pieces);
        if (this.#depth === this.#value.depth) this.#endValue(pieces);
      } else {
        at = this.#skipRest(chunk, at);
        if (at > from) pieces.push({ to: undefined, bytes: chunk.subarray(from, at) });
        if (this.#awaited !== undefined && at < chunk.length) at = this.#beginValue(chunk, at);
      }
    }
    return pieces;
  }

  /** Up to where a long value begins, or the end of the chunk. */
  #skipRest(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (this.#awaited !== undefined && !isSpace(byte)) {
        if (byte === quote || opening.has(byte)) return at;
        this.#awaited = undefined;
      }
      this.#follow(byte);
    }
    return chunk.length;
  }

  /** Up to the bracket that ends the value, or the end of the chunk. */
  #skipValue(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (this.#inText) {
        // Texts are most of a list.
        if (!this.#escaped) at = nextSign(chunk, at);
        if (at >= chunk.length) break;
      }
      this.#follow(chunk[at]!);
      if (this.#depth === this.#value!.depth) return at + 1;
    }
    return chunk.length;
  }

  #follow(byte: number): void {
    if (this.#inText) return this.#followText(byte);
    if (byte === quote) {
      this.#inText = true;
      if (this.#depth === 1 && !this.#value) this.#keyBytes = [];
    } else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) this.#depth -= 1;
    else if (this.#depth === 1 && byte === comma) this.#key = '';
    else if (this.#depth === 1 && byte === colon && this.#spills.has(this.#key)) this.#awaited = this.#key;
  }

  #followText(byte: number): void {
    const ends = byte === quote && !this.#escaped;
    this.#escaped = byte === backslash && !this.#escaped;
    if (!ends) {
      if (this.#keyBytes && this.#keyBytes.length < maxKeyBytes) this.#keyBytes.push(byte);
      return;
    }
    this.#inText = false;
    if (this.#keyBytes) this.#key = Buffer.from(this.#keyBytes).toString('latin1');
    this.#keyBytes = undefined;
  }

  #beginValue(chunk: Buffer, at: number): number {
    const isText = chunk[at] === quote;
    const text = isText ? new JsonStringDecoder() : undefined;
    this.#value = { name: this.#awaited!, first: true, depth: this.#depth, text };
    this.#awaited = undefined;
    if (isText) return at + 1;
    // The opening bracket belongs to the value, and is followed with it.
    return at;
  }

  #readText(chunk: Buffer, from: number, text: JsonStringDecoder, pieces: BodyPiece[]): number {
    const { bytes, upTo, ended } = text.read(chunk, from);
    this.#spill(bytes, pieces);
    if (ended) this.#endValue(pieces);
    return upTo;
  }

  #spill(bytes: Uint8Array, pieces: BodyPiece[]): void {
    const value = this.#value!;
    if (bytes.length === 0) return;
    pieces.push({ to: value.name, bytes, ...(value.first && { first: true }) });
    value.first = false;
  }

  #endValue(pieces: BodyPiece[]): void {
    this.#value = undefined;
    this.#key = '';
    pieces.push({ to: undefined, bytes: nothing });
  }
}

const nextSign = (chunk: Buffer, from: number): number => {
  let at = from;
  while (at < chunk.length && chunk[at] !== quote && chunk[at] !== backslash) at += 1;
  return at;
};
