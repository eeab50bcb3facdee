/** Destination lists as the routes answer them. */
import * as z from 'zod';
import type { DestinationListRow, ListRejectRow } from '../../store/reads/lists/lists.ts';
import { at } from '../fieldSchemas.ts';

export const destinationListSchema = z.object({
  cdlc_id: z.int(),
  cdlc_name: z.string(),
  cdlc_file: z.string(),
  cdlc_ctid: z.string(),
  cdlc_num: z.int().describe('Accepted records.'),
  active: z.boolean(),
  rejected: z.int(),
  bytes: z.int(),
  created_at: at,
});

/** One that is true. */
export const destinationListExample = {
  ...{ cdlc_id: 1, cdlc_name: 'March', cdlc_file: 'march.csv', cdlc_ctid: '', cdlc_num: 1000 },
  ...{ active: true, rejected: 2, bytes: 40_000, created_at: 1_795_325_744_421 },
};

export const rowSchema = z
  .int()
  .describe('Its place among the records of the list, from 1. A header does not count, nor do empty lines.');

export const lineSchema = z
  .int()
  .nullable()
  .describe(
    'Its line of the CSV file, where the header is line 1; empty lines do not count. Null: the list is of no CSV file.',
  );

/** `file`: the name of a list's file; empty: it came in a request. */
export const lineOfRow = (file: string, row: number): number | null =>
  file === '' || /\.json$/i.test(file) ? null : row + 1;

/** A record that was refused. `content`: the beginning of what was sent. */
export const rejectedRowSchema = z.object({
  row: rowSchema,
  line: lineSchema,
  reason: z.string(),
  content: z.string(),
});

export const toRejectedRowAnswer = (file: string, { row, reason, content }: ListRejectRow) => ({
  ...{ row, line: lineOfRow(file, row), reason, content },
});

export const toDestinationListAnswer = ({
  id,
  name,
  file,
  correlation,
  records,
  ...list
}: DestinationListRow) => ({
  cdlc_id: id,
  cdlc_name: name,
  cdlc_file: file,
  cdlc_ctid: correlation,
  cdlc_num: records,
  ...list,
});
