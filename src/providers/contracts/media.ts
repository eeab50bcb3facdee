/**
 * The media contract: sound files by account and id. An id that ends in `.mp3` names an MP3, every other one a WAV.
 * `media/folder.ts` keeps them in a folder, `media/s3.ts` in a bucket; what plays and what records only knows this
 * page.
 */
import type { Readable } from 'node:stream';

export interface MediaStore {
  /**
   * Keeps a file under an id; replaces one that is there. A reader never sees half a file. Throws `TypeError` for an id
   * that is not `[a-z0-9_-]{1,128}(.mp3)`; input/output errors pass through.
   */
  put(account: number, id: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<MediaStat>;
  /** What is known of a file; undefined when there is none (or the id could never be one). */
  stat(account: number, id: string): Promise<MediaStat | undefined>;
  /** Its bytes, from `start` to `end` inclusive (default: all of it); undefined when there is none. */
  open(
    account: number,
    id: string,
    range?: { start: number; end: number },
  ): Promise<OpenedMediaFile | undefined>;
  /** Files of all accounts whose id begins with this, the longest unchanged first. */
  list(prefix: string): Promise<ListedMedia[]>;
  /** Forgets a file; false when there was none. */
  delete(account: number, id: string): Promise<boolean>;
}

export interface MediaStat {
  /** The whole file, header included. */
  bytes: number;
  /** Length of the sound, from the WAV header; 0 when the file is not a WAV. */
  seconds: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

export interface ListedMedia {
  account: number;
  id: string;
  bytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

export interface OpenedMediaFile extends MediaStat {
  stream: Readable;
}

/** Whether a text may name a file. */
export const isStoredMediaId = (id: string): boolean => /^[a-z0-9_-]{1,128}(\.mp3)?$/.test(id);

/** The name of a file where it is kept and in links: its id with the ending of its kind. */
export const fileNameOf = (id: string): string => (id.endsWith('.mp3') ? id : `${id}.wav`);

/** The id that such a name stands for; undefined when it could be none. */
export const idOfFileName = (name: string): string | undefined => {
  const id = name.endsWith('.wav') ? name.slice(0, -'.wav'.length) : name;
  return isStoredMediaId(id) && fileNameOf(id) === name ? id : undefined;
};

/** What it is, for who fetches it. */
export const contentTypeOfMediaId = (id: string): string =>
  id.endsWith('.mp3') ? 'audio/mpeg' : 'audio/wav';
