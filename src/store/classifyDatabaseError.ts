/**
 * What an error of the database says about the statement that met it. The answer decides what the engine does next, so
 * every error gets exactly one.
 *
 *   refused        the server read the statement and said no: sent again as it is, it meets the same no
 *   unavailable    nothing was written, for a reason outside of the statement: it is worth trying later
 *   prepareAgain   nothing was written; the connection's prepared statement is gone or out of date
 *   tooBig         nothing was written; the statement took too long, and a smaller one may not
 *   doubt          the connection broke, or nothing came back: the statement may have been done
 */
export type DatabaseErrorVerdict = 'refused' | 'unavailable' | 'prepareAgain' | 'tooBig' | 'doubt';

/** An error as the driver makes it. `code` is the server's SQLSTATE, or the operating system's word. */
interface DriverError {
  code?: unknown;
  message?: unknown;
  syscall?: unknown;
  /** The server's function that raised it; unlike the message it has one language. */
  routine?: unknown;
}

/** Five letters and digits of a class that exists; `EPIPE` is no such code. */
const SQLSTATE = /^(?:\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/** The first that matches says it. Whatever is not listed is an answer about the statement: refused. */
const BY_STATE: readonly (readonly [RegExp, DatabaseErrorVerdict])[] = [
  // Before a session begins: address, password, database, too many of us, still starting.
  [/^(08001|08004|28...|3D000|57P03)$/, 'unavailable'],
  // A session that ends in the middle of a statement, however politely, may have ended after its commit.
  [/^(08...|40003|25P0[34]|57P0[1245])$/, 'doubt'],
  [/^(26000|42P05)$/, 'prepareAgain'],
  [/^57014$/, 'tooBig'],
  // A limit of the configuration meets the statement, not the moment.
  [/^53400$/, 'refused'],
  [/^(25006|40...|53...|55P03|57...|58...)$/, 'unavailable'],
];

/** A plan that was cached for a table of another shape. */
const STALE_PLAN = 'RevalidateCachedQuery';

/** Words of the operating system that say so whatever was being done: there is no way to the server. */
const NO_WAY =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA|EHOSTUNREACH|ENETUNREACH|EMFILE|ENFILE)$/;
/** The driver's words for a connection that was never had. */
const NEVER_SENT =
  /timeout exceeded when trying to connect|connection terminated due to connection timeout|after calling end on the pool|not queryable/i;

/** The one verdict on an error. */
export const classifyDatabaseError = (error: unknown): DatabaseErrorVerdict => {
  // Ours, from before anything is sent: a number that its column cannot hold.
  if (error instanceof RangeError) return 'refused';
  if (typeof error !== 'object' || error === null) return 'doubt';
  const { code, message, syscall, routine } = error as DriverError;
  const word = typeof code === 'string' ? code : '';
  if (isSqlStateCode(word)) return ofState(word, routine);
  const wasNeverSent =
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    NO_WAY.test(word) ||
    (typeof message === 'string' && NEVER_SENT.test(message));
  return wasNeverSent ? 'unavailable' : 'doubt';
};

/** Whether a word is an SQLSTATE. */
export const isSqlStateCode = (word: string): boolean => SQLSTATE.test(word);

/** The verdict on an SQLSTATE. */
const ofState = (state: string, routine: unknown): DatabaseErrorVerdict => {
  if (state === '0A000' && routine === STALE_PLAN) return 'prepareAgain';
  return BY_STATE.find(([pattern]) => pattern.test(state))?.[1] ?? 'refused';
};
