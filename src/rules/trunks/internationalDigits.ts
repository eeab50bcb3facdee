/** Digits that prefixes are compared with. */

const TOLL_FREE = /^(?:55)?0?([3589]00\d{6,7})$/;
const SHORT = /^(?:(?:300|400)\d{4,6}|103\d{2,6})$/;

/**
 * A dialled number in international format. Special numbers of Brazil get the country before them: `09001234567` is
 * `5509001234567`, `40041234` is `5540041234`. Empty for what is no number.
 */
export const internationalDigits = (number: string): string => {
  if (!/^\d+$/.test(number)) return '';
  const tollFree = TOLL_FREE.exec(number);
  if (tollFree) return `550${tollFree[1]}`;
  return SHORT.test(number) ? `55${number}` : number;
};
