/** Parameters of GetCallStatus (spec 4.13), and what its steps are given. */
import * as z from 'zod';
import { date } from '../campaigns/campaignInput/campaignValueSchemas.ts';
import type { RequestContext } from '../declare.ts';
import {
  basicAuthPasswordFormatProblem,
  basicAuthUserFormatProblem,
  callbackHeadersFault,
} from '../../rules/deliveries/callbackAuthHeaders.ts';
import { flag, int, wordChoiceSchema, checkedTextSchema, text } from '../parameterValueSchemas.ts';
import { defineParams } from '../param.ts';
import type { DeclaredErrors } from '../refused.ts';

const filter = true as const;

/** What is no origin is no mistake either (spec 4.13). */
const origin = text(32)
  .pipe(z.string().regex(/^[a-zA-Z0-9_-]+$/))
  .catch('api')
  .meta({ json: { type: 'string', maxLength: 32 } });

/** By our names; in the order in which the reference shows them. */
export const callStatusParams = defineParams({
  callId: {
    rest: 'cd_id',
    tool: 'cd_id',
    schema: text(40).optional(),
    filter,
    description: 'One call, <cdcs_db>_<numeric>.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).optional(),
    filter,
    description: 'Customer-side id; the text null finds calls without one. Wins over cd_id.',
    toolDescription: 'Customer-side id; null as text: none. Wins over cd_id.',
  },
  campaign: {
    rest: 'cp_id',
    tool: 'cp_id',
    toolShape: { type: 'string' },
    schema: int(0, 2 ** 31 - 1).optional(),
    filter,
    description: 'Campaign id.',
  },
  customerCampaign: {
    rest: 'cpid',
    tool: 'cpid',
    schema: text(64).optional(),
    filter,
    description: 'Customer-side campaign id: the newest campaign with it, else calls placed with it.',
    toolDescription: 'Customer-side campaign id.',
  },
  dateStart: {
    rest: 'date_start',
    aliases: ['dini'],
    tool: 'date_start',
    schema: date().optional(),
    filter,
    description: 'First day, YYYY-MM-DD in the account’s time zone.',
  },
  dateEnd: {
    rest: 'date_end',
    aliases: ['dend'],
    tool: 'date_end',
    schema: date().optional(),
    filter,
    description: 'Last day, YYYY-MM-DD.',
  },
  limit: {
    rest: 'maxreg',
    tool: 'max_records',
    toolShape: { type: 'integer', minimum: -1, maximum: 1_000_000_000, default: 1000 },
    schema: int(1, 1_000_000_000, [-1]).default(1000),
    filter,
    description: 'Records a page; -1 all of them.',
    toolDescription: '10000 at most; -1 as many.',
  },
  after: {
    rest: 'last_id',
    tool: 'last_id',
    toolShape: { type: 'string' },
    schema: int(0, Number.MAX_SAFE_INTEGER).default(0),
    filter,
    description: 'Cursor: next_id of the page before; 0 the first page.',
    toolDescription: 'next_id of the page before.',
  },
  withDigits: {
    rest: 'onlydtmf',
    tool: 'only_dtmf',
    schema: flag().default(false),
    filter,
    description: '1 only calls with captured digits.',
  },
  numberFormat: {
    rest: 'numtype',
    schema: wordChoiceSchema(['0DDD', 'DDD']).optional(),
    description: 'Empty: country, area, number; 0DDD: 0, area, number; DDD: area, number.',
  },
  origin: {
    rest: 'origin',
    schema: origin,
    description: 'Echoed in every record; what is not [a-zA-Z0-9_-]{1,32} becomes api.',
  },
  callbackUrl: {
    rest: 'rurl',
    schema: text(2_000).optional(),
    description:
      'Where the records are posted instead of answered; return.queued tells how many. Signed like status callbacks.',
  },
  callbackMethod: {
    rest: 'rurl_method',
    schema: wordChoiceSchema(['POST', 'GET']).optional(),
    description:
      'POST or GET; the account’s by default. GET is a request for each call, its record in the query.',
  },
  callbackType: {
    rest: 'rurl_type',
    schema: text(20).optional(),
    description:
      'json for one JSON body, the answer itself; else a form for each call. The account’s by default.',
  },
  callbackHeaders: {
    rest: 'rurl_headers',
    schema: checkedTextSchema(8_000, callbackHeadersFault).optional(),
    description:
      'Extra headers, one a line, Header: value. With these or rurl_user the account’s own are not sent.',
  },
  callbackUser: {
    rest: 'rurl_user',
    schema: checkedTextSchema(200, basicAuthUserFormatProblem).optional(),
    description: 'Basic user.',
  },
  callbackPassword: {
    rest: 'rurl_password',
    schema: checkedTextSchema(200, basicAuthPasswordFormatProblem).optional(),
    description: 'Basic password.',
  },
});

/** Only the codes that every operation shares (spec 7). */
/** It refuses nothing of its own. */
export const callStatusErrors = {} as const satisfies DeclaredErrors;

/** What a step of GetCallStatus is given. */
export type CallStatusRequestContext = RequestContext<typeof callStatusParams, typeof callStatusErrors>;
