/** Servers of trunks: Asterisks, that of the settings and others beside it, or the sandbox. Passwords go in and never come out. */
import type { Prisma, TrunkServer } from '../../generated/prisma/client.ts';
import type { AdminDeps } from '../deps.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';
import { newTelephonyServerSchema, trunkServerChangesSchema, asteriskServerSchema } from './trunkSchemas.ts';
import { runTrunkTransactionAndReload } from './writeTrunksAndReload.ts';

const mostServers = 20;

const example = {
  ...{ server_id: 2, name: 'asterisk-b', kind: 'asterisk', url: 'http://10.0.0.5:8088/ari' },
  ...{ username: 'ramal', sip_pattern: '', chat_pattern: '', state: 'on', from_settings: false },
  ...{ created_at: 1_795_325_744_421, connection: { ok: true, detail: 'connected to Asterisk' } },
};

type Settings = Partial<Record<'url' | 'username' | 'sip_pattern' | 'chat_pattern', string>>;

const show = ({ id, secret: _secret, settings, ...row }: TrunkServer, { deps }: { deps: AdminDeps }) => ({
  server_id: id,
  ...{ url: '', username: '', sip_pattern: '', chat_pattern: '' },
  ...(settings as Settings),
  ...row,
  connection: deps.trunks.connection(id) ?? null,
});

const find = ({ deps }: { deps: AdminDeps }, id: number) =>
  deps.trunks.database.trunkServer.findUnique({ where: { id } });

/** Throws a 404 where another request has deleted it meanwhile. */
const shown = async (request: { deps: AdminDeps }, id: number) => {
  const row = await find(request, id);
  if (!row) throw notFound(`trunk server ${id}`);
  return show(row, request);
};

export const trunkServerRoutes = defineCrudRoutes({
  at: '/trunk-servers',
  id: 'id',
  what: 'trunk server',
  many: 'trunk_servers',
  record: asteriskServerSchema,
  example,
  show,
  find,
  create: {
    summary: 'Makes a server: another Asterisk, which all nodes connect to.',
    description: 'Trunks on it are made with its name as `server`.',
    body: newTelephonyServerSchema,
    refuses: { 409: 'There is a server of this name, there are 20, or calls go by the sandbox (`CARRIER`).' },
    example: {
      body: { name: 'asterisk-b', url: 'http://10.0.0.5:8088/ari', username: 'ramal', password: 'secret' },
    },
    handle: async (request) => {
      const { deps, body } = request;
      if (!deps.trunks.byAsterisk)
        throw new AdminError(409, 'calls go by the sandbox: start with CARRIER=asterisk to use Asterisks');
      const { name, password, state, ...settings } = body;
      const id = await deps.control.reserveIds('trunkServer', 1);
      await runTrunkTransactionAndReload(deps, async (db) => {
        await expectRoom(db, name);
        const secret = deps.trunks.sealPassword(id, password);
        const made = { id, name, kind: 'asterisk', settings, secret, created_at: deps.now() };
        await db.trunkServer.create({ data: { ...made, ...(state && { state }) } });
      });
      return shown(request, id);
    },
  },
  list: {
    summary: 'Lists the servers of trunks, and how the answering node reaches them.',
    rows: async ({ deps }) => ({
      rows: await deps.trunks.database.trunkServer.findMany({ orderBy: { id: 'asc' } }),
    }),
  },
  change: {
    summary: 'Changes a server: drains it, switches it off or on again, or says how it is reached.',
    description: 'Calls under way go on; new ones go by trunks of other servers, or wait.',
    body: trunkServerChangesSchema,
    example: { body: { state: 'draining' }, answer: { ...example, state: 'draining' } },
    handle: async (request) => {
      const { deps, body } = request;
      const row = await request.row();
      const { state, password, ...settings } = body;
      expectOwn(row, { ...settings, password });
      await runTrunkTransactionAndReload(deps, async (db) => {
        // What another request has written since is kept.
        const standing = await db.trunkServer.findUniqueOrThrow({ where: { id: row.id } });
        await db.trunkServer.update({
          where: { id: row.id },
          data: {
            settings: { ...(standing.settings as Settings), ...settings },
            ...(state && { state }),
            ...(password && { secret: deps.trunks.sealPassword(row.id, password) }),
          },
        });
      });
      return shown(request, row.id);
    },
  },
  remove: {
    summary: 'Deletes a server that no trunk is on.',
    refuses: { 409: 'Trunks are on it, or the settings make it.' },
    handle: ({ deps }, row) =>
      runTrunkTransactionAndReload(deps, async (db) => {
        await expectUnused(row, db);
        return (await db.trunkServer.deleteMany({ where: { id: row.id } })).count > 0;
      }),
  },
});

const expectRoom = async (db: Prisma.TransactionClient, name: string): Promise<void> => {
  if ((await db.trunkServer.count()) >= mostServers)
    throw new AdminError(409, `there are ${mostServers} trunk servers already: delete one first`);
  if (await db.trunkServer.findUnique({ where: { name } }))
    throw new AdminError(409, `name: there is a trunk server ${name} already`, { field: 'name' });
};

/** How the server of the settings is reached is not written here. */
const expectOwn = ({ from_settings }: TrunkServer, written: object): void => {
  const field = Object.entries(written).find(([, value]) => value !== undefined)?.[0];
  if (from_settings && field !== undefined)
    throw new AdminError(400, `${field}: the settings say how this server is reached`, { field });
};

const expectUnused = async (
  { id, from_settings }: TrunkServer,
  db: Prisma.TransactionClient,
): Promise<void> => {
  if (from_settings)
    throw new AdminError(
      409,
      'the settings make this server: it cannot be deleted. Switch it off (state: off) instead',
    );
  const trunk = await db.trunk.findFirst({ where: { server_id: id } });
  if (trunk)
    throw new AdminError(
      409,
      `trunk ${trunk.name} is on this server: it cannot be deleted. Delete the trunk first`,
    );
};
