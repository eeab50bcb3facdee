/** Agents (ccba): people or AIs that take second legs. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { LineMember } from '../../machines/contracts/target.ts';
import type { Agent, Prisma } from '../generated/prisma/client.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { name, text, yesNo } from './fields.ts';
import { changeLine, closeLine, type LineSetup, newLineId, startLine } from './lines.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';

const fields = z.strictObject({
  name: name.optional(),
  kind: z.enum(['sip', 'websocket']),
  target: text(500).min(1),
  headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), text(2000)).optional(),
  active: yesNo.optional(),
  concurrent_limit: z.int().min(1).max(1000).optional(),
});

/** A target may also be named for what it is. */
const body = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null) return value;
  const { uri, url, ...rest } = value as Record<string, unknown>;
  const target = rest['target'] ?? uri ?? url;
  return target === undefined ? rest : { ...rest, target };
}, fields.partial());

export const agentRoutes = (router: Router, door: AdminDoor): void => {
  const agentsOf = (shard: string) => door.database(shard).agent;
  const find = async (shard: string, account_id: number, text: string | undefined): Promise<Agent> => {
    const id = pathId(text, 'agent');
    const row =
      id < 2 ** 31 && (await agentsOf(shard).findUnique({ where: { account_id_id: { account_id, id } } }));
    if (!row) throw notFound(`agent ${text}`);
    return row;
  };

  router.post('/accounts/:account/agents', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const asked = read(fields, read(body, ctx.request.body));
    const id = await newLineId(door);
    const agent: Agent = {
      account_id: account.id,
      id,
      name: asked.name ?? `agent ${id}`,
      kind: asked.kind,
      target: checkedTarget(asked.kind, asked.target),
      headers: asked.headers ?? {},
      active: asked.active ?? true,
      concurrent_limit: asked.concurrent_limit ?? 1,
      created_at: BigInt(door.now()),
    };
    await startLine(door, account, id, lineOf(agent));
    await agentsOf(account.shard).create({
      data: { ...agent, headers: agent.headers as Prisma.InputJsonObject },
    });
    ctx.status = 201;
    ctx.body = show(agent);
  });

  router.get('/accounts/:account/agents', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const agents = await agentsOf(shard).findMany({ where: { account_id }, orderBy: { id: 'asc' } });
    ctx.body = { agents: agents.map(show) };
  });

  router.get('/accounts/:account/agents/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = show(await find(account.shard, account.id, ctx.params['id']));
  });

  router.patch('/accounts/:account/agents/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const asked = read(body, ctx.request.body);
    const agent = await find(account.shard, account.id, ctx.params['id']);
    checkedTarget(asked.kind ?? agent.kind, asked.target ?? agent.target);
    const where = { account_id_id: { account_id: account.id, id: agent.id } };
    const changed = await agentsOf(account.shard).update({ where, data: given(asked) });
    await changeLine(door, account, agent.id, lineOf(changed));
    ctx.body = show(changed);
  });

  router.delete('/accounts/:account/agents/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const agent = await find(account.shard, account.id, ctx.params['id']);
    await agentsOf(account.shard).delete({
      where: { account_id_id: { account_id: account.id, id: agent.id } },
    });
    await closeLine(door, account, agent.id);
    ctx.status = 204;
  });
};

/** A SIP URI or a web-socket URL, as the kind wants it. */
const checkedTarget = (kind: string, target: string): string => {
  const good = kind === 'sip' ? /^sips?:[^\s,]+$/i.test(target) : /^wss?:\/\/[^\s]+$/i.test(target);
  if (good) return target;
  const wish = kind === 'sip' ? 'a SIP URI, sip:user@host' : 'a web-socket URL, ws:// or wss://';
  throw new AdminError(400, `target: must be ${wish}`, { field: 'target' });
};

const lineOf = (agent: Agent): LineSetup => ({
  strategy: 'ringall',
  active: agent.active,
  members: [
    {
      member: String(agent.id),
      endpoint: endpointOf(agent),
      penalty: 0,
      active: true,
      capacity: agent.concurrent_limit,
    },
  ],
});

const endpointOf = ({ kind, target, headers }: Agent): LineMember['endpoint'] =>
  kind === 'sip'
    ? { kind: 'sip', uri: target }
    : { kind: 'websocket', url: target, headers: headers as Record<string, string> };

const show = ({ account_id, id, ...agent }: Agent) => ({ ccba_id: id, cdcs_id: account_id, ...agent });
