/** Receivers of deliveries as the routes and the stream answer them. */
import * as z from 'zod';
import { at } from '../fieldSchemas.ts';
import { lastErrorInWordsSchema } from './lastErrorInWords.ts';

const receiver = z.object({
  cdcs_id: z.int(),
  account: z.string().describe('Its name.'),
  target: z.string().describe('As records of deliveries write it.'),
  attempting: z.int(),
  retrying: z.int().describe('Wait for another attempt, or for their turn.'),
  waiting: z.int().describe('Events behind those.'),
  dead: z.int().describe('Dead letters.'),
  dead_since: at.nullable().describe('When the oldest of them began.'),
  last_error: z.string(),
  last_error_in_words: lastErrorInWordsSchema,
  next_at: at.nullable(),
  health: z
    .object({
      state: z.enum(['closed', 'open', 'half']).describe('open: nothing is sent until `next_at`.'),
      failures: z.int().describe('Since the last success.'),
      usual_ms: z.number(),
      next_at: at.nullable(),
    })
    .nullable()
    .describe('As the process that answers knows it; null: it has sent nothing there.'),
});

/** All of them. */
export const deliveryReceiverStatusesSchema = z.object({ receivers: z.array(receiver) });
