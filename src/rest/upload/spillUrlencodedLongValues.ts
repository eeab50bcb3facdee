/** A form whose long values leave it on the way, as the bytes they stand for; all other pairs stay as they came. */
import type { BodyPiece, LongParamBodySplitter } from './split.ts';

const ampersand = 0x26;
const equals = 0x3d;
const percent = 0x25;
const plus = 0x2b;
const space = 0x20;
/** A longer name is none that we look for. */
const maxNameBytes = 200;

export class LongFormValueSplitter implements LongParamBodySplitter {
  readonly #spills: ReadonlySet<string>;
  /** The pair's name while it is read; undefined inside a value. */
  #name: number[] | undefined = [];
  #value: { name: string; first: boolean } | undefined;
  /** A `%` and what follows it, cut by the end of a chunk. */
  #cut: Buffer = Buffer.alloc(0);

  constructor(spills: readonly string[]) {
    this.#spills = new Set(spills);
  }

  get inside(): boolean {
    // A form has no end of its own.
    return false;
  }

  end(): BodyPiece[] {
    const pieces: BodyPiece[] = [];
    if (this.#value) this.#spill(Buffer.alloc(0), true, pieces);
    return pieces;
  }

  push(chunk: Buffer): BodyPiece[] {
    const pieces: BodyPiece[] = [];
    for (let at = 0; at < chunk.length;) {
      const from = at;
      if (this.#value) {
        const end = chunk.indexOf(ampersand, at);
        at = end < 0 ? chunk.length : end;
        this.#spill(chunk.subarray(from, at), end >= 0, pieces);
        if (end >= 0) this.#value = undefined;
      } else {
        at = this.#skipRest(chunk, at);
        pieces.push({ to: undefined, bytes: chunk.subarray(from, at) });
      }
    }
    return pieces;
  }

  /** Up to where a long value begins, or the end of the chunk. */
  #skipRest(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (byte === ampersand) this.#name = [];
      else if (this.#name && byte === equals) {
        const name = unescapeForm(Buffer.from(this.#name)).toString('latin1');
        this.#name = undefined;
        if (!this.#spills.has(name)) continue;
        this.#value = { name, first: true };
        return at + 1;
      } else if (this.#name && this.#name.length < maxNameBytes) this.#name.push(byte);
    }
    return chunk.length;
  }

  /** An escape cut by the end of a chunk waits for the next one. */
  #spill(raw: Buffer, ends: boolean, pieces: BodyPiece[]): void {
    const whole = Buffer.concat([this.#cut, raw]);
    const upTo = ends ? whole.length : whole.length - cutLength(whole);
    this.#cut = whole.subarray(upTo);
    if (upTo === 0) return;
    const value = this.#value!;
    const bytes = unescapeForm(whole.subarray(0, upTo));
    pieces.push({ to: value.name, bytes, ...(value.first && { first: true }) });
    value.first = false;
  }
}

/** Length of a `%` or `%X` at the end. */
const cutLength = (bytes: Buffer): number => {
  if (bytes.at(-1) === percent) return 1;
  return bytes.at(-2) === percent ? 2 : 0;
};

/** `+` and `%XX` as the bytes they stand for, in place; what is no escape stays as it is. */
export const unescapeForm = (raw: Buffer): Buffer => {
  let to = 0;
  for (let at = 0; at < raw.length; at += 1) {
    const byte = raw[at]!;
    const escaped = byte === percent ? (hexOf(raw[at + 1]) << 4) | hexOf(raw[at + 2]) : -1;
    if (escaped >= 0) at += 2;
    raw[to] = escaped >= 0 ? escaped : byte === plus ? space : byte;
    to += 1;
  }
  return raw.subarray(0, to);
};

/** Negative for what is no hexadecimal digit, so that anything it is combined with is negative too. */
const hexOf = (byte: number | undefined): number => {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};
