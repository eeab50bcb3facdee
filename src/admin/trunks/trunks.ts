/** Trunks: ways to the telephone network, with what they bear, carry and cost. They are read live, without a restart. */
import type * as z from 'zod';
import type { Prisma, PrismaClient, Trunk, TrunkPrice } from '../../generated/prisma/client.ts';
import type { AdminDeps } from '../deps.ts';
import type { TrunkHealthFigures } from '../../rules/trunks/health.ts';
import {
  refuseDialFieldsOnSandboxTrunk,
  checkTrunkFitsServer,
  refuseDialFieldsOnTrunkFromSettings,
  requireTrunkDialPatternOrSipHost,
  readTrunkServerKind,
  blankTrunkDialling,
  requireTrunkServer,
  computeTrunkSipColumns,
} from './validateTrunkDialling.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, notFound, omitUndefined } from '../adminErrorsAndRequestParsing.ts';
import { newTrunkSchema, trunkChangesSchema, trunkSchema } from './trunkSchemas.ts';
import { showTrunkSip, sipExample } from './sipFields.ts';
import { withoutSipFields } from './mergeSipSettings.ts';
import { runTrunkTransactionAndReload } from './writeTrunksAndReload.ts';

const mostTrunks = 100;

type TrunkState = z.output<typeof trunkSchema>['state'];

interface Row extends Trunk {
  server: string;
  prices: TrunkPrice[];
}

const example = {
  ...sipExample,
  ...{ trunk_id: 2, name: 'carrier-b', server: 'asterisk', dial_pattern: '' },
  ...{ number_format: 'e164', caller_ids: ['551140*'], calls_per_second: 10, legs: 60 },
  ...{
    failover: [500, 502, 503, 504],
    simulates: 'first',
    closed_prefixes: { open: ['55'], closed: ['550900'] },
  },
  ...{
    spend_per_day: null,
    hours: null,
    state: 'on' as const,
    from_settings: false,
    created_at: 1_795_325_744_421,
    live_legs: 0,
  },
  share: { calls_per_second: 10, legs: 60 },
  health: {
    ...{ legs: 40, answered: 22, failed: 1, causes: { '503': 1 }, answer_seizure_ratio: 0.55 },
    ...{ post_dial_ms: 1_850, rests_for_ms: null, rests_because: null },
  },
  prices: [{ prefix: '55', per_minute: '0.0450', first_seconds: 30, step_seconds: 6 }],
};

/** Foreign and premium numbers: a new trunk of a real carrier does not carry them until it is told to. */
const usuallyClosed = { open: ['55'], closed: ['550300', '550500', '550900'] };

const show = (
  { id, server_id: _server, prices, closed_prefixes, sip, sip_secret: _secret, ...row }: Row,
  { deps }: { deps: AdminDeps },
) => ({
  trunk_id: id,
  ...row,
  ...showTrunkSip({ sip }),
  registration: deps.trunks.registration(row.name) ?? null,
  state: row.state as TrunkState,
  caller_ids: row.caller_ids as string[],
  failover: row.failover as number[],
  spend_per_day: row.spend_per_day?.toFixed(4) ?? null,
  closed_prefixes: { open: [], closed: [], ...(closed_prefixes as { open?: string[]; closed?: string[] }) },
  prices: prices.map(({ prefix, per_minute, first_seconds, step_seconds }) => ({
    ...{ prefix, per_minute: per_minute.toFixed(4), first_seconds, step_seconds },
  })),
  live_legs: deps.trunks.usageOf(row.name).legs,
  health: healthOf(deps.trunks.figuresOf(row.name)),
  share: shareOf(deps.trunks.capacityOf(row.name)),
});

const healthOf = (figures: TrunkHealthFigures) => ({
  ...{ legs: figures.legs, answered: figures.answered, failed: figures.failed, causes: figures.causes },
  answer_seizure_ratio: figures.answerSeizureRatio,
  post_dial_ms: figures.postDialMs,
  rests_for_ms: figures.restsForMs,
  rests_because: figures.restsBecause,
});

const shareOf = (capacity: { callsPerSecond: number; legs: number } | undefined) =>
  capacity ? { calls_per_second: capacity.callsPerSecond, legs: capacity.legs } : null;

const rowsOf = async (db: PrismaClient, where: Prisma.TrunkWhereInput = {}): Promise<Row[]> => {
  const trunks = await db.trunk.findMany({ where, orderBy: { id: 'asc' }, take: mostTrunks });
  const ids = trunks.map(({ id }) => id);
  const prices = await db.trunkPrice.findMany({
    where: { trunk_id: { in: ids } },
    orderBy: { prefix: 'asc' },
  });
  const servers = await db.trunkServer.findMany({ select: { id: true, name: true } });
  const nameOf = new Map(servers.map(({ id, name }) => [id, name]));
  return trunks.map((trunk) => ({
    ...trunk,
    server: nameOf.get(trunk.server_id) ?? '',
    prices: prices.filter(({ trunk_id }) => trunk_id === trunk.id),
  }));
};

/** Every trunk as it is shown, with the legs that all nodes have on it. */
export const readTrunksWithLegs = async (deps: AdminDeps) => {
  const { database } = deps.trunks;
  const [rows, shares] = await Promise.all([
    rowsOf(database),
    database.trunkShare.groupBy({ by: ['trunk_id'], _sum: { held: true } }),
  ]);
  const held = new Map(shares.map(({ trunk_id, _sum }) => [trunk_id, _sum.held ?? 0]));
  return rows.map((row) => ({ ...show(row, { deps }), legs_of_all: held.get(row.id) ?? 0 }));
};

