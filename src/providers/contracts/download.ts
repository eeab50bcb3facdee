/**
 * The download contract: files from addresses that a customer named (spec 4.3 `urlcontent`). Neither the address nor
 * what it answers is trusted.
 */
export interface FileDownloader {
  /**
   * Fetches a file to disk, by http or https. Never throws for what the address is or does: a private network, a
   * redirect, silence, too many bytes are refusals with a sentence. `account`: who named it.
   */
  fetch(account: number, url: string): Promise<DownloadOutcome>;
  stop(): Promise<void>;
}

export type DownloadOutcome =
  | { outcome: 'fetched'; file: DownloadedFile }
  /** `why` completes "the address …". */
  | { outcome: 'refused'; why: string };

export interface DownloadedFile {
  path: string;
  bytes: number;
  /** Removes it. */
  discard(): Promise<void>;
}
