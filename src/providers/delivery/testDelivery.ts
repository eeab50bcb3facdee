/** A small file, put to a target to see whether files get there. */
import type { FileTarget } from '../contracts/delivery.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';

export type FileTargetTestResult =
  | { delivered: true; file: string; host_key?: string; certificate?: string }
  /** `reason`: `notNow` when it may work later. */
  | { delivered: false; reason: string; message: string };

const FILE = 'ramal-test.txt';
const TRIAL_MS = 30_000;

/** Tries it. What the target says is data; a mistake of ours is thrown. `draft` as in `FileToDeliver`. */
export const testFileTarget = async (
  target: () => FileTarget,
  draft: string,
): Promise<FileTargetTestResult> => {
  const signal = AbortSignal.timeout(TRIAL_MS);
  try {
    const { hostKey, certificate } = await target().put({ name: FILE, content: line(), draft, signal });
    return {
      delivered: true,
      file: FILE,
      ...(hostKey !== undefined && { host_key: hostKey }),
      ...(certificate !== undefined && { certificate }),
    };
  } catch (error) {
    if (error instanceof NotRetryable)
      return { delivered: false, reason: error.reason, message: error.message };
    if (error instanceof Retryable) return { delivered: false, reason: 'notNow', message: error.message };
    throw error;
  }
};

async function* line(): AsyncGenerator<string> {
  yield 'Files of Ramal get here.\r\n';
}
