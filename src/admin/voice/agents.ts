/** Agents (ccba): people or AIs that take second legs. */
import * as z from 'zod';
import type { CallQueueMember } from '../../../machines/contracts/targetResolutionAndQueue.ts';
import type { Agent, Prisma } from '../../generated/prisma/client.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import {
  at,
  documentSchemaLike,
  name,
  redactableFieldSchema,
  text,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, omitUndefined } from '../adminErrorsAndRequestParsing.ts';
import {
  updateQueueOrAgentMachine,
  closeQueueOrAgentMachine,
  type QueueOrAgentMachineSetup,
  newQueueOrAgentId,
  startQueueOrAgentMachine,
} from './queueAndAgentMachines.ts';

const fields = z.strictObject({
  name: name.optional(),
  kind: z.enum(['sip', 'websocket']),
  target: text(500).min(1).describe('A SIP URI or a web-socket URL; `uri` and `url` are taken too.'),
  headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), text(2000)).optional(),
  active: booleanFieldSchema.optional(),
  concurrent_limit: z.int().min(1).max(1000).optional(),
});

/** A target may also be named for what it is. */
const changes = documentSchemaLike(
  fields.partial(),
  z.preprocess((value) => {
    if (typeof value !== 'object' || value === null) return value;
    const { uri, url, ...rest } = value as Record<string, unknown>;
    const target = rest['target'] ?? uri ?? url;
    return target === undefined ? rest : { ...rest, target };
  }, fields.partial()),
);

/** What was given is checked before what is missing. */
const whole = documentSchemaLike(
  fields,
  changes.pipe(fields as unknown as z.ZodType<z.output<typeof fields>, z.output<typeof changes>>),
);

const record = z.object({
  ccba_id: z.int(),
  cdcs_id: z.int(),
  name: z.string(),
  kind: z.string().describe('sip or websocket.'),
  target: z.string(),
  headers: redactableFieldSchema(z.record(z.string(), z.string())),
  active: z.boolean(),
  concurrent_limit: z.int().describe('Callers at a time.'),
  created_at: at,
});

const table = accountScopedTable((database) => database.agent);

const show = ({ account_id, id, ...agent }: Agent) => ({
  ccba_id: id,
  cdcs_id: account_id,
  ...agent,
  headers: agent.headers as Record<string, string>,
});

export const agentRoutes = defineCrudRoutes({
  at: '/accounts/:account/agents',
  id: 'id',
  what: 'agent',
  many: 'agents',
  scope: accountInPath,
  record,
  example: {
    ...{ ccba_id: 7, cdcs_id: 3, name: 'Ana', kind: 'sip', target: 'sip:ana@agents.example', headers: {} },
    ...{ active: true, concurrent_limit: 1, created_at: 1_795_325_744_421 },
  },
  show,
  find: table.find,
  create: {
    summary: 'Makes an agent.',
    body: whole,
    example: { body: { name: 'Ana', kind: 'sip', target: 'sip:ana@agents.example' } },
    handle: async ({ deps, account, body }) => {
      const target = checkedTarget(body.kind, body.target);
      const id = await newQueueOrAgentId(deps);
      const agent: Agent = {
        account_id: account.id,
        id,
        name: body.name ?? `agent ${id}`,
        kind: body.kind,
        target,
        headers: body.headers ?? {},
        active: body.active ?? true,
        concurrent_limit: body.concurrent_limit ?? 1,
        created_at: BigInt(deps.now()),
      };
      await startQueueOrAgentMachine(deps, account, id, lineOf(agent));
      await deps.database(account.shard).agent.create({
        data: { ...agent, headers: agent.headers as Prisma.InputJsonObject },
      });
      return show(agent);
    },
  },
  list: {
    summary: 'Lists the agents of an account by id.',
    rows: async (request) => ({ rows: await table.rows(request) }),
  },
  change: {
    summary: 'Changes an agent.',
    body: changes,
    example: { body: { active: false } },
    handle: async ({ deps, account, body, row }) => {
      const agent = await row();
      checkedTarget(body.kind ?? agent.kind, body.target ?? agent.target);
      const where = { account_id_id: { account_id: account.id, id: agent.id } };
      const changed = await deps.database(account.shard).agent.update({ where, data: omitUndefined(body) });
      await updateQueueOrAgentMachine(deps, account, agent.id, lineOf(changed));
      return show(changed);
    },
  },
  remove: {
    summary: 'Deletes an agent; callers that it talks to go on talking.',
    handle: async ({ deps, account }, { account_id, id }) => {
      await deps.database(account.shard).agent.delete({ where: { account_id_id: { account_id, id } } });
      await closeQueueOrAgentMachine(deps, account, id);
      return true;
    },
  },
});

/** A SIP URI or a web-socket URL, as the kind wants it. */
const checkedTarget = (kind: string, target: string): string => {
  const good = kind === 'sip' ? /^sips?:[^\s,]+$/i.test(target) : /^wss?:\/\/[^\s]+$/i.test(target);
  if (good) return target;
  const wish = kind === 'sip' ? 'a SIP URI, sip:user@host' : 'a web-socket URL, ws:// or wss://';
  throw new AdminError(400, `target: must be ${wish}`, { field: 'target' });
};

const lineOf = (agent: Agent): QueueOrAgentMachineSetup => ({
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

const endpointOf = ({ kind, target, headers }: Agent): CallQueueMember['endpoint'] =>
  kind === 'sip'
    ? { kind: 'sip', uri: target }
    : { kind: 'websocket', url: target, headers: headers as Record<string, string> };
