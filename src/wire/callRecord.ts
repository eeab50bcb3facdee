/**
 * The call record of the contract (spec 2.1), both ways in one place: how it is written for a customer and how it is
 * read back. Odd on purpose: the text `null` for what a call without an answer does not have, decimals with a comma.
 */
import * as z from 'zod';
import { formatPhoneNumber } from '../rules/voice/parsePhoneNumber.ts';
import { fromLocal, toLocal } from '../lib/localTime.ts';
import { billedSeconds, priceForSeconds, formatCommaAmount } from '../rules/accounts/pricing.ts';
import type { CallRow } from '../store/reads/voice/calls.ts';
import { readCallId, writeCallId } from './callId.ts';
import { threeDecimalsCommaTextSchema, clockOrNullSchema, countSchema, day } from './shapes.ts';

export const callRecordSchema = z.object({
  cd_id: z.string().describe('Call id, `<cdcs_db>_<numeric>`.'),
  cd_status: z
    .enum(['', 'OK', 'BUSY', 'NOANSWER', 'CANCEL', 'CONGESTION', 'CHANUNAVAIL'])
    .describe('How it ended; empty until the call has ended.'),
  cd_amdasw: z
    .enum(['MA', 'HM', 'ND'])
    .describe('Who answered: MA machine, HM human, ND not determined, or detection off.'),
  cp_id: countSchema('Campaign id; 0: none.'),
  cpid: z.string().describe('Customer-side campaign id; empty: none.'),
  ctid: z.string().describe('Customer-side call id.'),
  origin: z.string().describe('Marker echoed from the request.'),
  dest: z.string().describe('Destination number, as `numtype` asks.'),
  date: day('Day of the dial, YYYY-MM-DD in the account’s time zone.'),
  time_dial: clockOrNullSchema('When it was dialled, HH:MM:SS.'),
  time_start: clockOrNullSchema('When it was answered, HH:MM:SS; the text null when it was not.'),
  time_end: clockOrNullSchema('When it ended, HH:MM:SS; the text null when it was not answered, or goes on.'),
  dur: countSchema('Seconds of talk.'),
  resp_1: z.string().describe('First digits of the callee; empty: none.'),
  resp_2: z.string().describe('Second digits.'),
  resp_3: z.string().describe('Third digits.'),
  route: z.string().describe('Route; the text null when it was not answered.'),
  rate: threeDecimalsCommaTextSchema('Price of a minute, with a comma.'),
  value: threeDecimalsCommaTextSchema('Price of the call, with a comma.'),
  cdr_url: z.string().describe('Address of the recording; empty: none.'),
  cdr_sec: z.number().min(0).describe('Seconds of the recording.'),
});
export type CallApiRecord = z.output<typeof callRecordSchema>;

/** What the record depends on beside the row. */
export interface CallRecordFormatOptions {
  shard: string;
  /** Time zone of the account. */
  zone: string;
  /** Price of a minute in ten-thousandths. */
  ratePerMinute: bigint;
  /** `''`, `0DDD` or `DDD`. */
  numtype: string;
  /** Echoed (spec 4.13). */
  origin: string;
  mediaUrl(media: string): string;
}

const none = 'null';

export const formatCallRecord = (row: CallRow, view: CallRecordFormatOptions): CallApiRecord => {
  const dialed = toLocal(row.called_at, view.zone);
  const answered = row.answered_at !== null;
  const seconds = talkSeconds(row);
  return {
    cd_id: writeCallId(view.shard, row.id),
    cd_status: row.status as CallApiRecord['cd_status'],
    cd_amdasw: row.answered_by as CallApiRecord['cd_amdasw'],
    cp_id: row.campaign_id,
    cpid: row.customer_campaign,
    ctid: row.correlation,
    origin: view.origin,
    dest: formatPhoneNumber(row.destination, view.numtype),
    date: dialed.date,
    time_dial: dialed.time,
    time_start: writeTime(row.answered_at, view.zone),
    time_end: answered ? writeTime(row.ended_at, view.zone) : none,
    dur: seconds,
    resp_1: row.response_1,
    resp_2: row.response_2,
    resp_3: row.response_3,
    route: answered ? row.route : none,
    rate: formatCommaAmount(answered ? view.ratePerMinute : 0n),
    value: formatCommaAmount(priceForSeconds(view.ratePerMinute, seconds)),
    cdr_url: row.recording === '' ? '' : view.mediaUrl(row.recording),
    cdr_sec: row.recording_seconds,
  };
};

/** What a record says, in our terms. Undefined when its cd_id or its date is none. */
export interface ParsedCallResult {
  shard: string;
  id: number;
  status: string;
  calledAt: number;
  /** Undefined: not answered. */
  answeredAt: number | undefined;
  seconds: number;
  responses: [string, string, string];
  route: string;
}

/** Reads a record back. Times are those of the zone's wall clock, exact to the second. */
export const parseCallRecord = (record: CallApiRecord, zone: string): ParsedCallResult | undefined => {
  const id = readCallId(record.cd_id, '');
  if (!id || id.shard === '') return undefined;
  const calledAt = readTime(record.date, record.time_dial, zone);
  if (calledAt === undefined) return undefined;
  return {
    ...id,
    status: record.cd_status,
    calledAt,
    answeredAt: readAfter(calledAt, record, zone),
    seconds: record.dur,
    responses: [record.resp_1, record.resp_2, record.resp_3],
    route: record.route === none ? '' : record.route,
  };
};

/** 0 while it goes on, and for a call that was never answered. */
const talkSeconds = (row: CallRow): number =>
  row.answered_at === null || row.ended_at === null ? 0 : billedSeconds(row.answered_at, row.ended_at);

const writeTime = (at: number | null, zone: string): string => (at === null ? none : toLocal(at, zone).time);

const readTime = (date: string, time: string, zone: string): number | undefined => {
  try {
    return time === none ? undefined : fromLocal(date, time, zone);
  } catch {
    return undefined;
  }
};

/** The answer comes after the dial; one that looks earlier was after midnight. */
const readAfter = (calledAt: number, record: CallApiRecord, zone: string): number | undefined => {
  const at = readTime(record.date, record.time_start, zone);
  return at !== undefined && at < calledAt ? at + 86_400_000 : at;
};
