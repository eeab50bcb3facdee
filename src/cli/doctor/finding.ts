/** What the doctor finds, and how it looks. */
import { shownDatabaseAddress } from '../../lib/multiHostDatabaseUrl.ts';

export interface DoctorFinding {
  /** What was looked at, e.g. `database`. */
  check: string;
  level: 'ok' | 'warning' | 'failed';
  says: string;
  /** What to do about it: a sentence. */
  todo?: string;
}

/** One thing that is looked at; it may find several things, and must not throw for what it looks for. */
export type DoctorCheck = () => Promise<DoctorFinding[]> | DoctorFinding[];

export const ok = (check: string, says: string): DoctorFinding => ({ check, level: 'ok', says });
export const warningFinding = (check: string, says: string, todo?: string): DoctorFinding => ({
  ...{ check, level: 'warning', says },
  ...(todo !== undefined && { todo }),
});
export const failedFinding = (check: string, says: string, todo?: string): DoctorFinding => ({
  ...{ check, level: 'failed', says },
  ...(todo !== undefined && { todo }),
});

/** An address as it may be shown: without user and password. */
export const urlWithoutCredentials = (url: string): string => {
  if (url.startsWith('postgres')) return shownDatabaseAddress(url);
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
};

/** What an error says, its causes where it says nothing by itself. */
export const describeError = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return describeError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? ((error as { code?: string }).code ?? error.name) : error.message;
};
