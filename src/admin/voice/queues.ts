/** Contact-centre queues (spec 2.7; decisions "FI leg"). */
import * as z from 'zod';
import type {
  CallQueueMember,
  CallQueueStrategy,
} from '../../../machines/contracts/targetResolutionAndQueue.ts';
import type { Queue } from '../../generated/prisma/client.ts';
import { toLocal } from '../../lib/localTime.ts';
import { readPhoneNumber } from '../../rules/voice/parsePhoneNumber.ts';
import { queueAgentScreenSettingsSchema } from '../../rules/voice/queueAgentScreenSettings.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import { anyObject, name, text, booleanFieldSchema } from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import {
  updateQueueOrAgentMachine,
  closeQueueOrAgentMachine,
  type QueueOrAgentMachineSetup,
  newQueueOrAgentId,
  startQueueOrAgentMachine,
} from './queueAndAgentMachines.ts';
import { AdminError, omitUndefined, type PartialOrUndefined } from '../adminErrorsAndRequestParsing.ts';

/** Another name of `target`: forms leave it out. */
const alias = { 'x-alias-of': 'target', description: 'Another name of `target`.' };

/** The names under which a member's target may be given. */
const targetNames = ['target', 'number', 'uri'] as const;

/** A member by its number or SIP URI; `target` takes either. */
const member = z
  .strictObject({
    member: text(60)
      .min(1)
      .optional()
      .describe('Its name in the queue; its target unless another was given.'),
    target: z
      .union([text(500), z.int()], 'must be a number or a SIP URI, of at most 500 characters')
      .optional()
      .describe('A telephone number or a SIP URI.'),
    number: z
      .union([text(40), z.int()], 'must be a number, of at most 40 characters')
      .optional()
      .meta(alias),
    uri: text(500).optional().meta(alias),
    penalty: z.int().min(0).max(1000).default(0).describe('Members with a smaller one are rung first.'),
    active: booleanFieldSchema.default(true),
  })
  .transform((given, context) => {
    const said = targetNames.flatMap((path) =>
      given[path] === undefined ? [] : [{ path, text: String(given[path]) }],
    );
    const { path, text: target } = said[0] ?? { path: 'target', text: '' };
    // The name that was used: a form that has only `target` shows what is wrong beside it.
    const refuse = (message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (new Set(said.map(({ text: one }) => one)).size > 1) refuse('give one of target, number and uri');
    const good =
      /^sips?:[^\s,]+$/i.test(target) || readPhoneNumber(target, { brazil: true }).kind !== 'refused';
    if (!good) refuse('must be a telephone number or a SIP URI');
    return { member: given.member ?? target, target, penalty: given.penalty, active: given.active };
  });

type Member = z.output<typeof member>;

const strategies = ['ringall', 'leastrecent', 'fewestcalls', 'random'] as const satisfies CallQueueStrategy[];

const fields = z.strictObject({
  name,
  type: text(20).optional(),
  description: text(500).optional(),
  active: booleanFieldSchema.optional(),
  strategy: z.enum(strategies).optional(),
  members: z
    .array(member)
    .max(1000)
    .refine((list) => new Set(list.map((one) => one.member)).size === list.length, 'names a member twice')
    .optional(),
  settings: queueAgentScreenSettingsSchema.optional(),
});

const record = z.object({
  queue_id: z.int(),
  cdcs_id: z.int(),
  name: z.string(),
  type: z.string(),
  description: z.string(),
  active: z.boolean(),
  strategy: z.string().describe('ringall, leastrecent, fewestcalls or random.'),
  members: z.array(
    z.object({
      member: z.string().describe('Its name in the queue; its target unless another was given.'),
      target: z.string().describe('A telephone number or a SIP URI.'),
      penalty: z.int().describe('Members with a smaller one are rung first.'),
      active: z.boolean(),
    }),
  ),
  settings: anyObject,
  created_date: z.string().describe('On the wall clock of the account.'),
});

const table = accountScopedTable((database) => database.queue);

const show = ({ account_id, id, created_at, ...queue }: Queue, account: AccountRow) => ({
  queue_id: id,
  cdcs_id: account_id,
  ...queue,
  members: queue.members as unknown as Member[],
  settings: queue.settings as Record<string, unknown>,
  created_date: toLocal(Number(created_at), account.time_zone).date,
});

export const queueRoutes = defineCrudRoutes({
  at: '/accounts/:account/queues',
  id: 'id',
  what: 'queue',
  many: 'queues',
  scope: accountInPath,
  record,
  example: {
    ...{ queue_id: 8, cdcs_id: 3, name: 'Sales', type: 'ch', description: '', active: true },
    strategy: 'ringall',
    members: [{ member: '5511987650009', target: '5511987650009', penalty: 0, active: true }],
    ...{ settings: {}, created_date: '2026-11-22' },
  },
  show: (queue: Queue, { account }) => show(queue, account),
  find: table.find,
  create: {
    summary: 'Makes a queue, with the telephones of those who answer.',
    body: fields,
    example: { body: { name: 'Sales', members: [{ number: '5511987650009' }] } },
    handle: async ({ deps, account, body }) => {
      const id = await newQueueOrAgentId(deps);
      const { strategy = 'ringall', members = [], active = true } = body;
      await startQueueOrAgentMachine(deps, account, id, {
        strategy,
        active,
        members: members.map(lineMember),
      });
      const queue = await deps.database(account.shard).queue.create({
        data: { ...toColumns(body), name: body.name, account_id: account.id, id, created_at: deps.now() },
      });
      return show(queue, account);
    },
  },
  list: {
    summary: 'Lists the queues of an account by id.',
    rows: async (asked) => ({ rows: await table.rows(asked) }),
  },
  change: {
    summary: 'Changes a queue; members are replaced as a whole, settings one by one.',
    body: fields.partial(),
    example: { body: { strategy: 'random' } },
    handle: async ({ deps, account, body, row }) => {
      const queue = await row();
      const where = { account_id_id: { account_id: account.id, id: queue.id } };
      const settings = body.settings && { ...(queue.settings as object), ...body.settings };
      const data = toColumns({ ...body, settings });
      const changed = await deps.database(account.shard).queue.update({ where, data });
      await updateQueueOrAgentMachine(deps, account, queue.id, lineOf(changed));
      return show(changed, account);
    },
  },
  remove: {
    summary: 'Deletes a queue; callers that wait there go on waiting.',
    handle: async ({ deps, account }, { account_id, id }) => {
      await deps.database(account.shard).queue.delete({ where: { account_id_id: { account_id, id } } });
      await closeQueueOrAgentMachine(deps, account, id);
      return true;
    },
  },
});

const toColumns = (asked: PartialOrUndefined<z.output<typeof fields>>) => omitUndefined(asked);

const lineOf = (queue: Queue): QueueOrAgentMachineSetup => ({
  strategy: strategies.find((strategy) => strategy === queue.strategy) ?? 'ringall',
  active: queue.active,
  members: (queue.members as unknown as Member[]).map(lineMember),
});

/** A person behind a number or a phone talks to one caller at a time. */
const lineMember = ({ member: id, target, penalty, active }: Member): CallQueueMember => ({
  member: id,
  endpoint: endpointOf(target),
  penalty,
  active,
  capacity: 1,
});

const endpointOf = (target: string): CallQueueMember['endpoint'] => {
  const number = readPhoneNumber(target, { brazil: true });
  if (number.kind !== 'refused') return { kind: 'number', number: number.number };
  if (/^sips?:/i.test(target)) return { kind: 'sip', uri: target };
  throw new AdminError(400, `members: "${target}" is neither a number nor a SIP URI`, { field: 'members' });
};
