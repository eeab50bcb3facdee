/** What the console's first page shows, as the routes and the stream answer it. */
import * as z from 'zod';
import { lastErrorInWordsSchema } from '../deliveries/lastErrorInWords.ts';
import { attentionInWordsSchema } from '../explained/attentionInWords.ts';
import { at } from '../fieldSchemas.ts';

const count = z.int();
const shard = z.string();
const minutes = z.array(count);

const states = z
  .array(z.object({ kind: z.string(), state: z.string(), count }))
  .describe('Machines that have not ended, by kind and state.');

const hour = z
  .object({
    from: at,
    attempts: minutes,
    answers: minutes,
    drops: minutes.describe('Answered, to be passed on, and not taken by the other side.'),
    failed: minutes.describe('Without a way to the person.'),
  })
  .describe('The last hour of calls, a number for each minute.');

const outcomes = z
  .array(
    z.object({
      shard,
      channel: z.string().describe("A message's channel; `callback`, or another purpose of a delivery."),
      state: z.string(),
      count,
    }),
  )
  .describe('Messages and deliveries that began since `hour.from`, by channel and state.');

const deadLetters = z
  .array(
    z.object({
      shard,
      account_id: z.int(),
      target: z.string(),
      count,
      last_error: z.string(),
      last_error_in_words: lastErrorInWordsSchema,
      since: at.describe('When the oldest of them began, epoch milliseconds.'),
    }),
  )
  .describe('By account and receiver.');

const troubled = z
  .array(
    z.object({
      id: z.string(),
      account: z.int(),
      kind: z.string(),
      state: z.string(),
      attention: z.string().describe('Why.'),
      attention_in_words: attentionInWordsSchema,
      created_at: at,
    }),
  )
  .describe('Machines that an operator should look at.');

const balances = z
  .array(
    z.object({
      shard,
      account_id: z.int(),
      amount: z.int().describe('What is left, ten-thousandths of the currency.'),
      spent: z.int().describe('What was taken within the last day; where much was booked, at least this.'),
    }),
  )
  .describe('Balances that are less than what was taken from them within the last day.');

const rejected = z
  .array(
    z.object({
      shard,
      account_id: z.int(),
      id: z.int(),
      name: z.string(),
      reason: z.string().describe('As the upstream said it; empty: it gave none.'),
      since: at.describe('When it was edited last, epoch milliseconds.'),
    }),
  )
  .describe('Templates that were rejected, and not removed since.');

const queues = z
  .array(
    z.object({
      shard,
      account_id: z.int(),
      id: z.int(),
      name: z.string(),
      waiting: count.describe('Callers who wait.'),
      talking: count.describe('Those who talk with a member.'),
    }),
  )
  .describe('Queues with callers, those with the most who wait first.');

const campaigns = z
  .array(
    z.object({
      shard,
      account_id: z.int(),
      id: z.int(),
      name: z.string(),
      state: z.string().describe('loading, active or paused.'),
      phase: z.string(),
      reason: z.string(),
      calls_per_minute: z.int().nullable().describe('Null: as many as the carrier bears.'),
      destinations: z.int(),
      skipped: z.int(),
      made: z.int(),
      answered: z.int(),
      ended: z.int(),
      date_end: z.string(),
      time_end: z.string(),
      time_zone: z.string().describe('Of its account.'),
      forecast: z
        .object({
          ends: z.enum(['completed', 'limitReached', 'expired', 'truncated']),
          ends_at: at,
          unreached: count.describe('Destinations that are not dialled by then.'),
          as_of: at.describe('When this was played ahead.'),
        })
        .nullable()
        .describe('How it will end at its pace; null: not played ahead yet, or it does not dial.'),
    }),
  )
  .describe('Those that are not over.');

const nodes = z
  .array(
    z.object({
      shard,
      name: z.string(),
      started_at: at,
      beat_at: at.describe('When it said last that it lives, epoch milliseconds.'),
      lost_at: at.nullable().describe('When others declared it dead; null: it runs, as far as they know.'),
    }),
  )
  .describe('Those that run, and those that were lost within the hour.');

const here = z
  .object({
    node: z.string(),
    stepsPerSecond: z.int().describe('In the last whole second.'),
    timerLagMs: z
      .number()
      .nullable()
      .describe('How late its timers fired at worst in the last ten seconds; null: none fired.'),
    callbacksWaiting: z.int(),
  })
  .describe('The node that answers.');

export const consoleOverviewSchema = z.object({
  at,
  shards: z.array(z.string()).describe('Why shards are not served here, a sentence each.'),
  ...{ states, hour, outcomes, deadLetters, troubled, campaigns, nodes, balances, rejected, queues },
  checks: z
    .array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() }))
    .describe('As in `GET /health`.'),
  accounts: z.record(z.string(), z.string()).describe('Names of accounts by their ids.'),
  here,
});
