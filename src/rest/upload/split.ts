/** A body in pieces: what is small stays together, each long parameter goes its own way. */

export interface BodyPiece {
  /** The long parameter it belongs to; undefined: the rest of the body. */
  to: string | undefined;
  bytes: Uint8Array;
  /** The first piece of a value of that parameter. */
  first?: true;
}

export interface LongParamBodySplitter {
  /** What becomes of the next chunk. */
  push(chunk: Buffer): BodyPiece[];
  /** What was still held when the body ended. */
  end(): BodyPiece[];
  /** True when the body broke off inside a long parameter. */
  readonly inside: boolean;
}
