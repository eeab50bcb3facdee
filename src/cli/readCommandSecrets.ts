/** Secrets for a command, which never stand on its line: from the environment, from standard input, or typed unseen. */
import { text as readAll } from 'node:stream/consumers';
import { wrongUsageFailure } from './failure.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';

export interface PromptedSecret {
  /** As it stands in what is read, e.g. `api_key`. */
  name: string;
  /** What a person is asked for. */
  question: string;
  /** Its variable, e.g. `RAMAL_LINE_API_KEY`. */
  variable: string;
}

/**
 * The secrets that are given, by name. `fromInput`: standard input holds lines `name=value`. What is not given is asked
 * for where a person sits, who may leave it empty; elsewhere it is left out.
 */
export const askForSecrets = async (
  shell: CommandLineStreamsAndEnv,
  asked: readonly PromptedSecret[],
  fromInput: boolean,
): Promise<Record<string, string>> => {
  const given = fromInput ? linesOf(await readAll(shell.stdin), asked) : {};
  const found: Record<string, string> = {};
  for (const { name, question, variable } of asked) {
    const value = given[name] ?? shell.env[variable]?.trim() ?? (await typed(shell, question, fromInput));
    if (value) found[name] = value;
  }
  return found;
};

const linesOf = (input: string, asked: readonly PromptedSecret[]): Record<string, string> =>
  Object.fromEntries(
    input
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = ''] = line.split('=', 1);
        if (line.includes('=') && asked.some((one) => one.name === name.trim()))
          return [name.trim(), line.slice(name.length + 1).trim()];
        const names = asked.map((one) => `${one.name}=`).join(', ');
        throw wrongUsageFailure(`a line of standard input begins with none of ${names}`);
      }),
  );

const typed = async (
  shell: CommandLineStreamsAndEnv,
  question: string,
  fromInput: boolean,
): Promise<string | undefined> => {
  if (fromInput || !shell.stdin.isTTY || !shell.stderr.isTTY) return undefined;
  shell.stderr.write(`${question}: `);
  return readUnseen(shell);
};

const keys = { enter: ['\r', '\n'], back: ['\u007f', '\b'], interrupt: '\u0003', end: '\u0004' };

/** One line of the keyboard, of which nothing is shown. Throws when it is interrupted. */
const readUnseen = ({ stdin, stderr }: CommandLineStreamsAndEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    let line = '';
    const leave = (act: () => void): void => {
      stdin.off('data', hear).off('end', finish);
      stdin.setRawMode?.(false);
      stdin.pause();
      stderr.write('\n');
      act();
    };
    const finish = (): void => leave(() => resolve(line));
    const hear = (data: Buffer | string): void => {
      for (const key of String(data)) {
        if (keys.enter.includes(key) || key === keys.end) return finish();
        if (key === keys.interrupt)
          return leave(() => reject(wrongUsageFailure('given up; nothing was made')));
        line = keys.back.includes(key) ? line.slice(0, -1) : line + key;
      }
    };
    stdin.setRawMode?.(true);
    stdin.on('data', hear).once('end', finish).resume();
  });
