/** How far a long work is, on standard error: a bar that is drawn anew in a terminal, lines elsewhere. */
import { openTerminalCanvas } from './canvas.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';
import { cut } from './formatTerminalTable.ts';

export interface ProgressDisplay {
  /** `what` goes on; `done` of `of` are through. */
  step(what: string, done: number, of: number): void;
  /** Something was finished: a line, where there is no bar. */
  line(text: string): void;
  /** Takes the bar away. */
  end(): void;
}

/** Between two drawings, milliseconds. */
const pauseMs = 100;
const mostColumns = 80;
const percentColumns = 6;

/** `quiet`: nothing is said at all, as for scripts. */
export const openProgressDisplay = (
  { stderr, env }: CommandLineStreamsAndEnv,
  quiet: boolean,
): ProgressDisplay => {
  if (quiet) return { step: () => {}, line: () => {}, end: () => {} };
  if (stderr.isTTY !== true || env['TERM'] === 'dumb')
    return { step: () => {}, line: (text) => void stderr.write(`${text}\n`), end: () => {} };
  const canvas = openTerminalCanvas((text) => void stderr.write(text));
  const width = Math.min((stderr.columns ?? 0) || mostColumns, mostColumns);
  let drawnAt = -Infinity;
  return {
    step: (what, done, of) => {
      const now = performance.now();
      if (now - drawnAt < pauseMs) return;
      drawnAt = now;
      canvas.draw(progressBarLines(what, of > 0 ? Math.min(1, done / of) : 1, width));
    },
    line: () => {},
    end: () => canvas.draw([]),
  };
};

/** A line of what, and a line with the bar. */
export const progressBarLines = (what: string, share: number, width: number): string[] => {
  const room = Math.max(0, width - percentColumns);
  const full = Math.floor(share * room);
  const percent = `${Math.floor(share * 100)} %`.padStart(percentColumns);
  return [cut(what, width), `${'█'.repeat(full)}${'▒'.repeat(room - full)}${percent}`];
};
