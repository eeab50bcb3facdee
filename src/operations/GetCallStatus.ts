/** Records of calls: one, or pages newest first (spec 4.13). Pages follow the key, never an offset. */
import * as z from 'zod';
import { toUnits } from '../rules/pricing.ts';
import { type CallQuery, type CallRow, findCalls } from '../store/reads/calls.ts';
import { type CallRecord, callRecord, writeCallRecord } from '../wire/callRecord.ts';
import { count } from '../wire/shapes.ts';
import { readQuery } from './callQuery.ts';
import { date } from './campaignInput/fields.ts';
import { type Asked, type Errors, operation, params, type Success } from './declare.ts';
import { flag, int, oneOf, text } from './fields.ts';

const filter = true as const;

/** What is no origin is no mistake either (spec 4.13). */
const origin = text(32)
  .pipe(z.string().regex(/^[a-zA-Z0-9_-]+$/))
  .catch('api')
  .meta({ json: { type: 'string', maxLength: 32 } });

const statusParams = params({
  callId: {
    rest: 'cd_id',
    tool: 'cd_id',
    schema: text(40).optional(),
    filter,
    says: 'One call, <cdcs_db>_<numeric>.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).optional(),
    filter,
    says: 'Customer-side id; the text null finds calls without one. Wins over cd_id.',
  },
  campaign: {
    rest: 'cp_id',
    tool: 'cp_id',
    toolShape: { type: 'string' },
    schema: int(0, 2 ** 31 - 1).optional(),
    filter,
    says: 'Campaign id.',
  },
  customerCampaign: {
    rest: 'cpid',
    tool: 'cpid',
    schema: text(64).optional(),
    filter,
    says: 'Customer-side campaign id: the newest campaign with it, else calls placed with it.',
  },
  dateStart: {
    rest: 'date_start',
    aliases: ['dini'],
    tool: 'date_start',
    schema: date().optional(),
    filter,
    says: 'First day, YYYY-MM-DD in the account’s time zone.',
  },
  dateEnd: {
    rest: 'date_end',
    aliases: ['dend'],
    tool: 'date_end',
    schema: date().optional(),
    filter,
    says: 'Last day, YYYY-MM-DD.',
  },
  limit: {
    rest: 'maxreg',
    tool: 'max_records',
    schema: int(1, 1_000_000_000, [-1]).default(1000),
    filter,
    says: 'Records a page; -1 all of them.',
  },
  after: {
    rest: 'last_id',
    tool: 'last_id',
    toolShape: { type: 'string' },
    schema: int(0, Number.MAX_SAFE_INTEGER).default(0),
    filter,
    says: 'Cursor: next_id of the page before; 0 the first page.',
  },
  withDigits: {
    rest: 'onlydtmf',
    tool: 'only_dtmf',
    schema: flag().default(false),
    filter,
    says: '1 only calls with captured digits.',
  },
  numberFormat: {
    rest: 'numtype',
    schema: oneOf(['0DDD', 'DDD']).optional(),
    says: 'Empty: country, area, number; 0DDD: 0, area, number; DDD: area, number.',
  },
  origin: {
    rest: 'origin',
    schema: origin,
    says: 'Echoed in every record; what is not [a-zA-Z0-9_-]{1,32} becomes api.',
  },
  callbackUrl: { rest: 'rurl', schema: text(2_000).optional(), says: 'Webhook address for the records.' },
  callbackMethod: { rest: 'rurl_method', schema: oneOf(['POST', 'GET']).optional(), says: 'POST or GET.' },
  callbackType: {
    rest: 'rurl_type',
    schema: text(20).optional(),
    says: 'json for a JSON body, else a form for each call.',
  },
  callbackHeaders: {
    rest: 'rurl_headers',
    schema: text(8_000).optional(),
    says: 'Extra headers, one a line.',
  },
  callbackUser: { rest: 'rurl_user', schema: text(200).optional(), says: 'Basic user.' },
  callbackPassword: { rest: 'rurl_password', schema: text(200).optional(), says: 'Basic password.' },
});

/** Only the codes that every operation shares (spec 7). */
const statusErrors = {} as const satisfies Errors;

export type StatusAsked = Asked<typeof statusParams, typeof statusErrors>;

const lastPage = { has_more: false, next_id: 0 };
const nothing: Success = { fields: { pagination: lastPage }, beside: { calls: [] } };

