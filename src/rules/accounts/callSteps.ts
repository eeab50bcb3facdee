/** The steps in which calls are paid for before they are talked: 30 seconds first, then 6 at a time. */
import { paidSeconds } from '../../../machines/contracts/price.ts';
import { priceOf } from './pricing.ts';

export const FIRST_SECONDS = 30;
const STEP_SECONDS = 6;

/** Seconds that have to be paid for so that a call may be talked for so many. */
export const stepsFor = (seconds: number): number =>
  paidSeconds(Math.max(1, seconds), FIRST_SECONDS, STEP_SECONDS);

/** What more seconds cost: those from `from` to `to`, at a rate a minute, ten-thousandths. Their sum is the price of all. */
export const priceBetween = (rate: bigint, from: number, to: number): bigint =>
  priceOf(rate, to) - priceOf(rate, from);

/** Seconds that so much pays for, at a rate a minute above 0: whole steps, as many as are not dearer. */
export const secondsFor = (rate: bigint, units: bigint): number => {
  // Prices are rounded half up: what is below a half more costs no more.
  const seconds = Number((units * 60n + 29n) / rate);
  return FIRST_SECONDS + Math.floor((seconds - FIRST_SECONDS) / STEP_SECONDS) * STEP_SECONDS;
};
