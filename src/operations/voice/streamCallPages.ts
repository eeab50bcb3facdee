/** Pages of call records, newest first, as GetCallStatus answers and pushes them (spec 4.13). */
import type { Pool } from 'pg';
import { type CallQuery, type CallRow, findCalls } from '../../store/reads/voice/calls.ts';
import type { CallApiRecord } from '../../wire/callRecord.ts';

export interface NextPageInfo {
  has_more: boolean;
  next_id: number;
}

export const noFurtherPage: NextPageInfo = { has_more: false, next_id: 0 };

export interface CallPage {
  rows: CallRow[];
  /** Of the whole answer, should this be its end. */
  pagination: NextPageInfo;
  /** No page follows. */
  last: boolean;
}

/** Rows read at a time; more than that are written as they come. */
export const callRowsReadAtOnce = 1_000;

/**
 * Pages by key, each read when the one before has been taken, so that neither memory nor a read transaction grows with
 * the answer. `most`: records in all; -1 all there are. One extra row a page tells whether there are more.
 */
export async function* readCallsInPages(
  pool: Pool,
  query: CallQuery,
  most: number,
): AsyncGenerator<CallPage> {
  let left = most === -1 ? Infinity : most;
  let { belowId } = query;
  while (left > 0) {
    const limit = Math.min(callRowsReadAtOnce, left);
    const below = belowId === undefined ? {} : { belowId };
    const found = await findCalls(pool, { ...query, ...below, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const pagination = found.length > limit ? { has_more: true, next_id: rows.at(-1)!.id } : noFurtherPage;
    left -= rows.length;
    const last = !pagination.has_more || left === 0;
    yield { rows, pagination, last };
    if (last) return;
    belowId = pagination.next_id;
  }
}

/** A whole answer as JSON text, a part a page. `return` comes last, when it is known; `beside`: what else stands in it. */
export async function* streamCallPagesAsJson(
  pages: AsyncIterable<CallPage>,
  write: (row: CallRow) => CallApiRecord,
  beside: () => Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  let before = '{"calls":[';
  for await (const { rows, pagination, last } of pages) {
    const part = rows.map((row) => JSON.stringify(write(row))).join(',');
    yield `${before}${part}${last ? endOf({ pagination, ...beside() }) : ''}`;
    before = ',';
  }
}

const endOf = (more: Readonly<Record<string, unknown>>): string =>
  `],"return":${JSON.stringify({ status: 'OK', status_code: '0', ...more })}}`;
