/** What is said when no server of an address takes writes. */
import { isSqlStateCode } from '../classifyDatabaseError.ts';
import type { DatabaseHostStatus } from './hostProbe.ts';

/** An error as the driver makes it. */
interface DriverError extends Error {
  code?: string;
  syscall?: string;
}

/** As a demoted server says it. */
const readOnlyState = '25006';

/**
 * The error of a connection that found no server: the words of all of them, the code of the first that has one, so that
 * it is understood as that of a single server is. Hosts stand in quotes, which pages for all leave out.
 */
export const noWritableHostError = (seen: readonly DatabaseHostStatus[]): Error => {
  const errors = seen.flatMap(({ error }): DriverError[] => (error ? [error] : []));
  const said = errors.find(({ code }) => code !== undefined && isSqlStateCode(code)) ?? errors[0];
  const error: DriverError = new Error(seen.map(sentenceOf).join('; ') || 'no server answered', {
    cause: said,
  });
  const refused = seen.some(({ state }) => state === 'standby' || state === 'readOnly');
  error.code = said?.code ?? (refused ? readOnlyState : 'ETIMEDOUT');
  // Nothing was sent: that is how the error of a connection is known.
  if (!isSqlStateCode(error.code)) error.syscall = said?.syscall ?? 'connect';
  return error;
};

const sentenceOf = ({ name, state, error }: DatabaseHostStatus): string => {
  if (state === 'standby') return `"${name}" is a standby`;
  if (state === 'readOnly') return `"${name}" takes no writes (default_transaction_read_only)`;
  return error!.message || ((error as DriverError).code ?? error!.name);
};

/** The error of a connection to a server that was found to take no writes. */
export const readOnlyDatabaseHostError = (name: string): Error =>
  Object.assign(new Error(`"${name}" takes no writes`), { code: readOnlyState });
