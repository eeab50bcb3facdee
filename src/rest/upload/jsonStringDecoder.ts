/** The inside of one JSON text, read piece by piece: escapes become the bytes they stand for. */

const quote = 0x22;
const backslash = 0x5c;
const unicode = 0x75;

const simple = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' }).map(
    ([letter, means]) => [letter.charCodeAt(0), means.charCodeAt(0)],
  ),
);

/** What an escape cut by the end of a chunk may add to the next chunk's length, bytes. */
const slack = 16;

export class JsonStringDecoder {
  #out = Buffer.alloc(0);
  #length = 0;
  /** What stands after a backslash so far; undefined: no escape is open. */
  #escape: string | undefined;
  /** The first half of a pair (`\ud83d`), which waits for the second. */
  #high = '';

  /** Reads on: the bytes, where reading stopped, and whether the closing quote was passed. */
  read(chunk: Buffer, from: number): { bytes: Buffer; upTo: number; ended: boolean } {
    this.#out = Buffer.allocUnsafe(chunk.length - from + slack);
    this.#length = 0;
    let at = from;
    let ended = false;
    for (; at < chunk.length && !ended; at += 1) {
      const byte = chunk[at]!;
      if (this.#escape !== undefined) this.#unescape(byte);
      else if (byte === backslash) this.#escape = '';
      else if (byte === quote) ended = true;
      else this.#put(byte);
    }
    if (ended) this.#flush();
    return { bytes: this.#out.subarray(0, this.#length), upTo: at, ended };
  }

  #put(byte: number): void {
    if (this.#high !== '') this.#flush();
    this.#out[this.#length] = byte;
    this.#length += 1;
  }

  #unescape(byte: number): void {
    if (this.#escape === '' && byte !== unicode) {
      this.#put(simple.get(byte) ?? byte);
      this.#escape = undefined;
      return;
    }
    this.#escape += String.fromCharCode(byte);
    if (this.#escape!.length < 5) return;
    this.#unit(String.fromCharCode(Number.parseInt(this.#escape!.slice(1), 16)));
    this.#escape = undefined;
  }

  /** One `\uXXXX`. */
  #unit(unit: string): void {
    if (/[\uD800-\uDBFF]/.test(unit)) {
      this.#flush();
      this.#high = unit;
      return;
    }
    this.#length += this.#out.write(this.#high + unit, this.#length);
    this.#high = '';
  }

  /** A first half that stayed alone becomes the sign for what cannot be written. */
  #flush(): void {
    this.#length += this.#out.write(this.#high, this.#length);
    this.#high = '';
  }
}
