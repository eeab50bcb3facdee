/** Pools of caller ids: what calls of an account, or of one of its campaigns, show where the request names none. */
import * as z from 'zod';
import type { CallerIdPool, Prisma } from '../../generated/prisma/client.ts';
import { mayTrunkShowCallerId } from '../../rules/trunks/whyTrunkExcluded.ts';
import { readPhoneNumber } from '../../rules/voice/parsePhoneNumber.ts';
import { countAnsweredCallsByCallerId, readRecentCallerIdUses } from '../../store/callerIdUses.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { findCampaignById } from '../../store/reads/campaigns/campaigns.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { at, idIn, referenceTo, text, booleanFieldSchema } from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import {
  AdminError,
  omitUndefined,
  type PartialOrUndefined,
  notFound,
} from '../adminErrorsAndRequestParsing.ts';
import { runTrunkTransactionAndReload } from './writeTrunksAndReload.ts';

const mostPools = 100;

/** As calls are dialled: `1130001000` and `+551130001000` are `551130001000`. */
const callerId = text(40).transform((written, context) => {
  const read = readPhoneNumber(written, { brazil: true });
  if (read.kind !== 'refused') return read.number;
  context.addIssue({ code: 'custom', message: read.why });
  return '';
});

const fields = z.strictObject({
  cp_id: referenceTo({ list: '/accounts/{account}/campaigns', value: 'cp_id' }, z.int().min(1))
    .nullable()
    .optional(),
  order: z.enum(['areaCode', 'turns', 'fixed']).optional(),
  caller_ids: z
    .array(callerId)
    .min(1)
    .max(1_000)
    .refine((all) => new Set(all).size === all.length, 'a caller id stands there twice'),
  same_for_person: booleanFieldSchema.optional(),
  calls_per_hour: z.int().min(1).max(1_000_000).nullable().optional(),
  rest_below: z.int().min(1).max(99).nullable().optional(),
  active: booleanFieldSchema.optional(),
});

const record = z.object({
  pool_id: z.int(),
  cp_id: z.int().nullable().describe('Null: every call of the account that names no caller id.'),
  order: z
    .string()
    .describe(
      'areaCode: of the area code of the called number, else of its state, else any; turns: the one that was shown least in the last hour; fixed: the first.',
    ),
  caller_ids: z.array(z.string()),
  same_for_person: z.boolean().describe('A person sees the same one again, as long as it may be shown.'),
  calls_per_hour: z
    .int()
    .nullable()
    .describe('Of each caller id in any sixty minutes; null: as many as there are.'),
  rest_below: z
    .int()
    .nullable()
    .describe(
      'Percent. One of whose last hour of calls fewer were answered is left out where others are; null: none is.',
    ),
  active: z.boolean(),
  created_at: at,
});

const hour = z.object({
  caller_id: z.string(),
  calls: z.int().describe('Calls that showed it in the last hour.'),
  ended: z.int().describe('Calls that ended in the last hour and showed it last.'),
  answered: z.int().describe('Those of them that were answered.'),
});

const example = {
  ...{ pool_id: 4, cp_id: null, order: 'areaCode', caller_ids: ['551130001000', '552130001000'] },
  ...{ same_for_person: true, calls_per_hour: 60, rest_below: 15, active: true },
  created_at: 1_795_325_744_421,
};

const show = ({ id, account_id: _account, campaign_id, caller_ids, ...row }: CallerIdPool) => ({
  pool_id: id,
  cp_id: campaign_id,
  ...row,
  caller_ids: caller_ids as string[],
});

interface OfAccount {
  deps: AdminDeps;
  account: AccountRow;
}

const poolOf = ({ deps, account }: OfAccount, id: number) =>
  deps.trunks.database.callerIdPool.findUnique({
    where: { account_id_id: { account_id: account.id, id } },
  });

const pools = defineCrudRoutes({
  at: '/accounts/:account/caller-id-pools',
  id: 'id',
  what: 'pool of caller ids',
  many: 'caller_id_pools',
  scope: accountInPath,
  record,
  example,
  show: (row: CallerIdPool) => show(row),
  find: poolOf,
  create: {
    summary: 'Makes a pool of caller ids for calls that name none.',
    description:
      'One of a campaign (`cp_id`) comes before one of the account. A call that no trunk of the pool may carry shows the default of the account.',
    body: fields,
    refuses: { 409: 'There is one for these calls already, or the account has 100.' },
    example: { body: { order: 'areaCode', caller_ids: example.caller_ids, calls_per_hour: 60 } },
    handle: async (request) => {
      const { deps, account, body } = request;
      await expectCampaign(request, body.cp_id);
      const id = await deps.control.reserveIds('callerIdPool', 1);
      const row = await runTrunkTransactionAndReload(deps, async (db) => {
        await checkTrunkFitsServer(db, account.id, undefined, { order: 'turns', ...body });
        if ((await db.callerIdPool.count({ where: { account_id: account.id } })) >= mostPools)
          throw new AdminError(409, `an account has at most ${mostPools} pools of caller ids`);
        const made = { account_id: account.id, id, created_at: deps.now() };
        return db.callerIdPool.create({ data: { ...columnsOf(body), caller_ids: body.caller_ids, ...made } });
      });
      return show(row);
    },
  },
  list: {
    summary: 'Lists the pools of an account by id.',
    rows: async ({ deps, account }) => ({
      rows: await deps.trunks.database.callerIdPool.findMany({
        where: { account_id: account.id },
        orderBy: { id: 'asc' },
        take: mostPools,
      }),
    }),
  },
  change: {
    summary: 'Changes a pool; its caller ids are replaced as a whole.',
    body: fields.partial(),
    example: { body: { calls_per_hour: 30 }, answer: { ...example, calls_per_hour: 30 } },
    handle: async (request) => {
      const { deps, account, body, id } = request;
      await request.row();
      await expectCampaign(request, body.cp_id);
      const where = { account_id_id: { account_id: account.id, id } };
      const changed = await runTrunkTransactionAndReload(deps, async (db) => {
        const row = await db.callerIdPool.findUniqueOrThrow({ where });
        await checkTrunkFitsServer(db, account.id, id, { ...show(row), ...omitUndefined(body) });
        return db.callerIdPool.update({ where, data: columnsOf(body) });
      });
      return show(changed);
    },
  },
  remove: {
    summary: 'Deletes a pool: its calls show the default of the account.',
    handle: ({ deps }, { account_id, id }) =>
      runTrunkTransactionAndReload(
        deps,
        async (db) => (await db.callerIdPool.deleteMany({ where: { account_id, id } })).count > 0,
      ),
  },
});

