/** Who runs, and how all of it fares. */
import * as z from 'zod';
import { runningNodes } from '../../store/reads/machines/nodes.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { at } from '../fieldSchemas.ts';

export const nodeRoutes = {
  'GET /nodes': defineRoute({
    role: 'operator',
    summary: 'Lists the nodes of each shard that did not leave.',
    answer: z.object({
      nodes: z.array(
        z.object({
          shard: z.string().describe('The part of the database (shard) that it works on.'),
          name: z.string(),
          started_at: at,
          beat_at: at.describe('When it said last that it lives, epoch milliseconds.'),
        }),
      ),
    }),
    example: {
      answer: {
        nodes: [{ shard: 'a', name: 'one', started_at: 1_795_325_744_421, beat_at: 1_795_325_844_421 }],
      },
    },
    handle: async ({ deps }) => {
      const ofShard = async (shard: string) =>
        (await runningNodes(deps.pool(shard))).map((node) => ({ shard, ...node }));
      return { nodes: (await Promise.all(deps.shards.map(ofShard))).flat() };
    },
  }),
  'GET /health': defineRoute({
    role: 'operator',
    summary: 'Shows the health of the service, as `/mcp/health` does.',
    answer: z.object({
      status: z.string().describe('ok, degraded or down.'),
      service: z.string(),
      version: z.string(),
      uptime_s: z.int(),
      checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
    }),
    also: { 503: 'The service is down.' },
    example: {
      answer: {
        ...{ status: 'ok', service: 'ramal', version: '0.1.0', uptime_s: 100 },
        checks: { database: { ok: true, detail: 'answers' } },
      },
    },
    handle: async ({ deps, status }) => {
      const { ok, body } = await deps.health();
      if (!ok) status(503);
      return body;
    },
  }),
};
