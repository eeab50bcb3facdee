/**
 * What an operation says when it takes a file, and what its handler is given then. The door streams to disk before
 * the handler runs, and removes everything after it, whatever happens.
 */
import type { Readable } from 'node:stream';
import type { DeclaredErrors } from './refused.ts';

/** A file of this request, in a private folder; gone when the handler has ended. */
export interface UploadedFile {
  path: string;
  /** Where one file may be made of it: nothing is there yet, and what is there in the end goes with it. */
  beside: string;
  bytes: number;
  /** Name given by the client, without its folders; may be empty. Nothing may rely on it. */
  name: string;
  /** The form's field it came under; empty for a raw body. */
  field: string;
  /** Lower case, without parameters; empty when the client named none. Nothing may rely on it. */
  contentType: string;
  /** From its beginning; may be asked for more than once. */
  open(): Readable;
  /** SHA-256 in base64url, read anew at every call. */
  digest(): Promise<string>;
}

/** An operation that takes a file, or parameters too long for memory. */
export interface UploadRules<E extends DeclaredErrors = DeclaredErrors> {
  /** Which of the door's size limits applies: `MAX_LIST_BYTES` or `MAX_AUDIO_BYTES`. */
  limit: 'list' | 'audio';
  /** A smaller file makes room for one that comes after it in the form, bytes. Default 1. */
  leastBytes?: number;
  /** A body of such a type is the file itself, and all parameters stand in the query string. */
  raw?: RegExp;
  /**
   * Parameters (REST names) that may be as large as a file: they come in `asked.spilled` instead of `asked.params`.
   * A JSON array or object comes as its JSON text, text as its bytes.
   */
  spills?: readonly string[];
  /** Declared errors for uploads that fail; absent, where nothing else is said: 413 for what is too large, 100 for what is broken, 503. */
  refusedAs?: {
    /** The file, or a spilled parameter, is too large. Answered with HTTP 413. */
    tooLarge?: keyof E & string;
    /** The body as a whole, its fields or their number are beyond all limits. Answered with HTTP 413. */
    discarded?: keyof E & string;
    /** It broke off. Answered with HTTP 400. */
    partial?: keyof E & string;
    /** It could not be written to disk. Answered with HTTP 503. */
    notStored?: keyof E & string;
    /**
     * There is a second file that is not empty. Answered with HTTP 400. Absent: files after the first that may do are
     * passed over.
     */
    several?: keyof E & string;
  };
}

/** What came with a request besides its parameters. */
export interface RequestUploads {
  /** The first file of at least `leastBytes`; the first smaller one, when there is no other. */
  file?: UploadedFile;
  /** Long parameters by REST name. */
  spilled: Readonly<Record<string, UploadedFile>>;
  /** Of a campaign that the administration makes for those who did not answer another: the id of that one. */
  retryOf?: number;
}

export const noRequestUploads: RequestUploads = { spilled: {} };
