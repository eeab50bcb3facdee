/**
 * What the keys mean in a question (cp_type 4) and in a confirmation with validation (cp_type 6; spec 4.3, decisions
 * "cp_type 4", "cp_type 6"). Both ask twice; the second part begins once something was answered.
 */
import type { CallContext } from './context.ts';
import type { CallInput } from './input.ts';
import type { DigitMeaning } from './verdict.ts';

const END = '#';

/** Whether a call asks in this way. */
export const isSurveyCall = ({ mode }: CallInput): boolean => mode === 'question' || mode === 'validate';

const isFirst = ({ talk }: CallContext): boolean => talk.responses.length === 0;

/** Digits that this part waits for; 0: none. */
const wanted = (context: CallContext): number => {
  const { mode, digits, secondAnswer = 0, validation } = context.call;
  if (mode === 'question') return isFirst(context) ? digits.count : secondAnswer;
  return isFirst(context) ? 1 : (validation?.digits ?? 0);
};

/** What follows from a digit. */
export const interpretSurveyDigit = (context: CallContext, digit: string): DigitMeaning => {
  const { digits } = context.talk;
  if (isReplay(context, digit)) return 'replay';
  if (wanted(context) === 0) return 'kept';
  const entry = digit === END ? digits : digits + digit;
  return digit === END || entry.length >= wanted(context) ? interpretSurveyEntry(context, entry) : 'more';
};

const isReplay = (context: CallContext, digit: string): boolean =>
  isFirst(context) &&
  context.talk.digits === '' &&
  digit === context.call.digits.replay &&
  digit !== context.call.validation?.confirm;

/** What a whole entry means, or the end of the wait for one. */
export const interpretSurveyEntry = (context: CallContext, entry: string): DigitMeaning =>
  context.call.mode === 'question' ? questionAnswer(context, entry) : validationAnswer(context, entry);

const questionAnswer = (context: CallContext, entry: string): DigitMeaning => {
  if (!isFirst(context)) return 'answeredAgain';
  return entry === '' ? 'none' : 'answered';
};

const validationAnswer = (context: CallContext, entry: string): DigitMeaning => {
  const { validation } = context.call;
  if (!isFirst(context)) return isMatch(validation, entry) ? 'matched' : 'wrong';
  if (entry === '') return 'unconfirmed';
  return entry === validation?.confirm ? 'confirmed' : 'denied';
};

/** The end of the value's digits, as many as were asked for. */
const isMatch = (validation: CallInput['validation'], entry: string): boolean =>
  validation !== undefined &&
  entry.length === validation.digits &&
  validation.expected.replace(/\D/g, '').endsWith(entry);

/** The slot that replies to an answer, by its first digit (`cont0` … `cont9`); undefined: nothing is said to it. */
export const surveyReplyPromptSlot = ({ mode, prompts }: CallInput, entry: string): number | undefined => {
  const slot = mode === 'question' && /^\d/.test(entry) ? Number(entry[0]) : undefined;
  return slot !== undefined && prompts.slots[slot] ? slot : undefined;
};
