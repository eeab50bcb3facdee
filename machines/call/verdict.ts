/** What can follow from a key of the callee. */

/** What follows from a digit, or from the end of the wait for one. */
export type DigitMeaning =
  /** No digit was asked for: nothing follows. It is kept, except while a question is read, where only answers count. */
  | 'kept'
  /** Not all expected digits are there. */
  | 'more'
  | 'replay'
  | 'transfer'
  | 'play'
  | 'hangUp'
  | 'optOut'
  /** Captured; nothing is left to ask. */
  | 'done'
  | 'wrong'
  | 'none'
  /** Question: the first answer, and the second. */
  | 'answered'
  | 'answeredAgain'
  /** Validation: the digit that confirms, another one, none; and the digits that were expected. */
  | 'confirmed'
  | 'denied'
  | 'unconfirmed'
  | 'matched';
