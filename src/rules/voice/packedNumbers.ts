/** Telephone numbers in columns: eight bytes each, with their leading zeros. */

/** A number as a column keeps it; 0 for what is not written in 15 digits at most. */
export const packPhoneNumber = (number: string): number =>
  /^\d{1,15}$/.test(number) ? Number(`1${number}`) : 0;

/** The number again; empty for what could not be kept. */
export const unpackPhoneNumber = (packed: number): string => String(packed).slice(1);
