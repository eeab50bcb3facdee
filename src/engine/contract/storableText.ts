/** PostgreSQL takes no NUL and JSON text no lone surrogate; both are refused before anything is written. */
export const isPostgresSafeText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

/** Throws `TypeError` when a text anywhere in this value cannot be stored. */
export const refuseUnstorable = (value: unknown): void => {
  if (typeof value === 'string') {
    if (!isPostgresSafeText(value)) throw new TypeError('text with NUL or a lone surrogate cannot be stored');
  } else if (Array.isArray(value)) for (const item of value) refuseUnstorable(item);
  else if (value && typeof value === 'object')
    for (const key in value) {
      refuseUnstorable(key);
      refuseUnstorable((value as Record<string, unknown>)[key]);
    }
};

/** The same value with characters that cannot be stored replaced; the value itself when there are none. */
export const madeStorable = <T>(value: T): T => {
  try {
    refuseUnstorable(value);
    return value;
  } catch {
    return JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
      typeof item === 'string' ? item.toWellFormed().replaceAll('\u0000', '\uFFFD') : item,
    ) as T;
  }
};
