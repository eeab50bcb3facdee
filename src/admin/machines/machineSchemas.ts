/** Machines as the routes answer them. */
import * as z from 'zod';
import { attentionInWordsSchema } from '../explained/attentionInWords.ts';
import { anyObject, at } from '../fieldSchemas.ts';

/** A machine in a list. */
export const row = z.object({
  id: z.string().describe('`<shard>_<number>`.'),
  account: z.int(),
  kind: z.string().describe('call, campaign, message, template, delivery or line.'),
  title: z
    .string()
    .nullable()
    .describe('The number of a call or a message, the name of a campaign or a template; null: it has none.'),
  version: z.int(),
  revision: z.int(),
  state: z.string(),
  wake_at: at.nullable().describe('When it does something by itself; null: it waits for an event.'),
  held_by: z.int().describe('The process that holds it.'),
  attention: z.string().nullable().describe('Why an operator should look at it; null: no need.'),
  attention_in_words: attentionInWordsSchema.nullable(),
  created_at: at,
  ended_at: at.nullable(),
});

/** One event that a machine took. */
export const machineHistoryEntrySchema = z.object({
  revision: z.int(),
  at,
  event: z.string(),
  payload: z.unknown(),
  ended: z
    .array(
      z.object({
        id: z.string().describe('`<revision>.<place>` of the event that asked for it.'),
        name: z.string(),
        outcome: z.enum(['accepted', 'failed', 'unknown']).describe('What its provider said.'),
        tries: z.int().describe('How often it was begun.'),
        ms: z
          .int()
          .nullable()
          .describe('Milliseconds from its last beginning to its end; null: it waited to be tried again.'),
      }),
    )
    .describe('Effects that ended with it, or since the event before.'),
  state: z.string(),
  asked: z.array(z.string()).describe('Effects and timers that it asked for.'),
  taken: z
    .array(z.int())
    .describe(
      "Transitions taken, in order: places in the list of its chart's version. Empty: none, or an older release wrote it.",
    ),
});

export const machineHistoryEntryExample = {
  ...{ revision: 1, at: 1_795_325_744_421, event: 'started', payload: null, ended: [] },
  ...{ state: 'preparing', asked: ['prepareAudio'], taken: [1] },
};

/** A machine as a whole. */
export const machineSchema = z.object({
  id: z.string(),
  shard: z.string(),
  account: z.int(),
  kind: z.string(),
  version: z.int(),
  revision: z.int(),
  state: z.string(),
  milestones: z.array(z.string()),
  context: anyObject.describe('What it remembers; open, and of its own form for each kind.'),
  pending: z.boolean().describe('It has not taken its first step.'),
  agenda: z
    .array(
      z.object({
        what: z.enum(['timer', 'effect']),
        id: z.string(),
        name: z.string(),
        dueAt: at,
        tries: z.int().optional(),
        isWaiting: z
          .boolean()
          .optional()
          .describe('Of an effect: it is not under way, and `dueAt` is when it is tried again.'),
        params: anyObject.optional(),
      }),
    )
    .describe('What is still owed, earliest first.'),
  wakeAt: at.nullable(),
  heldBy: z.int(),
  attention: z.string().nullable(),
  attention_in_words: attentionInWordsSchema.nullable(),
  createdAt: at,
  endedAt: at.nullable(),
  history: z
    .array(machineHistoryEntrySchema)
    .describe('Oldest first, 500 at a time; the rest by `?after=<revision>`.'),
  record: anyObject.nullable().describe('Its row in the table of its kind; null: there is none.'),
});

/** What became of an event. */
export const sent = z.object({
  outcome: z.enum(['stepped', 'left']).describe('left: another node holds it and hears it in a moment.'),
  state: z.string().optional(),
  ignored: z
    .literal(true)
    .optional()
    .describe('It changed nothing: the machine does not take it in this state.'),
});

/** A call in a list. */
export const machineRowExample = {
  ...{ id: 'a_746512037707776', account: 3, kind: 'call', title: '5511987650000' },
  ...{ version: 1, revision: 3, state: 'talking' },
  ...{ wake_at: null, held_by: 1, attention: null, attention_in_words: null },
  ...{ created_at: 1_795_325_744_421, ended_at: null },
};

/** Why a machine waits. */
export const machineExplanationSchema = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  ended: z.boolean(),
  reasons: z
    .array(
      z.object({
        rule: z.string().describe('A word for the rule: `window`, `blocklist`, `retry` and others.'),
        detail: z.string(),
        at,
        until: at.optional().describe('Absent: for good.'),
        open: z.boolean().describe('It still holds.'),
      }),
    )
    .describe('Rules that refused, postponed or retried something, oldest first.'),
  waitsFor: z
    .array(
      z.object({
        what: z.enum(['timer', 'effect']),
        id: z.string(),
        name: z.string(),
        until: at,
        tries: z.int().optional(),
      }),
    )
    .describe('What it waits for now, earliest first.'),
  attention: z.string().nullable(),
  sandbox: z.literal(true).optional().describe('A sandbox carries it.'),
  callbacks: z
    .object({
      delivery_id: z.string(),
      state: z.string(),
      cd_returl: z.int().describe('0 pending, +attempts delivered, -attempts given up.'),
      waiting: z.int(),
      last_error: z.string(),
    })
    .optional()
    .describe('The delivery that brings its events to who is told of them.'),
  sentences: z.array(z.string()).describe('For people.'),
});
