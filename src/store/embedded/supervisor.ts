/** Looks after the server: one that died while it is used is started again, at the same address. */
import { setInterval as every } from 'node:timers/promises';

const everyMs = 1_000;

export interface Kept {
  isRunning(): boolean;
  /** Rejects with a sentence; then it is tried again. */
  start(): Promise<unknown>;
}

/** Looks once a second until it is stopped; `stop` waits for a start under way. */
export function keepDatabaseServerRunning(
  server: Kept,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    for await (const _ of every(everyMs, undefined, { ref: false, signal: over.signal })) {
      if (!server.isRunning()) await startAgain(server, log);
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  return {
    stop() {
      over.abort();
      return watching;
    },
  };
}

async function startAgain(server: Kept, log: (line: string) => void): Promise<void> {
  log('the database is gone and is started again');
  try {
    await server.start();
    log('the database runs again');
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
  }
}
