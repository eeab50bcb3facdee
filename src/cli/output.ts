/** What a command says: to people in text and colours, to scripts in JSON, one document or line after another. */
import { styleText } from 'node:util';
import type { CommandFailure } from './failure.ts';
import type { TerminalOutput, CommandLineStreamsAndEnv } from './shell.ts';
import { escapeControlsInJson, replaceControlsInLines } from './replaceControlCharacters.ts';
import { wrapTextLines } from './format.ts';

export type TerminalTextStyle = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** Text in a style, or as it is where there are no colours. */
export type PaintText = (style: TerminalTextStyle, text: string) => string;

export interface CommandOutput {
  /** `--json`: for scripts. */
  readonly json: boolean;
  /** A terminal in front of a person, which can be drawn anew. */
  readonly live: boolean;
  /** Characters of a line; endless where it is no terminal, so that nothing is cut on its way to a program. */
  readonly columns: number;
  readonly paint: PaintText;
  /** Lines for people; with `--json` nothing. */
  say(...lines: string[]): void;
  /** A value for scripts, one line; for people nothing. */
  tell(value: unknown): void;
  /** Beside the result: on standard error, for people. */
  note(line: string): void;
  /** Text as it stands, for drawing in a terminal. */
  draw(text: string): void;
  fail(failure: CommandFailure): void;
}

/** Of a terminal that does not say how wide it is. */
const usualColumns = 80;

export const openCommandOutput = (
  { stdout, stderr, env }: CommandLineStreamsAndEnv,
  json: boolean,
): CommandOutput => {
  const line = (to: TerminalOutput, text: string): void => void to.write(`${text}\n`);
  const paint = json ? plain : painter(stdout, env);
  const alarm = painter(stderr, env);
  return {
    json,
    live: !json && stdout.isTTY === true && env['TERM'] !== 'dumb',
    columns: columnsOf(stdout),
    paint,
    say: (...lines) => {
      if (!json) for (const text of lines) line(stdout, replaceControlsInLines(text));
    },
    tell: (value) => {
      if (json) line(stdout, escapeControlsInJson(JSON.stringify(value)));
    },
    note: (text) => {
      if (!json) line(stderr, folded(stderr, replaceControlsInLines(text)));
    },
    draw: (text) => void stdout.write(text),
    fail: ({ message, hint, exit, more }) => {
      if (json) {
        const said = { error: message, ...(hint !== undefined && { hint }), exit, ...more };
        line(stdout, escapeControlsInJson(JSON.stringify(said)));
        return;
      }
      const said = folded(stderr, `Error: ${replaceControlsInLines(message)}`);
      line(stderr, `${alarm('red', 'Error:')}${said.slice('Error:'.length)}`);
      if (hint !== undefined) line(stderr, folded(stderr, hint));
    },
  };
};

/** One without a size says 0. */
const columnsOf = ({ isTTY, columns }: TerminalOutput): number =>
  isTTY === true ? columns || usualColumns : Infinity;

/** Broken between words where the screen ends. */
const folded = (screen: TerminalOutput, text: string): string =>
  text
    .split('\n')
    .map((line) => wrapTextLines(line, columnsOf(screen)).join('\n'))
    .join('\n');

const plain: PaintText = (_, text) => text;

/** `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` are heard by the terminal's own question. */
const painter = (screen: TerminalOutput, env: CommandLineStreamsAndEnv['env']): PaintText => {
  const hasColours = screen.isTTY === true && screen.hasColors?.(16, env) === true && !env['NO_COLOR'];
  return hasColours ? (style, text) => styleText(style, text, { validateStream: false }) : plain;
};
