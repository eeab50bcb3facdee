/** The log of a command that works on databases itself: on standard error, for what it answers is on standard output. */
import { type Log, openLog } from '../log.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';

export const openStderrErrorLog = ({ stderr }: Pick<CommandLineStreamsAndEnv, 'stderr'>): Log =>
  openLog('error', { write: (line) => void stderr.write(line) });
