/**
 * What reaches the top of the process in spite of everything: an error that no caller catches, a promise whose
 * rejection is not handled. What the process knows is not to be trusted then, and everything durable is in the
 * database: it says what it was, takes nothing new, lets what is under way end within a bound, and ends, to be started
 * again.
 */
import { inspect } from 'node:util';
import type { Log } from '../log.ts';

/** Exit code of a process that met an error that nothing expected (EX_SOFTWARE). */
const surprised = 70;

/** What is under way may take so long to end, milliseconds. */
const drainMs = 10_000;
/** The last line of the log may take so long to be written, milliseconds. */
const lastLineMs = 1_000;

/** Listens from now on. `stop` ends the service in order. */
export const endOnSurprise = (log: Log, stop: () => Promise<void>): void => {
  // Standard output and error that cannot be written to are no surprise.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const surprise = (error: unknown, origin: string): void => {
    const err = error instanceof Error ? error : new Error(`not an error: ${inspect(error)}`);
    log.fatal({ err, origin }, 'an error reached the top of the process, which ends');
    if (process.exitCode === surprised) return;
    process.exitCode = surprised;
    void end(log, stop);
  };
  process.on('uncaughtException', surprise);
  process.on('unhandledRejection', (reason) => surprise(reason, 'unhandledRejection'));
};

const end = async (log: Log, stop: () => Promise<void>): Promise<void> => {
  try {
    await within(drainMs, stop);
  } catch (error) {
    log.error({ err: error }, 'could not stop in order');
  }
  await flushLogAndExit(log, surprised);
};

/** Ends the process when the log is written. An exit code that was set before counts. */
export const flushLogAndExit = async (log: Log, code: number): Promise<void> => {
  await within(lastLineMs, () => new Promise<void>((done) => log.flush(() => done())));
  process.exit(process.exitCode ?? code);
};

const within = async (ms: number, work: () => Promise<void>): Promise<void> => {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (late = setTimeout(resolve, ms)));
  await Promise.race([work(), patience]).finally(() => clearTimeout(late));
};
