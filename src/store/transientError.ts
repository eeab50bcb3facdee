/**
 * Tells a database that cannot serve now from a mistake of ours: the one is answered 503 and passes, the other is a bug.
 * It is away, has no room, or undid or gave up this statement for the sake of others.
 */
import { classifyDatabaseError, isSqlStateCode } from './classifyDatabaseError.ts';

const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Prisma's own, where it does not hand on what the server said.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
]);
const awaySentences =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|connection ended|not queryable|server closed the connection|can't reach database/i;

/** An error as the driver makes it, or as Prisma wraps it. */
interface Failure {
  message?: unknown;
  code?: unknown;
  /** The server's SQLSTATE, in what Prisma keeps of it. */
  originalCode?: unknown;
  syscall?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** Whether an error, or one that caused it, says that the database cannot serve now. */
export const isTransientDatabaseError = (error: unknown): boolean => {
  let at = error;
  for (let depth = 0; depth < 6 && isFailure(at); depth += 1) {
    if (saysAway(at)) return true;
    at = at.meta?.driverAdapterError ?? at.cause;
  }
  return false;
};

const isFailure = (value: unknown): value is Failure => typeof value === 'object' && value !== null;

const saysAway = ({ message, code, originalCode, syscall }: Failure): boolean => {
  if ([code, originalCode].some((word) => typeof word === 'string' && isPassing(word))) return true;
  // A socket's path that is missing; a missing file is something else.
  if (code === 'ENOENT' && syscall === 'connect') return true;
  return typeof message === 'string' && awaySentences.test(message);
};

const isPassing = (code: string): boolean =>
  passingCodes.has(code) || (isSqlStateCode(code) && isPassingState(code));

/** Everything but an answer about the statement itself; a limit of the configuration is met by others as well. */
const isPassingState = (state: string): boolean =>
  classifyDatabaseError({ code: state }) !== 'refused' || state === '53400';
