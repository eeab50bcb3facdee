/** A first look at an uploaded list, from its beginning to its end: what it is, before anything is kept of it. */
import { EXECUTABLE_SNIFF_BYTES, executableKindOf } from '../../lib/executable.ts';
import { Utf8Scan } from '../../lib/utf8Scan.ts';
import { readFileChunks } from './chunks.ts';
import type { ListLoadJob } from './job.ts';

export interface DetectedListFormat {
  form: 'csv' | 'json';
  encoding: 'UTF-8' | 'ISO-8859-1' | 'UTF-16LE' | 'UTF-16BE';
  /** Offset of the first byte that breaks the encoding; undefined: none. */
  brokenAt: number | undefined;
  /** What kind of program it is; undefined: none. */
  program: string | undefined;
  /** A spreadsheet as spreadsheet programs keep it (or another archive), which is neither CSV nor JSON. */
  isWorkbook: boolean;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** Spreadsheet programs write "Unicode text" so. */
const wideMarks = { '\xff\xfe': 'UTF-16LE', '\xfe\xff': 'UTF-16BE' } as const;
/** XLSX and ODS are ZIP archives; XLS is a compound file. */
const workbookBeginnings = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];

/**
 * What begins with a byte order mark of UTF-16 is that. Else what is no UTF-8 is ISO-8859-1, unless it said that it is UTF-8 (by a byte order mark, or by letters that were):
 * then it is broken.
 */
export const detectListFormat = async (file: ListLoadJob['file']): Promise<DetectedListFormat> => {
  const scan = new Utf8Scan();
  let head: Buffer = Buffer.alloc(0);
  for await (const chunk of readFileChunks(file.path)) {
    if (head.length < EXECUTABLE_SNIFF_BYTES) head = Buffer.concat([head, chunk]);
    scan.push(chunk);
  }
  scan.end();
  const program = executableKindOf(head.subarray(0, EXECUTABLE_SNIFF_BYTES));
  const wide = (wideMarks as Readonly<Record<string, 'UTF-16LE' | 'UTF-16BE'>>)[
    head.toString('latin1', 0, 2)
  ];
  if (wide) {
    const text = new TextDecoder(wide).decode(head.subarray(0, head.length - (head.length % 2)));
    return {
      form: formOf(file, text),
      ...{ encoding: wide, brokenAt: undefined, program, isWorkbook: false },
    };
  }
  const isMarked = head.subarray(0, 3).equals(byteOrderMark);
  const isLatin = scan.wrongAt !== undefined && !isMarked && !scan.beyondAscii;
  return {
    form: formOf(file, head.toString('latin1', isMarked ? 3 : 0)),
    encoding: isLatin ? 'ISO-8859-1' : 'UTF-8',
    brokenAt: isLatin ? undefined : scan.wrongAt,
    program,
    isWorkbook: workbookBeginnings.some((mark) => head.subarray(0, mark.length).equals(mark)),
  };
};

/** By the extension; without one that we know, by the first sign. */
const formOf = ({ name }: ListLoadJob['file'], head: string): 'csv' | 'json' => {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  if (extension === 'csv' || extension === 'json') return extension;
  return /^\s*[[{]/.test(head) ? 'json' : 'csv';
};
