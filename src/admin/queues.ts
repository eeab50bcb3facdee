/** Contact-centre queues (spec 2.7; decisions "FI leg"). */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { LineMember, LineStrategy } from '../../machines/contracts/target.ts';
import type { Queue } from '../generated/prisma/client.ts';
import { toLocal } from '../lib/localTime.ts';
import { readNumber } from '../rules/voice/numbering.ts';
import { queueSettings } from '../rules/voice/queueSettings.ts';
import type { AccountRow } from '../store/control.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { name, text, yesNo } from './fields.ts';
import { changeLine, closeLine, type LineSetup, newLineId, startLine } from './lines.ts';
import { AdminError, given, type Loose, notFound, pathId, read } from './respond.ts';

/** A member by its number or SIP URI; `target` takes either. */
const member = z
  .strictObject({
    member: text(60).min(1).optional(),
    target: z.union([text(500), z.int()]).optional(),
    number: z.union([text(40), z.int()]).optional(),
    uri: text(500).optional(),
    penalty: z.int().min(0).max(1000).default(0),
    active: yesNo.default(true),
  })
  .transform((given, context) => {
    const target = String(given.target ?? given.number ?? given.uri ?? '');
    const good = /^sips?:[^\s,]+$/i.test(target) || readNumber(target, { brazil: true }).kind !== 'refused';
    if (!good)
      context.addIssue({ code: 'custom', message: 'target: must be a telephone number or a SIP URI' });
    return { member: given.member ?? target, target, penalty: given.penalty, active: given.active };
  });

type Member = z.output<typeof member>;

const strategies = ['ringall', 'leastrecent', 'fewestcalls', 'random'] as const satisfies LineStrategy[];

const fields = z.strictObject({
  name,
  type: text(20).optional(),
  description: text(500).optional(),
  active: yesNo.optional(),
  strategy: z.enum(strategies).optional(),
  members: z
    .array(member)
    .max(1000)
    .refine((list) => new Set(list.map((one) => one.member)).size === list.length, 'names a member twice')
    .optional(),
  settings: queueSettings.optional(),
});

export const queueRoutes = (router: Router, door: AdminDoor): void => {
  const queuesOf = (shard: string) => door.database(shard).queue;
  const find = async (shard: string, account_id: number, text: string | undefined): Promise<Queue> => {
    const id = pathId(text, 'queue');
    const row =
      id < 2 ** 31 && (await queuesOf(shard).findUnique({ where: { account_id_id: { account_id, id } } }));
    if (!row) throw notFound(`queue ${text}`);
    return row;
  };

  router.post('/accounts/:account/queues', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const asked = read(fields, ctx.request.body);
    const id = await newLineId(door);
    const { strategy = 'ringall', members = [], active = true } = asked;
    await startLine(door, account, id, { strategy, active, members: members.map(lineMember) });
    const queue = await queuesOf(account.shard).create({
      data: { ...toColumns(asked), name: asked.name, account_id: account.id, id, created_at: door.now() },
    });
    ctx.status = 201;
    ctx.body = show(queue, account);
  });

  router.get('/accounts/:account/queues', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const where = { account_id: account.id };
    const queues = await queuesOf(account.shard).findMany({ where, orderBy: { id: 'asc' } });
    ctx.body = { queues: queues.map((queue) => show(queue, account)) };
  });

  router.get('/accounts/:account/queues/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = show(await find(account.shard, account.id, ctx.params['id']), account);
  });

  router.patch('/accounts/:account/queues/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const asked = read(fields.partial(), ctx.request.body);
    const queue = await find(account.shard, account.id, ctx.params['id']);
    const where = { account_id_id: { account_id: account.id, id: queue.id } };
    const settings = asked.settings && { ...(queue.settings as object), ...asked.settings };
    const data = toColumns({ ...asked, settings });
    const changed = await queuesOf(account.shard).update({ where, data });
    await changeLine(door, account, queue.id, lineOf(changed));
    ctx.body = show(changed, account);
  });

  router.delete('/accounts/:account/queues/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const queue = await find(account.shard, account.id, ctx.params['id']);
    await queuesOf(account.shard).delete({
      where: { account_id_id: { account_id: account.id, id: queue.id } },
    });
    await closeLine(door, account, queue.id);
    ctx.status = 204;
  });
};

const toColumns = (asked: Loose<z.output<typeof fields>>) => given(asked);

const lineOf = (queue: Queue): LineSetup => ({
  strategy: strategies.find((strategy) => strategy === queue.strategy) ?? 'ringall',
  active: queue.active,
  members: (queue.members as unknown as Member[]).map(lineMember),
});

/** A person behind a number or a phone talks to one caller at a time. */
const lineMember = ({ member: id, target, penalty, active }: Member): LineMember => ({
  member: id,
  endpoint: endpointOf(target),
  penalty,
  active,
  capacity: 1,
});

const endpointOf = (target: string): LineMember['endpoint'] => {
  const number = readNumber(target, { brazil: true });
  if (number.kind !== 'refused') return { kind: 'number', number: number.number };
  if (/^sips?:/i.test(target)) return { kind: 'sip', uri: target };
  throw new AdminError(400, `members: "${target}" is neither a number nor a SIP URI`, { field: 'members' });
};

const show = ({ account_id, id, created_at, ...queue }: Queue, { time_zone }: AccountRow) => ({
  queue_id: id,
  cdcs_id: account_id,
  ...queue,
  created_date: toLocal(Number(created_at), time_zone).date,
});