/** Rows read at a time; more than that are written as they come. */
const pageSize = 1000;

export const GetCallStatus = operation({
  name: 'GetCallStatus',
  section: '4.13',
  summary: 'Records of calls, one or a page, newest first.',
  permission: 'telephony',
  creates: false,
  params: statusParams,
  errors: statusErrors,
  answer: {
    fields: z.object({
      pagination: z.object({
        has_more: z.boolean().describe('There are more.'),
        next_id: count('The last_id of the next page; 0: there is none.'),
      }),
    }),
    beside: z.object({ calls: z.array(callRecord) }),
  },
  failure: { fields: { pagination: lastPage }, beside: { calls: [] } },
  nothing,
  tools: [
    {
      name: 'get_call_status',
      title: 'Look up calls',
      says:
        'Finds calls by id, by the ids of the customer, by campaign or by days, newest first; changes nothing and costs' +
        ' nothing. cd_status is empty while a call goes on, then OK (answered), BUSY, NOANSWER, CANCEL, CONGESTION or' +
        ' CHANUNAVAIL; dur is in seconds. Ask for few records first (max_records 20): a thousand make a long answer.' +
        ' While pagination.has_more is true, pass next_id as last_id for the next page. -1 gives up to 10000 at once.' +
        ' Nothing found is an empty list; warning names a filter that could not be read. explain_call tells why one' +
        ' call went as it did.',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      pages: true,
      example: { date_start: '2026-11-20', date_end: '2026-11-20', max_records: 20 },
    },
  ],
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', cd_id: 'a_741205934080' },
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

  async handle(asked) {
    if (asked.params.callbackUrl !== undefined)
      asked.warn('rurl: records are not posted by this version; they are in this answer');
    const query = await readQuery(asked);
    if (!query) return nothing;
    const { limit } = asked.params;
    return limit === -1 || limit > pageSize
      ? { stream: streamPages(asked, query) }
      : onePage(asked, query, limit);
  },
});

/** One extra row tells whether there are more. */
const onePage = async (asked: StatusAsked, query: CallQuery, limit: number): Promise<Success> => {
  const rows = await findCalls(databaseOf(asked), { ...query, limit: limit + 1 });
  const calls = rows.slice(0, limit).map(writerFor(asked));
  return { fields: { pagination: pagination(rows, limit) }, beside: { calls } };
};

const pagination = (rows: readonly CallRow[], limit: number) =>
  rows.length > limit ? { has_more: true, next_id: rows[limit - 1]!.id } : lastPage;

/**
 * A long answer as JSON text: pages by key, each read when the one before has been taken, so that neither memory nor
 * a read transaction grows with the answer. `return` comes last, when it is known.
 */
async function* streamPages(asked: StatusAsked, query: CallQuery): AsyncGenerator<string> {
  const write = writerFor(asked);
  let left = asked.params.limit === -1 ? Infinity : asked.params.limit;
  let belowId = query.belowId;
  let rows: CallRow[] = [];
  let page = lastPage;
  for (let first = true; left > 0; left -= rows.length, first = false) {
    const limit = Math.min(pageSize, left);
    const next = { ...query, ...(belowId !== undefined && { belowId }), limit: limit + 1 };
    const found = await findCalls(databaseOf(asked), next);
    rows = found.slice(0, limit);
    const part = rows.map((row) => JSON.stringify(write(row))).join(',');
    yield `${first ? '{"calls":[' : rows.length > 0 ? ',' : ''}${part}`;
    page = pagination(found, limit);
    if (!page.has_more) break;
    belowId = page.next_id;
  }
  const warning = asked.warnings.length > 0 ? { warning: asked.warnings.join('; ') } : {};
  yield `],"return":${JSON.stringify({ status: 'OK', status_code: '0', pagination: page, ...warning })}}`;
}

const databaseOf = ({ account, services }: StatusAsked) => services.database(account.shard);

const writerFor = ({ account, params: given, services }: StatusAsked): ((row: CallRow) => CallRecord) => {
  const view = {
    shard: account.shard,
    zone: account.time_zone,
    ratePerMinute: toUnits(account.call_rate.toFixed(4)),
    numtype: given.numberFormat ?? '',
    origin: given.origin,
    mediaUrl: (media: string) => services.mediaUrl(account.id, media),
  };
  return (row) => writeCallRecord(row, view);
};
