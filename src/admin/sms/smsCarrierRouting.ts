/** SMS routes: by which carrier an account's messages go, and to which numbers. Credentials go in and never come out. */
import * as z from 'zod';
import type { SmsRoute } from '../../generated/prisma/client.ts';
import {
  type SmsRouteKind,
  smsRouteSecretSchemas,
  smsRouteSettingsSchemas,
} from '../../rules/sms/smsRouteCarrierSchemas.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { addSmsRouteReplacingSandbox, changeSmsRoute } from '../../store/writeSmsRoutes.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import type { AdminDeps } from '../deps.ts';
import {
  anyObject,
  at,
  describeSchemaByRecordKind,
  json,
  name,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import {
  AdminError,
  checkOutboundUrl,
  notFound,
  read,
  withErrorFieldPrefix,
} from '../adminErrorsAndRequestParsing.ts';

const prefix = z.string().regex(/^\d{0,15}$/, 'must be the first digits of numbers in international format');
const position = z.int().min(-1_000_000).max(1_000_000);

/** Both are read by the kind of the route. */
const settingsOf = describeSchemaByRecordKind(json, smsRouteSettingsSchemas);
const secretOf = describeSchemaByRecordKind(z.unknown(), smsRouteSecretSchemas);

const fields = z.strictObject({
  name,
  kind: z.enum(['sandbox', 'smpp', 'http']),
  prefix: prefix.default(''),
  position: position.default(0),
  settings: settingsOf.default({}),
  secret: secretOf.optional(),
  active: booleanFieldSchema.default(true),
});
/** A route stays of its kind; settings and secret are replaced as a whole. */
const changes = z.strictObject({
  name: name.optional(),
  prefix: prefix.optional(),
  position: position.optional(),
  settings: settingsOf.optional(),
  secret: secretOf.optional(),
  active: booleanFieldSchema.optional(),
});

const record = z.object({
  route_id: z.int(),
  cdcs_id: z.int(),
  name: z.string(),
  prefix: z.string().describe('The first digits of numbers that go by it; empty: every number.'),
  position: z.int().describe('The smallest is tried first among routes of one prefix.'),
  kind: z.string().describe('sandbox, smpp or http.'),
  settings: anyObject,
  active: z.boolean(),
  created_at: at,
  has_secret: z.boolean(),
  link: z
    .object({ ok: z.boolean(), detail: z.string() })
    .nullable()
    .describe('How the link of the node that answers fares; null: it has none open.'),
});

/** `switched_off`: the sandbox routes that a first real route has taken the place of. */
const written = record.extend({
  switched_off: z.array(z.int()).describe('Ids of sandbox routes that this route has taken the place of.'),
});

const mostRoutes = 100;

const table = accountScopedTable((database) => database.smsRoute);

const show = ({ account_id, id, secret, ...route }: SmsRoute, { deps, account }: Of) => ({
  route_id: id,
  cdcs_id: account_id,
  ...route,
  settings: route.settings as Record<string, unknown>,
  has_secret: secret !== '',
  link: deps.smsRoutes.link({ shard: account.shard, account: account_id, id }) ?? null,
});

interface Of {
  deps: AdminDeps;
  account: AccountRow;
}

const sealed = ({ deps, account }: Of, id: number, secret: object | undefined) =>
  secret && deps.smsRoutes.seal(account.id, id, secret);

const shown = async (request: Of, id: number) => {
  const row = await table.find(request, id);
  if (!row) throw notFound(`SMS route ${id}`);
  return show(row, request);
};

const example = {
  ...{ route_id: 2, cdcs_id: 3, name: 'carrier', prefix: '55', position: 0, kind: 'smpp' },
  ...{ settings: { host: 'smpp.example.com', port: 2775, system_id: 'ramal' }, active: true },
  ...{ created_at: 1_795_325_744_421, has_secret: true, link: { ok: true, detail: 'bound' } },
};

export const smsRouteRoutes = defineCrudRoutes({
  at: '/accounts/:account/sms-routes',
  id: 'id',
  what: 'SMS route',
  many: 'sms_routes',
  scope: accountInPath,
  record,
  example,
  show,
  find: table.find,
  create: {
    summary: 'Makes a route for SMS.',
    description:
      'The first real route of an account takes the place of its sandbox routes: they are switched off.',
    body: fields,
    answer: written,
    refuses: { 409: 'The account has 100 routes.' },
    example: {
      body: {
        ...{ name: 'carrier', kind: 'smpp', prefix: '55', secret: { password: 'secret' } },
        settings: { host: 'smpp.example.com', port: 2775, system_id: 'ramal' },
      },
      answer: { ...example, switched_off: [1] },
    },
    handle: async (request) => {
      const { deps, account, body } = request;
      const { secret: given, ...rest } = body;
      const settings = readSettings(deps, rest.kind, rest.settings);
      const secret = readSecret(rest.kind, given);
      await table.checkRoom(request, mostRoutes, 'SMS routes');
      const id = await deps.control.reserveIds('smsRoute', 1);
      const row = {
        ...rest,
        account_id: account.id,
        id,
        settings,
        secret: sealed(request, id, secret) ?? '',
      };
      const switched_off = await addSmsRouteReplacingSandbox(deps.pool(account.shard), {
        ...row,
        created_at: deps.now(),
      });
      deps.smsRoutes.changed();
      return { ...(await shown(request, id)), switched_off };
    },
  },
  list: {
    summary: 'Lists the routes of an account, by prefix and position.',
    rows: async ({ deps, account }) => ({
      rows: await deps.database(account.shard).smsRoute.findMany({
        where: { account_id: account.id },
        orderBy: [{ prefix: 'asc' }, { position: 'asc' }, { id: 'asc' }],
      }),
    }),
  },
  change: {
    summary: 'Changes a route; settings and secret are replaced as a whole.',
    body: changes,
    answer: written,
    example: { body: { position: 1 }, answer: { ...example, position: 1, switched_off: [] } },
    handle: async (request) => {
      const { deps, account, body } = request;
      const { secret: given, settings, ...rest } = body;
      const { id, kind } = await request.row();
      const switched_off = await changeSmsRoute(
        deps.pool(account.shard),
        { account: account.id, id },
        {
          ...rest,
          settings: settings && readSettings(deps, kind as SmsRouteKind, settings),
          secret: sealed(request, id, readSecret(kind as SmsRouteKind, given)),
        },
      );
      deps.smsRoutes.changed();
      return { ...(await shown(request, id)), switched_off };
    },
  },
  remove: {
    summary: 'Deletes a route.',
    handle: async (request, { account_id, id }) => {
      const where = { account_id_id: { account_id, id } };
      await request.deps.database(request.account.shard).smsRoute.delete({ where });
      request.deps.smsRoutes.changed();
      return true;
    },
  },
});

/** A gateway inside is refused before it takes the place of the sandbox: no message could reach it. */
const readSettings = (deps: AdminDeps, kind: SmsRouteKind, settings: unknown): object =>
  withErrorFieldPrefix('settings', () => {
    const known = read<z.ZodType<object>>(smsRouteSettingsSchemas[kind], settings);
    if ('url' in known) checkOutboundUrl(deps, 'url', new URL(String(known.url)).origin);
    return known;
  });

const readSecret = (kind: SmsRouteKind, secret: unknown): object | undefined => {
  if (secret === undefined) return undefined;
  const schema: z.ZodType<object> | undefined = smsRouteSecretSchemas[kind];
  if (!schema) throw new AdminError(400, `secret: a ${kind} has none`, { field: 'secret' });
  return withErrorFieldPrefix('secret', () => read(schema, secret));
};
