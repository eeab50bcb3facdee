/** Tells whether a stream of bytes is UTF-8, and if not, where it stops being so. */
import { isAscii, isUtf8 } from 'node:buffer';

export class Utf8Scan {
  /** The beginning of a character whose end is in the next chunk. */
  #carry: Buffer = Buffer.alloc(0);
  #passed = 0;
  /** A character beyond ASCII was read. */
  beyondAscii = false;
  /** Offset of the first byte that is no UTF-8; undefined: none so far. */
  wrongAt: number | undefined;

  push(chunk: Buffer): void {
    if (this.wrongAt !== undefined) return;
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const whole = bytes.subarray(0, bytes.length - openLength(bytes));
    if (isUtf8(whole)) {
      this.beyondAscii ||= !isAscii(whole);
      this.#passed += whole.length;
      this.#carry = Buffer.from(bytes.subarray(whole.length));
      return;
    }
    const right = rightLength(whole);
    this.beyondAscii ||= !isAscii(whole.subarray(0, right));
    this.wrongAt = this.#passed + right;
  }

  end(): void {
    if (this.wrongAt === undefined && this.#carry.length > 0) this.wrongAt = this.#passed;
  }
}

/** Bytes at the end that begin a character and do not end it. */
const openLength = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
};

const lengthOf = (lead: number): number => {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
};

/** How long the part is that is UTF-8, of bytes that are not. Slow, and done once. */
const rightLength = (bytes: Buffer): number => {
  let right = 0;
  while (right < bytes.length) {
    const length = bytes[right]! < 0x80 ? 1 : lengthOf(bytes[right]!);
    if (right + length > bytes.length || !isUtf8(bytes.subarray(right, right + length))) return right;
    right += length;
  }
  return right;
};
