/** A list whose structure breaks: what follows cannot be read, so none of it is taken. */
export class ListBroken extends Error {
  /** It is whole, but too long. */
  readonly tooMany: boolean;
  /** Of a CSV file, where it breaks: the header is line 1, and empty lines do not count. Undefined: it is not known. */
  readonly line: number | undefined;
  constructor(why: string, { tooMany = false, line }: { tooMany?: boolean; line?: number | undefined } = {}) {
    super(why);
    this.name = 'ListBroken';
    this.tooMany = tooMany;
    this.line = line;
  }
}

/** A record longer than this is no record, bytes. */
export const maxListRecordBytes = 64 * 1024;

export const listRecordTooLongError = (row: number, line?: number): ListBroken =>
  listRecordError(row, `it is longer than ${maxListRecordBytes} bytes`, line);

/** The number of a record as refusals write it: the first one behind the header is 1. */
export const listRecordError = (row: number, why: string, line?: number): ListBroken =>
  new ListBroken(`record ${row}: ${why}`, { line });
