/** `GET /now`: what the console's first page shows, once. The stream's topic `now` tells the same as it changes. */
import * as z from 'zod';
import { route } from '../declare.ts';
import { anyObject, at } from '../fields.ts';

const rows = z.array(anyObject);
const minutes = z.array(z.int());

export const nowRoutes = {
  'GET /now': route({
    role: 'operator',
    summary: "Shows what the console's first page shows: what needs attention, what runs, and the last hour.",
    answer: z.object({
      at,
      shards: z.array(z.string()).describe('Why shards are not served here, a sentence each.'),
      states: rows.describe('Machines that have not ended, by kind and state.'),
      hour: z
        .object({ from: at, attempts: minutes, answers: minutes, failed: minutes })
        .describe('The last hour of calls, a number for each minute.'),
      outcomes: rows.describe('Messages and deliveries of the last hour, by channel and state.'),
      deadLetters: rows,
      troubled: rows.describe('Machines that an operator should look at.'),
      campaigns: rows,
      nodes: rows,
      checks: rows.describe('As in `GET /health`.'),
      accounts: z.record(z.string(), z.string()).describe('Names of accounts by their ids.'),
      here: anyObject.describe(
        'The node that answers: steps a second, how late timers fire, callbacks that wait.',
      ),
    }),
    example: {
      answer: {
        ...{ at: 1_795_325_744_421, shards: [], states: [{ kind: 'call', state: 'dialing', count: 2 }] },
        hour: { from: 1_795_322_100_000, attempts: [0, 2], answers: [0, 1], failed: [0, 0] },
        outcomes: [{ channel: 'sms', state: 'delivered', count: 3 }],
        ...{ deadLetters: [], troubled: [], campaigns: [], accounts: { 3: 'Demo' } },
        nodes: [
          {
            shard: 'a',
            name: 'one',
            started_at: 1_795_325_744_421,
            beat_at: 1_795_325_844_421,
            lost_at: null,
          },
        ],
        checks: [{ name: 'database', ok: true, detail: 'answers' }],
        here: { node: 'one', stepsPerSecond: 12, timerLagMs: 3, callbacksWaiting: 0 },
      },
    },
    handle: async ({ deps }) => (await deps.overview.read()) as never,
  }),
};