export const callerIdPoolRoutes = {
  ...pools,
  'GET /accounts/:account/caller-id-pools/:id/hour': defineRoute({
    role: 'operator',
    summary: 'Says how often each caller id of a pool was shown in the last hour, and how many answered.',
    scope: accountInPath,
    path: z.object({ id: idIn('pool of caller ids') }),
    answer: z.object({ caller_ids: z.array(hour) }),
    example: {
      answer: { caller_ids: [{ caller_id: '551130001000', calls: 41, ended: 39, answered: 17 }] },
    },
    handle: async ({ deps, account, path: { id } }) => {
      const row = await poolOf({ deps, account }, id);
      if (!row) throw notFound(`pool of caller ids ${id}`);
      const pool = deps.pool(account.shard);
      const of = { account: account.id, at: deps.now() };
      const [uses, answers] = await Promise.all([
        readRecentCallerIdUses(pool, of),
        countAnsweredCallsByCallerId(pool, of),
      ]);
      return {
        caller_ids: (row.caller_ids as string[]).map((one) => {
          const { ended, answered } = answers.get(one) ?? { ended: 0, answered: 0 };
          return { caller_id: one, calls: uses.get(one)?.calls ?? 0, ended, answered };
        }),
      };
    },
  }),
};

type Body = PartialOrUndefined<z.output<typeof fields>>;

const columnsOf = ({ cp_id, ...rest }: Body) => ({
  ...omitUndefined(rest),
  ...(cp_id !== undefined && { campaign_id: cp_id }),
});

const refusal = (field: string, why: string): AdminError =>
  new AdminError(400, `${field}: ${why}`, { field });

const expectCampaign = async (
  { deps, account }: OfAccount,
  campaign: number | null | undefined,
): Promise<void> => {
  if (campaign === undefined || campaign === null) return;
  if (!(await findCampaignById(deps.pool(account.shard), account.id, campaign)))
    throw refusal('cp_id', `the account has no campaign ${campaign}`);
};

/** What must fit together. */
type Fitting = Pick<Body, 'cp_id' | 'caller_ids' | 'same_for_person'> & { order?: string | undefined };

/** It is the only one for these calls, says nothing twice, and each of its caller ids may be shown by a trunk of theirs. */
const checkTrunkFitsServer = async (
  db: Prisma.TransactionClient,
  account: number,
  id: number | undefined,
  { order, cp_id = null, caller_ids = [], same_for_person = false }: Fitting,
): Promise<void> => {
  if (order === 'fixed' && same_for_person)
    throw refusal('same_for_person', 'the order `fixed` shows everybody the first');
  const trunks = await trunksOf(db, account, cp_id);
  const hidden = caller_ids.find(
    (one) => !trunks.some((callerIds) => mayTrunkShowCallerId({ callerIds }, one)),
  );
  if (hidden !== undefined)
    throw refusal('caller_ids', `${hidden} may be shown by no trunk that carries these calls`);
  const other = await db.callerIdPool.findFirst({
    where: { account_id: account, campaign_id: cp_id, ...(id !== undefined && { id: { not: id } }) },
  });
  if (other)
    throw new AdminError(409, `cp_id: pool ${other.id} is for these calls already`, { field: 'cp_id' });
};

/** What the trunks may show that routes name for these calls; of all trunks, where a number may have no route. */
const trunksOf = async (
  db: Prisma.TransactionClient,
  account: number,
  campaign: number | null,
): Promise<string[][]> => {
  const routes = await db.trunkRoute.findMany({
    where: {
      active: true,
      OR: [{ account_id: null }, { account_id: account }],
      AND: { OR: [{ campaign_id: null }, { campaign_id: campaign }] },
    },
  });
  const forAll = routes.some(
    ({ prefix, line, region, campaign_id }) =>
      prefix === '' && line === 'any' && region === '' && (campaign_id === null || campaign_id === campaign),
  );
  const named = routes.flatMap(({ trunks }) => (trunks as { trunk: string }[]).map(({ trunk }) => trunk));
  const trunks = await db.trunk.findMany({ where: forAll ? { name: { in: named } } : {} });
  return trunks.map(({ caller_ids }) => caller_ids as string[]);
};
