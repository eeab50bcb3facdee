/** What a server asks for with `Retry-After`. */

/**
 * How long it asks not to be asked again, milliseconds: a number of seconds, or a date. Undefined when it says
 * nothing, nothing readable, or a moment that has passed. `now`: epoch milliseconds.
 */
export const retryAfterMs = (
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined => {
  const value = String((Array.isArray(header) ? header[0] : header) ?? '').trim();
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return ms > 0 ? ms : undefined;
};
