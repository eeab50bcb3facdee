/** One command line from its words to its exit code. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Command, CommanderError } from 'commander';
import { type ExitCode, exitCodes, CommandFailure, cliRefusedFailure, wrongUsageFailure } from './failure.ts';
import { openCommandOutput } from './output.ts';
import { buildCliProgram } from './program.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';

/** Does what the words say and answers the exit code; whatever goes wrong is said, not thrown. */
export const runCli = async (
  words: readonly string[],
  shell: CommandLineStreamsAndEnv,
): Promise<ExitCode> => {
  let exit: ExitCode = 0;
  let unwritten: NodeJS.ErrnoException | undefined;
  shell.stdout.on('error', (error) => {
    // A reader that has seen enough (`| head`) is no failure.
    if (error.code !== 'EPIPE') unwritten ??= error;
  });
  const program = buildCliProgram(shell, (code) => void (exit = code));
  try {
    await program.parseAsync(words, { from: 'user' });
    // A stream tells of its error a turn after it was written to.
    await nextTurn();
    return unwritten === undefined ? exit : said(notWritten(unwritten), words, shell);
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.help') return noCommand(words, shell);
    return said(failureOf(error, program, words), words, shell);
  }
};

/** Its help was shown to people; scripts hear it in JSON. */
const noCommand = (words: readonly string[], shell: CommandLineStreamsAndEnv): ExitCode =>
  words.includes('--json')
    ? said(wrongUsageFailure('no command is named', 'npx ramal --help names all of them.'), words, shell)
    : exitCodes.usage;

const said = (
  failure: CommandFailure | undefined,
  words: readonly string[],
  shell: CommandLineStreamsAndEnv,
): ExitCode => {
  if (failure === undefined) return 0;
  openCommandOutput(shell, words.includes('--json')).fail(failure);
  return failure.exit;
};

/** Undefined: help or the version was asked for, and shown. */
const failureOf = (
  error: unknown,
  program: Command,
  words: readonly string[],
): CommandFailure | undefined => {
  if (error instanceof CommandFailure) return error;
  if (!(error instanceof CommanderError))
    return new CommandFailure(exitCodes.refused, error instanceof Error ? error.message : String(error));
  if (error.exitCode === 0) return undefined;
  const sentence = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return wrongUsageFailure(sentence, `${commandOf(program, words)} --help shows how.`);
};

/** The command that the words name, as far as there is one: `npx ramal campaign create`. */
const commandOf = (program: Command, words: readonly string[]): string => {
  const named = ['npx ramal'];
  let command: Command | undefined = program;
  for (const word of words) {
    command = command.commands.find((one) => one.name() === word || one.alias() === word);
    if (!command) break;
    named.push(word);
  }
  return named.join(' ');
};

const notWritten = ({ code, message }: NodeJS.ErrnoException): CommandFailure =>
  cliRefusedFailure(`it is done, but standard output takes no more: ${code ?? message}`, 'Is the disk full?');
