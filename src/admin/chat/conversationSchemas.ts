/** Conversations as the routes and the stream answer them. */
import * as z from 'zod';
import { at, nextPageFieldsSchema } from '../fieldSchemas.ts';

const summary = z.object({
  cdcs_id: z.int(),
  v8l_id: z.int(),
  v8l_class: z.string().describe('Empty: the line is gone.'),
  contact: z.string().describe("The upstream's id of a person."),
  contact_ref: z
    .string()
    .optional()
    .describe('Where numbers are masked: stands for `contact` in paths and topics.'),
  name: z.string(),
  heard_at: at,
  open: z.boolean().describe('It was heard of within 24 hours: text arrives. Else only a template does.'),
  open_until: at,
  last_text: z.string(),
  last_type: z.string(),
});

const message = z.object({
  direction: z.enum(['in', 'out']),
  id: z.string().describe("The upstream's id of what came in; `cdls_id` of what was sent."),
  at,
  mtype: z.string(),
  text: z.string(),
  status: z.string().describe('How far it came; empty: it came in.'),
  status_text: z.string(),
  delivered_at: at.nullable(),
  read_at: at.nullable(),
});

/** A page of people. */
export const conversationPageSchema = z.object({
  conversations: z.array(summary),
  ...nextPageFieldsSchema.shape,
});

/** A conversation with a page of its messages, newest first. */
export const openedConversationSchema = summary.extend({
  messages: z.array(message),
  ...nextPageFieldsSchema.shape,
});

/** One that is true. */
export const conversationSummaryExample = {
  ...{ cdcs_id: 3, v8l_id: 1, v8l_class: 'msgapp', contact: '5511987650000', name: 'Ana' },
  ...{ heard_at: 1_795_325_744_421, open: true, open_until: 1_795_412_144_421 },
  ...{ last_text: 'Oi', last_type: 'text' },
};