const find = async ({ deps }: { deps: AdminDeps }, id: number): Promise<Row | undefined> =>
  (await rowsOf(deps.trunks.database, { id }))[0];

/** Throws a 404 where another request has deleted it meanwhile. */
const shown = async (request: { deps: AdminDeps }, id: number) => {
  const row = await find(request, id);
  if (!row) throw notFound(`trunk ${id}`);
  return show(row, request);
};

export const trunkApiRoutes = defineCrudRoutes({
  at: '/trunks',
  id: 'id',
  what: 'trunk',
  many: 'trunks',
  record: trunkSchema,
  example,
  show,
  find,
  create: {
    summary: 'Makes a trunk on a server.',
    description:
      'Without `closed_prefixes` a trunk of an Asterisk carries Brazilian numbers alone, and no premium ones; one of the sandbox carries all.',
    body: newTrunkSchema,
    refuses: { 409: 'There is a trunk of this name, or there are 100.' },
    example: {
      body: {
        ...{ name: 'carrier-b', server: 'asterisk', calls_per_second: 10, legs: 60 },
        ...{ sip_host: 'sip.example.net', sip_user: '5511400', sip_password: 'secret' },
        prices: example.prices,
      },
    },
    handle: async (request) => {
      const { deps, body } = request;
      const { server, prices = [], name, calls_per_second, legs, ...fields } = withoutSipFields(body);
      const id = await deps.control.reserveIds('trunk', 1);
      await runTrunkTransactionAndReload(deps, async (db) => {
        const { id: server_id, kind } = await requireTrunkServer(db, server);
        checkTrunkFitsServer(kind, body);
        if ((await db.trunk.count()) >= mostTrunks)
          throw new AdminError(409, `there are ${mostTrunks} trunks already: delete one first`);
        if (await db.trunk.findUnique({ where: { name } }))
          throw new AdminError(409, `name: there is a trunk ${name} already`, { field: 'name' });
        const usual = kind === 'asterisk' ? { closed_prefixes: usuallyClosed } : {};
        const made = { id, server_id, name, calls_per_second, legs, created_at: deps.now() };
        const sip = computeTrunkSipColumns(deps, { ...blankTrunkDialling, id }, body);
        await db.trunk.create({ data: { ...usual, ...omitUndefined(fields), ...made, ...sip } });
        await writePrices(db, deps.control, id, prices);
      });
      return shown(request, id);
    },
  },
  list: {
    summary: 'Lists the trunks by id, with the legs that they carry now.',
    rows: async ({ deps }) => ({ rows: await rowsOf(deps.trunks.database) }),
  },
  change: {
    summary: 'Changes a trunk; lists are replaced as a whole. Calls under way go on.',
    description: 'Its name and its server stay: records, routes and `tfix` name it.',
    body: trunkChangesSchema,
    example: { body: { state: 'draining' }, answer: { ...example, state: 'draining' } },
    handle: async (request) => {
      const { deps, body } = request;
      const row = await request.row();
      const { prices, ...fields } = withoutSipFields(body);
      refuseDialFieldsOnTrunkFromSettings(row, body);
      await runTrunkTransactionAndReload(deps, async (db) => {
        const kind = await readTrunkServerKind(db, row);
        refuseDialFieldsOnSandboxTrunk(kind, body);
        const standing = await db.trunk.findUniqueOrThrow({ where: { id: row.id } });
        const sip = computeTrunkSipColumns(deps, standing, body);
        requireTrunkDialPatternOrSipHost(kind, { ...standing, ...omitUndefined(fields), ...sip });
        await db.trunk.update({ where: { id: row.id }, data: { ...omitUndefined(fields), ...sip } });
        if (prices) await writePrices(db, deps.control, row.id, prices);
      });
      return shown(request, row.id);
    },
  },
  remove: {
    summary: 'Deletes a trunk.',
    description:
      'Calls under way go on. One that a route names, or that the settings make, is switched off instead.',
    refuses: { 409: 'A route names it, or the settings make it.' },
    handle: ({ deps }, row) =>
      runTrunkTransactionAndReload(deps, async (db) => {
        await expectUnused(row, db);
        await db.trunkPrice.deleteMany({ where: { trunk_id: row.id } });
        return (await db.trunk.deleteMany({ where: { id: row.id } })).count > 0;
      }),
  },
});

type Db = Prisma.TransactionClient;

const expectUnused = async ({ name, from_settings }: Row, db: Db): Promise<void> => {
  if (from_settings)
    throw new AdminError(
      409,
      'the settings make this trunk: it cannot be deleted. Switch it off (state: off) instead',
    );
  const routes = await db.trunkRoute.findMany({ select: { id: true, trunks: true } });
  const naming = routes.find(({ trunks }) =>
    (trunks as { trunk: string }[]).some(({ trunk }) => trunk === name),
  );
  if (naming)
    throw new AdminError(
      409,
      `route ${naming.id} names this trunk: it cannot be deleted. Change the route first`,
    );
};

type Price = NonNullable<z.output<typeof newTrunkSchema>['prices']>[number];

const writePrices = async (
  db: Db,
  control: AdminDeps['control'],
  trunk_id: number,
  prices: readonly Price[],
): Promise<void> => {
  const first = prices.length === 0 ? 0 : await control.reserveIds('trunkPrice', prices.length);
  await db.trunkPrice.deleteMany({ where: { trunk_id } });
  const data = prices.map((price, index) => ({ ...price, trunk_id, id: first + index }));
  if (data.length > 0) await db.trunkPrice.createMany({ data });
};
