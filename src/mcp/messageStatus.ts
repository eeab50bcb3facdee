/** What became of a message of the account (spec 2.2), and what to do about it. */
import * as z from 'zod';
import { int } from '../operations/parameterValueSchemas.ts';
import type { Services } from '../operations/services.ts';
import { type MessageRow, findMessageById } from '../store/reads/sms/messageLog.ts';
import { formatMessageHistory, formatMessageRecord } from '../wire/messageRecord.ts';
import { toolSuccess, customTool } from './defineCustomTool.ts';
import {
  explanationLanguageParam,
  type ExplainAndForecastService,
  type MessageInsight,
} from './explainAndForecastContract.ts';
import { toolFailure, type Json, type Tool } from './tool.ts';
import { defineParams } from '../operations/param.ts';

const answer = z.object({
  cdls_id: z.string(),
  channel: z.string(),
  dest: z.string(),
  ctid: z.string(),
  state: z
    .enum(['accepted', 'submitted', 'acknowledged', 'delivered', 'read', 'failed', 'undelivered', 'unknown'])
    .describe('How far it came.'),
  reason: z.string().describe('What the upstream said; empty: nothing.'),
  explanation: z.array(z.string()).describe('How it stands, and why.'),
  history: z.array(z.object({ status: z.string(), at: z.string() })),
  value: z.string().describe('Its price, with a comma.'),
  next: z.string().describe('What to do.'),
  time_zone: z.string(),
});

const statusParams = defineParams({
  message: {
    rest: 'cdls_id',
    tool: 'cdls_id',
    toolShape: { type: 'string' },
    schema: int(1, Number.MAX_SAFE_INTEGER).optional(),
    description: 'The message, as the tool that sent it said.',
  },
  language: explanationLanguageParam,
});

export const messageStatusTool = (
  { database }: Pick<Services, 'database'>,
  { message: explain }: Pick<ExplainAndForecastService, 'message'>,
): Tool =>
  customTool({
    name: 'get_message_status',
    title: 'Look up a message',
    description:
      'How far an SMS or chat message came: taken, delivered, read, failed and why; next says what to do. Changes nothing.',
    // A token that may send by any channel may look.
    permission: 'sms',
    orPermissions: ['msgapp', 'pagechat', 'photodm'],
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    params: statusParams,
    requires: ['message'],
    answer,
    example: { cdls_id: '746511306801152' },
    async handle({ message: id = 0, language }, { caller: { account, token } }) {
      const row = await findMessageById(database(account.shard), account.id, id);
      if (!row || !mayRead(token.permissions, row))
        return toolFailure(404, `cdls_id ${id} is not a message that this token may read`);
      return toolSuccess(told(row, explain(account, row, language), account.time_zone));
    },
  });

/** A token for one channel reads its messages only. */
const mayRead = (permissions: unknown, { channel }: MessageRow): boolean =>
  (permissions as { apis?: Record<string, unknown> } | null)?.apis?.[channel] === true;

const told = (row: MessageRow, { sentences, next }: MessageInsight, zone: string): Json => {
  const { channel, dest, ctid, status_text, cdls_value } = formatMessageRecord(row, zone);
  return {
    ...{ cdls_id: String(row.id), channel, dest, ctid, state: row.state, reason: status_text },
    explanation: sentences,
    history: formatMessageHistory(row, zone),
    ...{ value: cdls_value, next, time_zone: zone },
  };
};
