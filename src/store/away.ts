/** Tells a database that is away from a mistake of ours: the one is answered 503 and passes, the other is a bug. */

const awayStates = /^(08...|57P0[123]|53300|25006)$/;
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
]);
const awaySentences =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|connection ended|not queryable|server closed the connection|can't reach database/i;

/** Whether an error, or one that caused it, says that the database cannot be reached now. */
export const isAway = (error: unknown): boolean => {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && (awayCodes.has(code) || awayStates.test(code))) return true;
    // A socket's path that is missing; a missing file is something else.
    if (code === 'ENOENT' && (at as { syscall?: unknown }).syscall === 'connect') return true;
    if (awaySentences.test(at.message)) return true;
  }
  return false;
};
