/** The numbers of the campaigns' lists. Campaigns of one account have some in common; no other call dials them. */

/** A number of a record, counted from 0. */
export const listedNumber = (account: number, record: number, alternative: number): string =>
  `55219${account}${String(record).padStart(5, '0')}${alternative}`;

/** Whether it is a number of a list: one call at a time may be live to it. */
export const isListed = (number: string): boolean => /^55219\d{8}$/.test(number);
