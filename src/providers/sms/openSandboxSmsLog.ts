/** The log of the SMS sandbox: what it took and what it delivered, one JSON object a line. */
import { readFile } from 'node:fs/promises';
import { AppendOnlyLogFile } from '../appendOnlyFile.ts';
import type { SmsMachineRef, SmsRouteRef } from './matchReceiptsToMessages.ts';

/** What the carrier says to a message: taken, taken but acknowledged late, or refused. */
export type SandboxSmsAcceptance = 'taken' | 'slow' | 'refused';

export interface SandboxSmsSubmission {
  /** The effect's id. */
  submitted: string;
  /** Epoch milliseconds. */
  at: number;
  route: SmsRouteRef;
  machine: SmsMachineRef;
  verdict: SandboxSmsAcceptance;
  to: string;
  from: string;
  text: string;
}

export type SandboxSmsLogEntry = SandboxSmsSubmission | { delivered: string; at: number };

export interface SandboxSmsLog {
  /** Settles when the line is written. */
  write(entry: SandboxSmsLogEntry): Promise<void>;
  /** What was submitted so far, and whether its receipt was told. */
  read(): Promise<(SandboxSmsSubmission & { told: boolean })[]>;
  close(): Promise<void>;
}

export const openSandboxSmsLog = (path: string): SandboxSmsLog => {
  const end = new AppendOnlyLogFile(path);
  return {
    // Each line begins its own: what a crash cut short stays alone.
    write: (entry) => end.append(`\n${JSON.stringify(entry)}`),
    read: async () => {
      const entries = await readEntries(path);
      const told = new Set(entries.flatMap((entry) => ('delivered' in entry ? [entry.delivered] : [])));
      return entries.flatMap((entry) =>
        'submitted' in entry && 'verdict' in entry ? [{ ...entry, told: told.has(entry.submitted) }] : [],
      );
    },
    close: () => end.close(),
  };
};

/** All whole lines; one that a crash cut short was never acknowledged. */
const readEntries = async (path: string): Promise<SandboxSmsLogEntry[]> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as SandboxSmsLogEntry];
    } catch {
      return [];
    }
  });
};
