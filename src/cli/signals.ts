/** Ctrl-C and SIGTERM for a command that has to tidy up before it ends. */

export interface InterruptHandler {
  /** Aborted by the first signal; the second one ends the process as ever. */
  signal: AbortSignal;
  /** The command is through: signals do what they always do. */
  stop(): void;
}

/** Whether a work ended because it was broken off. */
export const isAbortError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';

export const abortOnInterrupt = (): InterruptHandler => {
  const controller = new AbortController();
  const hear = (): void => {
    stop();
    controller.abort();
  };
  const stop = (): void => {
    process.off('SIGINT', hear).off('SIGTERM', hear);
  };
  process.on('SIGINT', hear).on('SIGTERM', hear);
  return { signal: controller.signal, stop };
};
