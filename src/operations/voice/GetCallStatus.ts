/** Records of calls: one, or pages newest first (spec 4.13). Pages follow the key, never an offset. */
import * as z from 'zod';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import type { CallQuery, CallRow } from '../../store/reads/voice/calls.ts';
import { type CallApiRecord, callRecordSchema, formatCallRecord } from '../../wire/callRecord.ts';
import { countSchema } from '../../wire/shapes.ts';
import {
  type CallPage,
  readCallsInPages,
  streamCallPagesAsJson,
  noFurtherPage,
  callRowsReadAtOnce,
} from './streamCallPages.ts';
import { startCallRecordPush, readRequestedPushUrl } from './startRequestedCallRecordPush.ts';
import { callQueryFromParams } from './callQueryFromFilters.ts';
import { assertAbsenceCertain } from '../absence.ts';
import { defineOperation, type OperationSuccess } from '../declare.ts';
import { formatWarningField } from '../streamPagedJson.ts';
import { callStatusParams, callStatusErrors, type CallStatusRequestContext } from './getCallStatusParams.ts';

const nothing: OperationSuccess = { fields: { pagination: noFurtherPage }, beside: { calls: [] } };

export const GetCallStatusOperation = defineOperation({
  name: 'GetCallStatus',
  section: '4.13',
  topic: 'calls',
  summary: 'Records of calls, one or a page, newest first.',
  permission: 'telephony',
  creates: false,
  params: callStatusParams,
  errors: callStatusErrors,
  answer: {
    fields: z.object({
      pagination: z.object({
        has_more: z.boolean().describe('There are more.'),
        next_id: countSchema('The last_id of the next page; 0: there is none.'),
      }),
      queued: countSchema(
        'With rurl: how many records will be posted there, counted up to 100000.',
      ).optional(),
    }),
    beside: z.object({ calls: z.array(callRecordSchema) }),
  },
  failure: { fields: { pagination: noFurtherPage }, beside: { calls: [] } },
  tools: [
    {
      name: 'get_call_status',
      title: 'Look up calls',
      description:
        'Finds calls by id, campaign or days, newest first; changes nothing. Ask for few first (max_records 20), then' +
        ' pass next_id as last_id. warning names a filter that could not be read. explain_call tells why a call went' +
        ' as it did, get_call_digits what was pressed.',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      pages: 'status',
      example: { date_start: '2026-11-20', date_end: '2026-11-20', max_records: 20 },
    },
    {
      name: 'get_call_digits',
      title: 'See what was pressed',
      description:
        'The keys that people pressed: resp_1 to resp_3 of the calls in which there were any, newest first, by id,' +
        ' campaign or days; changes nothing. Pages as in get_call_status.',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      without: ['withDigits'],
      asIn: 'get_call_status',
      pages: 'digits',
      example: { cp_id: '41', max_records: 20 },
    },
  ],
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', maxreg: 1 },
    response: {
      return: { status: 'OK', status_code: '0', pagination: { has_more: false, next_id: 0 } },
      calls: [
        {
          cd_id: 'a_741205934080', cd_status: 'OK', cd_amdasw: 'ND', cp_id: 0, cpid: '', ctid: 'order-17', origin: 'api',
          dest: '5511987650000', date: '2026-11-20', time_dial: '14:30:05', time_start: '14:30:07', time_end: '14:30:19',
          dur: 12, resp_1: '', resp_2: '', resp_3: '', route: 'sandbox', rate: '0,120', value: '0,024', cdr_url: '', cdr_sec: 0,
        },
      ],
    },
  }, // prettier-ignore

  handle: async (ctx) => answered(ctx, await callQueryFromParams(ctx)),
  nothing: (ctx) => answered(ctx, undefined),
});

/** `query`: undefined when the filters cannot match anything. */
const answered = async (
  ctx: CallStatusRequestContext,
  query: CallQuery | undefined,
): Promise<OperationSuccess> => {
  const pushUrl = readRequestedPushUrl(ctx);
  if (pushUrl) return startCallRecordPush(ctx, pushUrl, query);
  if (!query) return nothing;
  return query.limit === -1 || query.limit > callRowsReadAtOnce
    ? longAnswer(ctx, query)
    : onePage(ctx, query);
};

const onePage = async (ctx: CallStatusRequestContext, query: CallQuery): Promise<OperationSuccess> => {
  const pages = readCallsInPages(databaseOf(ctx), query, query.limit);
  const { value } = await pages.next();
  const { rows, pagination } = value as CallPage;
  const isNamed = query.id !== undefined || (query.correlation ?? '') !== '';
  if (rows.length === 0 && isNamed) await assertAbsenceCertain(ctx.services, ctx.account.shard);
  return { fields: { pagination }, beside: { calls: rows.map(writerFor(ctx)) } };
};

const longAnswer = (ctx: CallStatusRequestContext, query: CallQuery): OperationSuccess => ({
  stream: streamCallPagesAsJson(readCallsInPages(longReadsOf(ctx), query, query.limit), writerFor(ctx), () =>
    formatWarningField(ctx.warnings),
  ),
});

const databaseOf = ({ account, services }: CallStatusRequestContext) => services.database(account.shard);

const longReadsOf = ({ account, services }: CallStatusRequestContext) => services.longReads(account.shard);

const writerFor = ({
  account,
  params,
  services,
}: CallStatusRequestContext): ((row: CallRow) => CallApiRecord) => {
  const view = {
    shard: account.shard,
    zone: account.time_zone,
    ratePerMinute: amountToTenThousandths(account.call_rate.toFixed(4)),
    numtype: params.numberFormat ?? '',
    origin: params.origin,
    mediaUrl: (media: string) => services.mediaUrl(account.id, media),
  };
  return (row) => formatCallRecord(row, view);
};
