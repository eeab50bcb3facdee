/** What get_call_status (spec 4.1) and get_call_digits answer: calls in a form of the tool's own, read page by page. */
import * as z from 'zod';
import type { CallReportKind } from '../operations/declare.ts';
import type { OperationResponse } from '../operations/run.ts';
import { type CallApiRecord, callRecordSchema } from '../wire/callRecord.ts';
import type { Json, LongAnswerLimiter, ToolOutcome } from './tool.ts';

/** The keys of a call that the tool shows (spec 2.1); its length is text here. */
const toolRecord = callRecordSchema
  .pick({ cd_id: true, cd_status: true, dest: true, date: true, cdr_url: true })
  .extend({ dur: z.string().describe('Seconds of talk.') });

/** What was pressed, and in which call. */
const digitsRecord = callRecordSchema.pick({
  cd_id: true,
  ctid: true,
  dest: true,
  date: true,
  time_dial: true,
  resp_1: true,
  resp_2: true,
  resp_3: true,
});

interface Form {
  shape: z.ZodObject;
  write(record: CallApiRecord): Json;
  /** Asked of the operation besides. */
  asks: Json;
}

const forms: Readonly<Record<CallReportKind, Form>> = {
  status: {
    shape: toolRecord,
    write: ({ cd_id, cd_status, dest, date, dur, cdr_url }) => ({
      ...{ cd_id, cd_status, dest, date },
      dur: String(dur),
      cdr_url,
    }),
    asks: {},
  },
  digits: {
    shape: digitsRecord,
    write: ({ cd_id, ctid, dest, date, time_dial, resp_1, resp_2, resp_3 }) => ({
      ...{ cd_id, ctid, dest, date, time_dial, resp_1, resp_2, resp_3 },
    }),
    asks: { onlydtmf: 1 },
  },
};

export const callPagesShape = (form: CallReportKind): z.ZodObject =>
  z.object({
    calls: z.array(forms[form].shape),
    total: z.int(),
    pagination: z.object({
      has_more: z.boolean(),
      next_id: z.string().describe('last_id of the next page; empty: none.'),
    }),
  });

/** `max_records` -1, and whatever is more: an answer is one text in memory, and what is left has a `next_id`. */
const mostRecords = 10_000;
const pageSize = 1_000;

interface Page {
  return: { pagination: { has_more: boolean; next_id: number } };
  calls: CallApiRecord[];
}

/** `ask`: GetCallStatus, under its REST names. */
export const collectCallPages = async (
  ask: (provided: Json) => Promise<OperationResponse>,
  args: Json,
  form: CallReportKind,
  long: LongAnswerLimiter,
): Promise<ToolOutcome> => {
  const { write, asks } = forms[form];
  const provided = { ...args, ...asks };
  const wanted = wantedOf(provided['maxreg']);
  const refused = wanted !== undefined && wanted > pageSize ? await long.enter() : undefined;
  if (refused) return refused;
  const calls: Json[] = [];
  let cursor = provided['last_id'];
  for (;;) {
    const page = await pageOf(ask, { ...provided, last_id: cursor }, wanted && wanted - calls.length);
    calls.push(...page.calls.map(write));
    const { has_more, next_id } = page.return.pagination;
    if (has_more && wanted !== undefined && calls.length < wanted) {
      cursor = next_id;
      await long.turn();
      continue;
    }
    const pagination = { has_more, next_id: has_more ? String(next_id) : '' };
    return { success: true, calls, total: calls.length, pagination };
  }
};

/** Undefined: not a number that there can be of; the operation knows what to say to it. */
const wantedOf = (args: unknown): number | undefined => {
  if (args === undefined) return pageSize;
  if (typeof args !== 'number' && typeof args !== 'string') return undefined;
  const wanted = Number(args);
  if (wanted === -1) return mostRecords;
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, mostRecords) : undefined;
};

const pageOf = async (
  ask: (provided: Json) => Promise<OperationResponse>,
  provided: Json,
  left: number | undefined,
) => {
  const maxreg = left === undefined ? provided['maxreg'] : Math.min(left, pageSize);
  const { body } = await ask({ ...provided, maxreg });
  return body as unknown as Page;
};
