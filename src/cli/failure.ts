/** What a command ends with when it is not done: a sentence, what to do next, and the exit code for scripts. */

/** 0 is done. */
export const exitCodes = {
  /** The service refused it, or what was asked for failed. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Nothing answers, or something that is not Ramal. */
  unreachable: 3,
} as const;

export type ExitCode = 0 | (typeof exitCodes)[keyof typeof exitCodes];

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exit: ExitCode;
  /** What to do next: a sentence. */
  readonly hint: string | undefined;
  /** What else the answer said, e.g. the code of an operation. */
  readonly more: Readonly<Record<string, unknown>>;
  constructor(exit: ExitCode, message: string, hint?: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.exit = exit;
    this.hint = hint;
    this.more = more;
  }
}

export const cliRefusedFailure = (
  message: string,
  hint?: string,
  more?: Readonly<Record<string, unknown>>,
): CommandFailure => new CommandFailure(exitCodes.refused, message, hint, more);

export const wrongUsageFailure = (message: string, hint?: string): CommandFailure =>
  new CommandFailure(exitCodes.usage, message, hint);

export const unreachableServiceFailure = (message: string, hint?: string): CommandFailure =>
  new CommandFailure(exitCodes.unreachable, message, hint);
