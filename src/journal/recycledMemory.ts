/**
 * Memory for bytes that are kept for about a second and given back in the order in which they came, used again and again.
 *
 * Buffers of their own would outlive the collector's quick rounds, which free only what is young: at 2,000 steps a second it
 * had to look through all of the memory every second because of them.
 */

const CHUNK_BYTES = 1024 * 1024;
/** Chunks that wait to be used again; what a burst needed beyond them is freed. */
const MOST_SPARE_CHUNKS = 16;

interface Chunk {
  memory: Buffer;
  /** Pieces in it that were not given back. */
  pieces: number;
}

/** A part of a chunk. */
interface Piece {
  chunk: Chunk;
  from: number;
  to: number;
}

/** Copied bytes, until they are given back. */
export type KeptBytes = readonly Piece[];

export class RecycledMemory {
  #current: Chunk = newChunk();
  /** Bytes of the current chunk that are taken. */
  #taken = 0;
  readonly #spare: Chunk[] = [];

  /** Copies these bytes, one after the other. */
  keep(buffers: readonly Uint8Array[]): KeptBytes {
    const pieces: Piece[] = [];
    for (const buffer of buffers) for (let at = 0; at < buffer.length;) at += this.#take(buffer, at, pieces);
    return pieces;
  }

  /** They are not read any more. */
  release(kept: KeptBytes): void {
    for (const { chunk } of kept) {
      chunk.pieces -= 1;
      if (chunk.pieces > 0) continue;
      if (chunk === this.#current) this.#taken = 0;
      else if (this.#spare.length < MOST_SPARE_CHUNKS) this.#spare.push(chunk);
    }
  }

  /** Copies what the current chunk has room for, from there on, and says how much that was. */
  #take(buffer: Uint8Array, at: number, pieces: Piece[]): number {
    if (this.#taken === CHUNK_BYTES) {
      this.#current = this.#spare.pop() ?? newChunk();
      this.#taken = 0;
    }
    const chunk = this.#current;
    const from = this.#taken;
    const to = Math.min(CHUNK_BYTES, from + buffer.length - at);
    chunk.memory.set(
      at === 0 && to - from === buffer.length ? buffer : buffer.subarray(at, at + to - from),
      from,
    );
    this.#taken = to;
    const last = pieces.at(-1);
    if (last?.chunk === chunk) last.to = to;
    else {
      pieces.push({ chunk, from, to });
      chunk.pieces += 1;
    }
    return to - from;
  }
}

const newChunk = (): Chunk => ({ memory: Buffer.allocUnsafeSlow(CHUNK_BYTES), pieces: 0 });

/** The bytes as they lie there; they must not be read any more once they were given back. */
export const viewKeptBytes = (kept: KeptBytes): Uint8Array[] =>
  kept.map(({ chunk, from, to }) => chunk.memory.subarray(from, to));
