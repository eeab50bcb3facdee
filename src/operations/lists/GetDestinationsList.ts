/** Destination lists, newest first; may switch all that match on or off (spec 4.7). */
import * as z from 'zod';
import {
  findDestinationLists,
  type AccountDestinationListsQuery,
  type DestinationListRow,
  setListsActive,
} from '../../store/reads/lists/lists.ts';
import { destinationListApiRecordSchema, formatDestinationListRecord } from '../../wire/listRecord.ts';
import { assertAbsenceCertain } from '../absence.ts';
import { type RequestContext, emptyObjectSchema, defineOperation } from '../declare.ts';
import { flag, int, wordChoiceSchema, looseIdSchema, text } from '../parameterValueSchemas.ts';
import { formatWarningField, rowsPerStreamedRead, streamPagesAsJson } from '../streamPagedJson.ts';
import { defineParams } from '../param.ts';
import type { DeclaredErrors } from '../refused.ts';

const listParams = defineParams({
  id: {
    rest: 'cdlc_id',
    tool: 'cdlc_id',
    schema: looseIdSchema(2 ** 31 - 1).optional(),
    description: 'One list; wins over search.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).optional(),
    description: 'Customer-side list id; wins over cdlc_id and search.',
  },
  search: {
    rest: 'search',
    tool: 'search',
    schema: text(200).optional(),
    description: 'Text in name or file name, whatever its case and accents; only without ctid and cdlc_id.',
    toolDescription: 'Text in name or file; without ctid and cdlc_id.',
  },
  list: {
    rest: 'list',
    tool: 'list',
    schema: wordChoiceSchema(['1', '0', 'all']).default('1'),
    description:
      '1 active lists, 0 inactive ones, all. Absent with setactive=1 and one of ctid, cdlc_id, search: all.',
    toolDescription: '1 active, 0 inactive, all.',
  },
  active: {
    rest: 'setactive',
    schema: flag().optional(),
    description:
      '1 or 0: sets the flag of every list that matches, whatever maxreg says, and answers with the new flags.',
  },
  limit: {
    rest: 'maxreg',
    tool: 'max_records',
    schema: int(1, 100_000).default(100),
    description: 'Lists at most.',
  },
});

/** A database error is 500, which every operation shares (spec 7). */
const listErrors = {} as const satisfies DeclaredErrors;

type ListRequestContext = RequestContext<typeof listParams, typeof listErrors>;

export const GetDestinationsListOperation = defineOperation({
  name: 'GetDestinationsList',
  section: '4.7',
  topic: 'lists',
  summary: 'Destination lists, newest first; setactive switches all that match on or off.',
  permission: 'telephony',
  creates: false,
  params: listParams,
  errors: listErrors,
  answer: { fields: emptyObjectSchema, beside: z.object({ lists: z.array(destinationListApiRecordSchema) }) },
  tools: [
    {
      name: 'get_destination_bases',
      title: 'Look up destination lists',
      description:
        'Destination lists, newest first; cdlc_id is what create_campaign takes. Changes nothing. Inactive ones' +
        ' with list "0" or "all".',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      example: { search: 'customers', max_records: 20 },
    },
  ],
  failure: { fields: {}, beside: { lists: [] } },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', search: 'customers' },
    response: {
      return: { status: 'OK', status_code: '0' },
      lists: [
        {
          cdlc_id: 1, cdlc_active: 1, cdlc_ctid: '', cdlc_name: 'Customers', cdlc_file: '',
          cdlc_date: '2026-11-20', cdlc_num: 3,
        },
      ],
    },
  }, // prettier-ignore

  async handle(ctx) {
    const { account, params, services } = ctx;
    const write = (row: DestinationListRow) => formatDestinationListRecord(row, account.time_zone);
    if (params.active === undefined && params.limit > rowsPerStreamedRead)
      return { stream: longAnswer(ctx, write) };
    const pool = services.database(account.shard);
    const query = queryOf(ctx);
    const rows =
      params.active === undefined
        ? await findDestinationLists(pool, { ...query, limit: params.limit })
        : await setListsActive(pool, query, params.active);
    if (rows.length === 0 && (query.id !== undefined || (query.correlation ?? '') !== ''))
      await assertAbsenceCertain(services, account.shard);
    return { beside: { lists: rows.map(write) } };
  },
});

const longAnswer = (
  ctx: ListRequestContext,
  write: (row: DestinationListRow) => unknown,
): AsyncIterable<string> => {
  const { account, params, services, warnings } = ctx;
  const query = queryOf(ctx);
  return streamPagesAsJson({
    ...{ key: 'lists', most: params.limit, write },
    beside: () => formatWarningField(warnings),
    read: (page) => findDestinationLists(services.longReads(account.shard), { ...query, ...page }),
  });
};

const queryOf = (ctx: ListRequestContext): AccountDestinationListsQuery => ({
  account: ctx.account.id,
  ...activeOf(ctx),
  ...whichOf(ctx.params),
});

/**
 * Who switches named lists on means inactive ones, and the default would leave them out. Where none is named it stays:
 * an id that was lost on the way must not switch on everything.
 */
const activeOf = ({ params, provided }: ListRequestContext): Pick<AccountDestinationListsQuery, 'active'> => {
  const isNamed = Object.keys(whichOf(params)).length > 0;
  const switchesOn = params.active === true && isNamed && !provided.has('list');
  return params.list === 'all' || switchesOn ? {} : { active: params.list === '1' };
};

const whichOf = (
  params: ListRequestContext['params'],
): Pick<AccountDestinationListsQuery, 'correlation' | 'id' | 'search'> => {
  if (params.correlation !== undefined) return { correlation: params.correlation };
  if (params.id !== undefined) return { id: params.id };
  return params.search === undefined ? {} : { search: params.search };
};
