/** What happens to an account's calls and messages, for who follows it. */
import * as z from 'zod';
import {
  readAccountEventsAfter,
  type AccountEventRow,
} from '../../store/reads/accounts/callAndMessageEvents.ts';
import { writeCallId } from '../../wire/callId.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { at, neverRefusedQueryField } from '../fieldSchemas.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { accountInPath } from './accountInPath.ts';

const pageSize = 500;
/** Earlier entries are read machine by machine. */
const mostAgoMs = 86_400_000;

const event = z.object({
  id: z.string().describe('The call or message.'),
  kind: z.string(),
  revision: z.int(),
  at,
  event: z.string(),
  state: z.string(),
  channel: z.string().describe('sms, msgapp …; empty: a call.'),
  destination: z.string(),
  outcome: z.string().describe("A call's status, a message's state; empty: not known yet."),
  cursor: z.string().describe('As `?after=` takes it.'),
});

export const eventRoutes = {
  'GET /accounts/:account/events': defineRoute({
    role: 'operator',
    summary: 'Tells what happened to calls and messages of an account, oldest first.',
    scope: accountInPath,
    query: z.object({
      after: neverRefusedQueryField.describe(
        'A cursor of an answer, or epoch milliseconds of the last day; absent: from now on.',
      ),
    }),
    answer: z.object({
      events: z.array(event),
      cursor: z.string().describe('Where the next question begins.'),
      more: z.boolean().describe('There are more by now.'),
    }),
    example: {
      query: { after: '1795325740000' },
      answer: {
        events: [
          {
            ...{ id: 'a_746512037707776', kind: 'call', revision: 3, at: 1_795_325_744_421 },
            ...{ event: 'answered', state: 'talking', channel: '', destination: '5511987650000' },
            ...{ outcome: '', cursor: '1795325744421_746512037707776_3' },
          },
        ],
        cursor: '1795325744421_746512037707776_3',
        more: false,
      },
    },
    handle: async ({ deps, account: { id: account, shard }, query }) => {
      const now = deps.engine.now(shard);
      const after =
        query.after === undefined ? { at: now, machine: 0, revision: 0 } : readCursor(query.after);
      after.at = Math.max(after.at, now - mostAgoMs);
      const rows = await readAccountEventsAfter(deps.pool(shard), { account, after, limit: pageSize });
      return {
        events: rows.map((row) => ({ ...show(shard, row), cursor: cursorOf(row) })),
        cursor: rows.length > 0 ? cursorOf(rows.at(-1)!) : `${after.at}_${after.machine}_${after.revision}`,
        more: rows.length === pageSize,
      };
    },
  }),
};

const show = (shard: string, { id, ...row }: AccountEventRow) => ({ id: writeCallId(shard, id), ...row });

const cursorOf = ({ at, id, revision }: AccountEventRow): string => `${at}_${id}_${revision}`;

const readCursor = (text: unknown): { at: number; machine: number; revision: number } => {
  const match = /^(\d{1,15})(?:_(\d{1,16})_(\d{1,9}))?$/.exec(String(text));
  if (!match) throw new AdminError(400, 'after: is no cursor of ours, and no moment', { field: 'after' });
  const [at, machine, revision] = match.slice(1).map((digits) => Number(digits ?? 0));
  return { at: at!, machine: machine!, revision: revision! };
};
