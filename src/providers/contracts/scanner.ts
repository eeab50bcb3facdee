/** The contract of virus scanners: what comes from outside is shown to one before anything else happens to it. */
import type { Readable } from 'node:stream';

export interface VirusScanner {
  /**
   * The name of what was found; undefined: nothing. Throws `Retryable` when the scanner does not answer in time, and
   * `NotRetryable` when it will not look at this (`notScanned`): what was not looked at is not clean.
   */
  scan(content: Readable): Promise<string | undefined>;
  health(): Promise<{ ok: boolean; detail: string }>;
}
