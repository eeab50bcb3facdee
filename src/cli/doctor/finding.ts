/** What the doctor finds, and how it looks. */
import { shownDatabaseAddress } from '../../lib/databaseAddress.ts';

export interface Finding {
  /** What was looked at, e.g. `database`. */
  check: string;
  level: 'ok' | 'warning' | 'failed';
  says: string;
  /** What to do about it: a sentence. */
  todo?: string;
}

/** One thing that is looked at; it may find several things, and must not throw for what it looks for. */
export type Check = () => Promise<Finding[]> | Finding[];

export const ok = (check: string, says: string): Finding => ({ check, level: 'ok', says });
export const warning = (check: string, says: string, todo?: string): Finding => ({
  ...{ check, level: 'warning', says },
  ...(todo !== undefined && { todo }),
});
export const failed = (check: string, says: string, todo?: string): Finding => ({
  ...{ check, level: 'failed', says },
  ...(todo !== undefined && { todo }),
});

/** An address as it may be shown: without user and password. */
export const shownAddress = (url: string): string => {
  if (url.startsWith('postgres')) return shownDatabaseAddress(url);
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
};

/** What an error says, its causes where it says nothing by itself. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return sentenceOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.message === '' ? ((error as { code?: string }).code ?? error.name) : error.message;
};
