/** What can follow from a key of the callee. */

/** What follows from a digit, or from the end of the wait for one. */
export type Verdict =
  /** Nobody asked: nothing follows, and it is kept but for a question's, where only answers count. */
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
