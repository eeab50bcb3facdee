/** Deliveries: their records, and dead letters sent again. One by itself is a machine (`/machines/:id/events`). */
import * as z from 'zod';
import { findDeadLetterIds } from '../../store/reads/deliveries/deliveryProfilesAndCampaignCalls.ts';
import { type DeliveryRow, findDeliveries } from '../../store/reads/deliveries/deliveryRecords.ts';
import { readCallId, writeCallId } from '../../wire/callId.ts';
import { lastErrorInWords, lastErrorInWordsSchema } from './lastErrorInWords.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { machineNotBegunSentence } from '../explained/callbackAndUnstartedSentences.ts';
import {
  at,
  dateTimeFieldSchema,
  nextPageFieldsSchema,
  pageWithCursor,
  queryMoment,
  text,
} from '../fieldSchemas.ts';
import { parsePathId } from '../adminErrorsAndRequestParsing.ts';

const pageSize = 200;
/** Dead letters sent again at a time, and by one request. */
const replayPage = 500;
const replayMost = 10_000;

const target = text(2_000).describe('Only those that go there, as their records write it.');

const states = [
  ...['pending', 'attempting', 'idle', 'retrying', 'deferred'],
  ...['deadLetter', 'delivered', 'givenUp'],
] as const;

const filters = z.object({
  state: z.enum(states).optional(),
  /** The call, message or campaign that it is about: `a_123`, or its number. */
  about: z.string().max(40).optional(),
  target: target.optional(),
  since: queryMoment.optional(),
  until: queryMoment.optional(),
  cursor: z.string().optional(),
});

const replay = z.object({
  since: dateTimeFieldSchema.optional().describe('When they began: from this moment on.'),
  until: dateTimeFieldSchema.optional().describe('When they began: before this moment.'),
  target: target.optional(),
  after: z
    .string()
    .regex(/^\d{1,16}$/, 'is none that was answered')
    .optional()
    .describe('As it was answered to the request before, to go on from there.'),
  most: z.int().min(1).max(replayMost).default(replayMost),
});

const record = z.object({
  delivery_id: z.string(),
  cdcs_id: z.int(),
  created_at: at,
  purpose: z.string(),
  subject: z.string(),
  target: z.string(),
  about_id: z.int().describe('The number of the call, message or campaign.'),
  state: z.string().describe(states.join(', ')),
  attempts: z.int(),
  result: z.int().describe('0 pending, +attempts delivered, -attempts given up.'),
  waiting: z.int(),
  last_error: z.string(),
  last_error_in_words: lastErrorInWordsSchema,
  next_at: at.nullable(),
  delivered_at: at.nullable(),
  finished: z.boolean(),
  reason: z.string().describe('Why it has not begun; empty: it has.'),
});

export const deliveryRoutes = {
  'GET /accounts/:account/deliveries': defineRoute({
    role: 'operator',
    summary: 'Lists deliveries of an account, newest first: callbacks, and files of results.',
    scope: accountInPath,
    query: filters,
    answer: z.object({ deliveries: z.array(record), ...nextPageFieldsSchema.shape }),
    example: {
      query: { state: 'deadLetter' },
      answer: {
        deliveries: [
          {
            ...{ delivery_id: 'a_746512037707778', cdcs_id: 3, created_at: 1_795_325_744_421 },
            ...{ purpose: 'callback', subject: 'call', target: 'https://crm.example/ramal' },
            ...{ about_id: 746_512_037_707_776, state: 'deadLetter', attempts: 12, result: -12 },
            ...{ waiting: 0, last_error: 'notNow: it answered HTTP 500', next_at: null, delivered_at: null },
            last_error_in_words: lastErrorInWords('notNow: it answered HTTP 500'),
            ...{ finished: true, reason: '' },
          },
        ],
        cursor: null,
      },
    },
    handle: async ({ deps, account: { id: account, shard }, query: { about, cursor, ...filter } }) => {
      const found = await findDeliveries(deps.pool(shard), {
        ...{ account, at: deps.engine.now(shard), limit: pageSize + 1, ...filter },
        about: about === undefined ? undefined : aboutId(about),
        belowId: cursor === undefined ? undefined : parsePathId(cursor, 'cursor'),
      });
      const { rows, cursor: next } = pageWithCursor(found, pageSize);
      return { deliveries: rows.map((row) => shown(shard, account, row)), cursor: next };
    },
  }),
  'POST /accounts/:account/deliveries/replay': defineRoute({
    role: 'operator',
    summary: 'Sends dead letters of an account again, oldest first.',
    description:
      'All of them, or those that began between two moments; 10000 at most. One that is on its way already is not sent' +
      ' beside itself.',
    scope: accountInPath,
    body: replay,
    answer: z.object({
      replayed: z.int(),
      more: z.boolean().describe('There are more than one request takes.'),
      after: z.string().nullable().describe('Where the next request goes on; null: all were taken.'),
    }),
    example: { body: { since: '2026-11-20T00:00:00Z' }, answer: { replayed: 2, more: false, after: null } },
    handle: async ({ deps, account: { id: account, shard }, body }) => {
      const { since = 0, until = Number.MAX_SAFE_INTEGER, target, most } = body;
      let replayed = 0;
      let after = Number(body.after ?? 0);
      for (let left = most; left > 0; left -= replayPage) {
        const limit = Math.min(left, replayPage);
        const query = { account, since, until, target, after, limit };
        const found = await findDeadLetterIds(deps.pool(shard), query);
        const sent = await Promise.all(
          found.map((id) => deps.engine.send({ shard, account, id }, { type: 'replay' })),
        );
        replayed += sent.filter(({ outcome }) => outcome !== 'gone').length;
        if (found.length < limit) return { replayed, more: false, after: null };
        after = found.at(-1)!;
      }
      return { replayed, more: true, after: String(after) };
    },
  }),
};

/** `reason`: why it has not begun; empty: it has. */
const shown = (shard: string, cdcs_id: number, { id, ...row }: DeliveryRow) => ({
  ...{ delivery_id: writeCallId(shard, id), cdcs_id, ...row },
  last_error_in_words: lastErrorInWords(row.last_error),
  reason: row.state === 'pending' ? machineNotBegunSentence(row.last_error) : '',
});

/** What is no id is about nothing. */
const aboutId = (text: string): number => readCallId(text, '')?.id ?? -1;
