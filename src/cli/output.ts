/** What a command says: to people in text and colours, to scripts in JSON, one document or line after another. */
import { styleText } from 'node:util';
import type { Failure } from './failure.ts';
import type { Screen, Shell } from './shell.ts';
import { visibleJson, visibleLines } from './visible.ts';
import { wrapped } from './format.ts';

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';

/** Text in a style, or as it is where there are no colours. */
export type Paint = (style: Style, text: string) => string;

export interface Output {
  /** `--json`: for scripts. */
  readonly json: boolean;
  /** A terminal in front of a person, which can be drawn anew. */
  readonly live: boolean;
  /** Characters of a line; endless where it is no terminal, so that nothing is cut on its way to a program. */
  readonly columns: number;
  readonly paint: Paint;
  /** Lines for people; with `--json` nothing. */
  say(...lines: string[]): void;
  /** A value for scripts, one line; for people nothing. */
  tell(value: unknown): void;
  /** Beside the result: on standard error, for people. */
  note(line: string): void;
  /** Text as it stands, for drawing in a terminal. */
  draw(text: string): void;
  fail(failure: Failure): void;
}

/** Of a terminal that does not say how wide it is. */
const usualColumns = 80;

export const openOutput = ({ stdout, stderr, env }: Shell, json: boolean): Output => {
  const line = (to: Screen, text: string): void => void to.write(`${text}\n`);
  const paint = json ? plain : painter(stdout, env);
  const alarm = painter(stderr, env);
  return {
    json,
    live: !json && stdout.isTTY === true && env['TERM'] !== 'dumb',
    columns: columnsOf(stdout),
    paint,
    say: (...lines) => {
      if (!json) for (const text of lines) line(stdout, visibleLines(text));
    },
    tell: (value) => {
      if (json) line(stdout, visibleJson(JSON.stringify(value)));
    },
    note: (text) => {
      if (!json) line(stderr, folded(stderr, visibleLines(text)));
    },
    draw: (text) => void stdout.write(text),
    fail: ({ message, hint, exit, more }) => {
      if (json) {
        const said = { error: message, ...(hint !== undefined && { hint }), exit, ...more };
        line(stdout, visibleJson(JSON.stringify(said)));
        return;
      }
      const said = folded(stderr, `Error: ${visibleLines(message)}`);
      line(stderr, `${alarm('red', 'Error:')}${said.slice('Error:'.length)}`);
      if (hint !== undefined) line(stderr, folded(stderr, hint));
    },
  };
};

/** One without a size says 0. */
const columnsOf = ({ isTTY, columns }: Screen): number =>
  isTTY === true ? columns || usualColumns : Infinity;

/** Broken between words where the screen ends. */
const folded = (screen: Screen, text: string): string =>
  text
    .split('\n')
    .map((line) => wrapped(line, columnsOf(screen)).join('\n'))
    .join('\n');

const plain: Paint = (_, text) => text;

/** `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` are heard by the terminal's own question. */
const painter = (screen: Screen, env: Shell['env']): Paint => {
  const hasColours = screen.isTTY === true && screen.hasColors?.(16, env) === true && !env['NO_COLOR'];
  return hasColours ? (style, text) => styleText(style, text, { validateStream: false }) : plain;
};
