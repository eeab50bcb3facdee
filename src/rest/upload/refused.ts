/** Why an upload is not taken. Thrown wherever it is found out; the door turns it into an answer. */
import type { AccessRefusal } from '../../access/authenticate.ts';

/**
 * `tooLarge`: a file; `discarded`: the body as a whole, or its fields; `partial`: it broke off; `notStored`: the disk
 * refused; `several`: more files than are taken; `unreadable`: no body of any kind we read; `noRoom`: too many bodies at
 * a time.
 */
export type UploadRefusalReason =
  | 'tooLarge'
  | 'discarded'
  | 'partial'
  | 'notStored'
  | 'several'
  | 'unreadable'
  | 'noRoom';

export class UploadRefused extends Error {
  readonly why: UploadRefusalReason | AccessRefusal;
  constructor(why: UploadRefusalReason | AccessRefusal, options: { cause?: unknown } = {}) {
    super(typeof why === 'string' ? why : why.text, options);
    this.name = 'UploadRefused';
    this.why = why;
  }
}
