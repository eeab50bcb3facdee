/** Where a command line was typed: its settings and its three streams. */
import type { Readable } from 'node:stream';
import type { EnvironmentVariables } from '../config/parseEnvironmentVariable.ts';

/** A stream to write to; of a terminal, its width and whether it shows colours. */
export interface TerminalOutput {
  write(text: string): boolean;
  isTTY?: boolean | undefined;
  columns?: number;
  hasColors?(depth: number, env: EnvironmentVariables): boolean;
  on(event: 'error', heard: (error: NodeJS.ErrnoException) => void): unknown;
}

/** A stream to read from; of a terminal, one that can stop showing what is typed. */
export type TerminalInput = Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown };

export interface CommandLineStreamsAndEnv {
  env: EnvironmentVariables;
  stdin: TerminalInput;
  stdout: TerminalOutput;
  stderr: TerminalOutput;
}
