/** `GET /now`: what the console's first page shows, once. The stream's topic `now` tells the same as it changes. */
import { defineRoute } from '../routeDeclaration.ts';
import { consoleOverviewSchema } from './consoleOverviewSchema.ts';

export const consoleOverviewRoutes = {
  'GET /now': defineRoute({
    role: 'operator',
    summary: "Shows what the console's first page shows: what needs attention, what runs, and the last hour.",
    answer: consoleOverviewSchema,
    example: {
      answer: {
        ...{ at: 1_795_325_744_421, shards: [], states: [{ kind: 'call', state: 'dialing', count: 2 }] },
        hour: { from: 1_795_322_100_000, attempts: [0, 2], answers: [0, 1], drops: [0, 0], failed: [0, 0] },
        outcomes: [{ shard: 'a', channel: 'sms', state: 'delivered', count: 3 }],
        ...{ deadLetters: [], troubled: [], campaigns: [], accounts: { 3: 'Demo' } },
        balances: [{ shard: 'a', account_id: 3, amount: 125_000, spent: 480_000 }],
        ...{
          rejected: [],
          queues: [{ shard: 'a', account_id: 3, id: 7, name: 'Sales', waiting: 4, talking: 2 }],
        },
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
    handle: ({ deps }) => deps.overview.read(),
  }),
};
