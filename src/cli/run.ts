/** One command line from its words to its exit code. */
import { CommanderError } from 'commander';
import { type ExitCode, exitCodes, Failure, wrongUsage } from './failure.ts';
import { openOutput } from './output.ts';
import { buildProgram } from './program.ts';
import type { Shell } from './shell.ts';

/** Does what the words say and answers the exit code; whatever goes wrong is said, not thrown. */
export const runCli = async (words: readonly string[], shell: Shell): Promise<ExitCode> => {
  // A reader that has seen enough (`| head`) is no failure.
  shell.stdout.on('error', ignoreClosedPipe);
  let exit: ExitCode = 0;
  try {
    const program = buildProgram(shell, (code) => void (exit = code));
    await program.parseAsync(words, { from: 'user' });
    return exit;
  } catch (error) {
    return said(error, words, shell);
  }
};

const said = (error: unknown, words: readonly string[], shell: Shell): ExitCode => {
  // No command: its help was shown.
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
  const failure = failureOf(error, words);
  if (failure === undefined) return 0;
  openOutput(shell, words.includes('--json')).fail(failure);
  return failure.exit;
};

/** Undefined: help or the version was asked for, and shown. */
const failureOf = (error: unknown, words: readonly string[]): Failure | undefined => {
  if (error instanceof Failure) return error;
  if (!(error instanceof CommanderError))
    return new Failure(exitCodes.refused, error instanceof Error ? error.message : String(error));
  if (error.exitCode === 0) return undefined;
  const named = words.filter((word) => /^[a-z]+$/.test(word)).slice(0, 1);
  const help = ['npx ramal', ...named, '--help'].join(' ');
  return wrongUsage(error.message.replace(/^error: /, '').replaceAll('\n', ' '), `${help} shows how.`);
};

const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
