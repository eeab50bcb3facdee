/** A terminal, or a pipe, in which `ramal` is run in this process; everything it says is kept. */
import { PassThrough } from 'node:stream';
import { runCli } from '../../src/cli/run.ts';
import type { TerminalInput, TerminalOutput } from '../../src/cli/shell.ts';

export interface Said {
  exit: number;
  /** Standard output. */
  out: string;
  /** Standard error. */
  err: string;
  /** Standard output as one JSON document. */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared with literals, key by key
  json: any;
  /** Standard output as JSON lines. */
  // oxlint-disable-next-line typescript/no-explicit-any -- likewise
  jsonLines: any[];
}

export interface Typed {
  env?: Record<string, string>;
  /** Standard input, to its end. */
  input?: string;
  /** A person at a terminal of so many columns, who types this when asked. */
  person?: { columns: number; types?: string[] };
}

export interface Running extends Promise<Said> {
  /** Standard output until now. */
  soFar(): string;
}

/** Runs a command line. `env`: nothing of this process's own. */
export const ramal = (words: readonly string[], { env = {}, input, person }: Typed = {}): Running => {
  const [stdout, stderr] = [aScreen(person), aScreen(person)];
  const stdin = new PassThrough() as TerminalInput & PassThrough;
  if (person) sitDown(stdin, stderr, person.types ?? []);
  else stdin.end(input ?? '');
  const ended = runCli(words, { env, stdin, stdout, stderr });
  const said = ended.then((exit) => saidIn(exit, stdout.text(), stderr.text()));
  return Object.assign(said, { soFar: () => stdout.text() });
};

const saidIn = (exit: number, out: string, err: string): Said => ({
  ...{ exit, out, err },
  get json() {
    return JSON.parse(out) as unknown;
  },
  get jsonLines() {
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  },
});

const aScreen = (
  person: Typed['person'],
): TerminalOutput & { text(): string; onWrite(heard: () => void): void } => {
  let text = '';
  let heard = (): void => {};
  return {
    write: (more) => {
      text += more;
      heard();
      return true;
    },
    ...(person && { isTTY: true, columns: person.columns, hasColors: () => true }),
    on: () => undefined,
    text: () => text,
    onWrite: (hear) => void (heard = hear),
  };
};

/** Types a line whenever a question stands on the screen, and sees nothing of it. */
const sitDown = (
  stdin: TerminalInput & PassThrough,
  stderr: ReturnType<typeof aScreen>,
  types: readonly string[],
): void => {
  const left = [...types];
  stdin.isTTY = true;
  stdin.setRawMode = () => undefined;
  stderr.onWrite(() => {
    const line = stderr.text().endsWith(': ') ? left.shift() : undefined;
    if (line !== undefined) setImmediate(() => stdin.write(`${line}\r`));
  });
};
