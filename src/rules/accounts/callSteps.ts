/** The steps in which calls are paid for before they are talked: 30 seconds first, then 6 at a time. */
import { billableSeconds } from '../../../machines/contracts/price.ts';
import { priceForSeconds } from './pricing.ts';

export const FIRST_BILLED_SECONDS = 30;
const STEP_SECONDS = 6;
/** A step is reserved so long before it begins, and a call hung up so long before what is paid for is over. */
export const PREPAID_RESERVE_LEAD_SECONDS = 3;
export const PREPAID_HANGUP_MARGIN_SECONDS = 1;

/** Seconds that have to be paid for so that a call may be talked for so many. */
export const roundUpToBillingIncrement = (seconds: number): number =>
  billableSeconds(Math.max(1, seconds), FIRST_BILLED_SECONDS, STEP_SECONDS);

/** What more seconds cost: those from `from` to `to`, at a rate a minute, ten-thousandths. Their sum is the price of all. */
const priceBetween = (rate: bigint, from: number, to: number): bigint =>
  priceForSeconds(rate, to) - priceForSeconds(rate, from);

/** Seconds that so much pays for, at a rate a minute above 0: whole steps, as many as are not dearer. */
export const affordableSeconds = (rate: bigint, units: bigint): number => {
  // Prices are rounded half up: what is below a half more costs no more.
  const seconds = Number((units * 60n + 29n) / rate);
  return FIRST_BILLED_SECONDS + Math.floor((seconds - FIRST_BILLED_SECONDS) / STEP_SECONDS) * STEP_SECONDS;
};

/** A call that is talked: price of a minute, ten-thousandths, and seconds that are paid for. */
export interface PrepaidCall {
  rate: bigint;
  covered: number;
}

/** The step that is to be reserved when it was talked for so many seconds: what it covers then, and what it costs; undefined: none. */
export const nextPrepaidIncrement = (
  { rate, covered }: PrepaidCall,
  seconds: number,
): { covered: number; price: bigint } | undefined => {
  const needed = roundUpToBillingIncrement(seconds + PREPAID_RESERVE_LEAD_SECONDS);
  return needed <= covered ? undefined : { covered: needed, price: priceBetween(rate, covered, needed) };
};

/** Whether a call that cannot pay for its next step is hung up when it was talked for so many seconds. */
export const isPrepaidTimeUsedUp = ({ covered }: Pick<PrepaidCall, 'covered'>, seconds: number): boolean =>
  seconds + PREPAID_HANGUP_MARGIN_SECONDS >= covered;
