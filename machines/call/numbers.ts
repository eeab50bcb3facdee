/** Which number an attempt dials (spec 4.3 `xnum`): one after the other, and after the last the first again. */
import type { CallContext } from './context.ts';
import type { CallInput } from './input.ts';

/** All numbers of the person, in the order they are tried: one round. */
const numbersOf = ({ destination, alternatives = [] }: CallInput): readonly string[] =>
  alternatives.length === 0 ? [destination] : [destination, ...alternatives];

/** The number of an attempt, counted from 1. */
export const numberForAttempt = (call: CallInput, attempt: number): string => {
  const numbers = numbersOf(call);
  return numbers[Math.max(0, attempt - 1) % numbers.length] ?? call.destination;
};

/** The number dialled last, or the first while none was. */
export const lastDialledNumber = ({ call, dial }: CallContext): string =>
  numberForAttempt(call, dial.attempt);

/** Attempts in all: every try is a round. */
export const dialAttemptsAllowed = (call: CallInput): number => call.schedule.tries * numbersOf(call).length;

/** Whether the next attempt dials another number of the same round. */
export const isNextNumberOfSameRound = ({ call, dial }: CallContext): boolean =>
  dial.attempt % numbersOf(call).length !== 0;
