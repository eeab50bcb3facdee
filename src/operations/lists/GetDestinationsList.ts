/** Destination lists, newest first; may switch all that match on or off (spec 4.7). */
import * as z from 'zod';
import { findLists, type ListQuery, type ListRow, setListsActive } from '../../store/reads/lists/lists.ts';
import { listRecord, writeListRecord } from '../../wire/listRecord.ts';
import { type Asked, noKeys, operation } from '../declare.ts';
import { flag, int, oneOf, text } from '../fields.ts';
import { besideOf, pageSize, pagesAsText } from '../pagesAsText.ts';
import { params } from '../param.ts';
import type { Errors } from '../refused.ts';

const listParams = params({
  id: {
    rest: 'cdlc_id',
    tool: 'cdlc_id',
    schema: int(0, 2 ** 31 - 1).optional(),
    says: 'One list; wins over search.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).optional(),
    says: 'Customer-side list id; wins over cdlc_id and search.',
  },
  search: {
    rest: 'search',
    tool: 'search',
    schema: text(200).optional(),
    says: 'Text in name or file name, whatever its case and accents; only without ctid and cdlc_id.',
    toolSays: 'Text in name or file; without ctid and cdlc_id.',
  },
  list: {
    rest: 'list',
    tool: 'list',
    schema: oneOf(['1', '0', 'all']).default('1'),
    says: '1 active lists, 0 inactive ones, all. Absent with setactive=1 and one of ctid, cdlc_id, search: all.',
    toolSays: '1 active, 0 inactive, all.',
  },
  active: {
    rest: 'setactive',
    schema: flag().optional(),
    says: '1 or 0: sets the flag of every list that matches, whatever maxreg says, and answers with the new flags.',
  },
  limit: {
    rest: 'maxreg',
    tool: 'max_records',
    schema: int(1, 100_000).default(100),
    says: 'Lists at most.',
  },
});

/** A database error is 500, which every operation shares (spec 7). */
const listErrors = {} as const satisfies Errors;

type ListAsked = Asked<typeof listParams, typeof listErrors>;

export const GetDestinationsList = operation({
  name: 'GetDestinationsList',
  section: '4.7',
  topic: 'lists',
  summary: 'Destination lists, newest first; setactive switches all that match on or off.',
  permission: 'telephony',
  creates: false,
  params: listParams,
  errors: listErrors,
  answer: { fields: noKeys, beside: z.object({ lists: z.array(listRecord) }) },
  tools: [
    {
      name: 'get_destination_bases',
      title: 'Look up destination lists',
      says:
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

  async handle(asked) {
    const { account, params: given, services } = asked;
    const write = (row: ListRow) => writeListRecord(row, account.time_zone);
    if (given.active === undefined && given.limit > pageSize) return { stream: longAnswer(asked, write) };
    const pool = services.database(account.shard);
    const query = queryOf(asked);
    const rows =
      given.active === undefined
        ? await findLists(pool, { ...query, limit: given.limit })
        : await setListsActive(pool, query, given.active);
    return { beside: { lists: rows.map(write) } };
  },
});

const longAnswer = (asked: ListAsked, write: (row: ListRow) => unknown): AsyncIterable<string> => {
  const { account, params: given, services, warnings } = asked;
  const query = queryOf(asked);
  return pagesAsText({
    ...{ key: 'lists', most: given.limit, write },
    beside: () => besideOf(warnings),
    read: (page) => findLists(services.longReads(account.shard), { ...query, ...page }),
  });
};

const queryOf = (asked: ListAsked): ListQuery => ({
  account: asked.account.id,
  ...activeOf(asked),
  ...whichOf(asked.params),
});

/**
 * Who switches named lists on means inactive ones, and the default would leave them out. Where none is named it stays:
 * an id that was lost on the way must not switch on everything.
 */
const activeOf = ({ params, given }: ListAsked): Pick<ListQuery, 'active'> => {
  const isNamed = Object.keys(whichOf(params)).length > 0;
  const switchesOn = params.active === true && isNamed && !given.has('list');
  return params.list === 'all' || switchesOn ? {} : { active: params.list === '1' };
};

const whichOf = (given: ListAsked['params']): Pick<ListQuery, 'correlation' | 'id' | 'search'> => {
  if (given.correlation !== undefined) return { correlation: given.correlation };
  if (given.id !== undefined) return { id: given.id };
  return given.search === undefined ? {} : { search: given.search };
};
