/** A list whose structure breaks: what follows cannot be read, so none of it is taken. */
export class ListBroken extends Error {
  /** It is whole, but too long. */
  readonly tooMany: boolean;
  constructor(why: string, tooMany = false) {
    super(why);
    this.name = 'ListBroken';
    this.tooMany = tooMany;
  }
}

/** A record longer than this is no record, bytes. */
export const maxListRecordBytes = 64 * 1024;

export const listRecordTooLongError = (row: number): ListBroken =>
  listRecordError(row, `it is longer than ${maxListRecordBytes} bytes`);

/** The number of a record as refusals write it: the first one behind the header is 1. */
export const listRecordError = (row: number, why: string): ListBroken =>
  new ListBroken(`record ${row}: ${why}`);
