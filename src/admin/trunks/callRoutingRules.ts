/** Routes of calls: which trunks may carry which numbers, in which order. The most particular active one counts. */
import type { Prisma, TrunkRoute } from '../../generated/prisma/client.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, omitUndefined } from '../adminErrorsAndRequestParsing.ts';
import { newCallRouteSchema, callRouteChangesSchema, callRouteSchema } from './trunkSchemas.ts';
import { runTrunkTransactionAndReload } from './writeTrunksAndReload.ts';

const mostRoutes = 1_000;

interface Named {
  trunk: string;
  share?: number | undefined;
}

const example = {
  ...{ route_id: 1, position: 0, prefix: '5511', line: 'mobile', region: '', cdcs_id: null, cp_id: null },
  ...{ order: 'share', active: true, created_at: 1_795_325_744_421 },
  trunks: [
    { trunk: 'carrier-a', share: 70 },
    { trunk: 'carrier-b', share: 30 },
  ],
};

const show = ({ id, account_id, campaign_id, trunks, ...row }: TrunkRoute) => ({
  route_id: id,
  ...row,
  cdcs_id: account_id,
  cp_id: campaign_id,
  trunks: trunks as { trunk: string; share?: number }[],
});

export const callRouteRoutes = defineCrudRoutes({
  at: '/trunk-routes',
  id: 'id',
  what: 'trunk route',
  many: 'trunk_routes',
  record: callRouteSchema,
  example,
  show,
  find: ({ deps }, id) => deps.trunks.database.trunkRoute.findUnique({ where: { id } }),
  create: {
    summary: 'Makes a route for calls.',
    description:
      'A route of a campaign comes before one of an account, this before the longest prefix, then the line, then the region. Where no route matches, all trunks are used, by id.',
    body: newCallRouteSchema,
    refuses: { 409: 'There are 1,000 routes.' },
    example: { body: { prefix: '5511', line: 'mobile', order: 'share', trunks: example.trunks } },
    handle: async ({ deps, body }) => {
      expectWhole(body.order ?? 'fixed', body.trunks);
      const id = await deps.control.reserveIds('trunkRoute', 1);
      const row = await runTrunkTransactionAndReload(deps, async (db) => {
        await expectKnown(db, body);
        if ((await db.trunkRoute.count()) >= mostRoutes)
          throw new AdminError(409, `there are ${mostRoutes} routes already: delete one first`);
        const data = { ...columnsOf(body), trunks: namesOf(body.trunks), id, created_at: deps.now() };
        return db.trunkRoute.create({ data });
      });
      return show(row);
    },
  },
  list: {
    summary: 'Lists the routes by position.',
    rows: async ({ deps }) => ({
      rows: await deps.trunks.database.trunkRoute.findMany({
        orderBy: [{ position: 'asc' }, { id: 'asc' }],
        take: mostRoutes,
      }),
    }),
  },
  change: {
    summary: 'Changes a route; its trunks are replaced as a whole.',
    body: callRouteChangesSchema,
    example: { body: { active: false }, answer: { ...example, active: false } },
    handle: async ({ deps, body, row }) => {
      const { id, order, trunks, account_id, campaign_id } = await row();
      expectWhole(body.order ?? order, body.trunks ?? (trunks as unknown as Named[]));
      const data = { ...columnsOf(body), ...(body.trunks && { trunks: namesOf(body.trunks) }) };
      const changed = await runTrunkTransactionAndReload(deps, async (db) => {
        await expectKnown(db, { cdcs_id: account_id, cp_id: campaign_id, ...omitUndefined(body) });
        return db.trunkRoute.update({ where: { id }, data });
      });
      return show(changed);
    },
  },
  remove: {
    summary: 'Deletes a route.',
    handle: ({ deps }, { id }) =>
      runTrunkTransactionAndReload(
        deps,
        async (db) => (await db.trunkRoute.deleteMany({ where: { id } })).count > 0,
      ),
  },
});

type Body = Parameters<typeof columnsOf>[0];

const columnsOf = ({
  cdcs_id,
  cp_id,
  trunks: _trunks,
  ...rest
}: {
  cdcs_id?: number | null | undefined;
  cp_id?: number | null | undefined;
  trunks?: readonly Named[] | undefined;
  position?: number | undefined;
  prefix?: string | undefined;
  line?: string | undefined;
  region?: string | undefined;
  order?: string | undefined;
  active?: boolean | undefined;
}) => ({
  ...omitUndefined(rest),
  ...(cdcs_id !== undefined && { account_id: cdcs_id }),
  ...(cp_id !== undefined && { campaign_id: cp_id }),
});

const namesOf = (trunks: readonly Named[]): Prisma.InputJsonArray =>
  trunks.map(({ trunk, share }) => ({ trunk, ...(share !== undefined && { share }) }));

const expectWhole = (order: string, trunks: readonly Named[]): void => {
  const shares = trunks.map(({ share }) => share);
  const refuse = (why: string): never => {
    throw new AdminError(400, `trunks: ${why}`, { field: 'trunks' });
  };
  if (order !== 'share') {
    if (shares.some((share) => share !== undefined)) refuse('only the order `share` has shares');
    return;
  }
  const sum = shares.reduce<number>((all, share) => all + (share ?? 0), 0);
  if (sum !== 100) refuse(`the shares must come to 100, and come to ${sum}`);
};

/** What a route names is there. */
const expectKnown = async (
  db: Prisma.TransactionClient,
  { trunks = [], cdcs_id, cp_id }: Pick<Body, 'trunks' | 'cdcs_id' | 'cp_id'>,
): Promise<void> => {
  for (const { trunk } of trunks) {
    if (await db.trunk.findUnique({ where: { name: trunk } })) continue;
    throw new AdminError(400, `trunks: there is no trunk ${trunk}`, { field: 'trunks' });
  }
  if (cdcs_id && !(await db.account.findUnique({ where: { id: cdcs_id } })))
    throw new AdminError(400, `cdcs_id: there is no account ${cdcs_id}`, { field: 'cdcs_id' });
  if (cp_id && !cdcs_id)
    throw new AdminError(400, 'cp_id: a campaign is named with its account (cdcs_id)', { field: 'cp_id' });
};
