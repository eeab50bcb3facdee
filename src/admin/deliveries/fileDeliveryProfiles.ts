/** Delivery profiles (spec 4.3 `relftp`): where files for a customer go. Credentials go in and never come out. */
import * as z from 'zod';
import type { DeliveryProfile, Prisma } from '../../generated/prisma/client.ts';
import {
  type DeliveryProfileKind,
  type DeliveryProfileSecret,
  fileDeliverySecretSchemas,
  deliverySettingsSchemas,
} from '../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import {
  anyObject,
  at,
  describeSchemaByRecordKind,
  idIn,
  json,
  name,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import {
  AdminError,
  omitUndefined,
  notFound,
  read,
  withErrorFieldPrefix,
} from '../adminErrorsAndRequestParsing.ts';

/** Both are read by the kind of the profile. */
const settingsOf = describeSchemaByRecordKind(json, deliverySettingsSchemas);
const secretOf = describeSchemaByRecordKind(z.unknown(), fileDeliverySecretSchemas);

const fields = z.strictObject({
  name,
  kind: z.enum(['folder', 'sftp', 'ftps', 's3'] satisfies DeliveryProfileKind[]),
  settings: settingsOf.default({}),
  secret: secretOf.optional(),
  active: booleanFieldSchema.default(true),
});
/** A profile stays of its kind; settings are replaced as a whole. */
const changes = z.strictObject({
  name: name.optional(),
  settings: settingsOf.optional(),
  secret: secretOf.optional(),
  active: booleanFieldSchema.optional(),
});

/** What a profile of each kind must have as its secret. */
const wanted = {
  sftp: 'an SFTP server needs a password or a private_key',
  ftps: 'an FTPS server needs a password',
  s3: 'a bucket needs an access_key and a secret_key',
} as const satisfies Partial<Record<DeliveryProfileKind, string>>;

const mostProfiles = 200;

const table = accountScopedTable((database) => database.deliveryProfile);

const show = ({ account_id, id, secret, ...profile }: DeliveryProfile) => ({
  profile_id: id,
  cdcs_id: account_id,
  ...profile,
  settings: profile.settings as Record<string, unknown>,
  has_secret: secret !== '',
});

const sealed = (deps: AdminDeps, account: number, id: number, secret: DeliveryProfileSecret | undefined) =>
  secret && deps.deliveryProfiles.seal(account, id, secret);

const profiles = defineCrudRoutes({
  at: '/accounts/:account/delivery-profiles',
  id: 'id',
  what: 'delivery profile',
  many: 'delivery_profiles',
  scope: accountInPath,
  record: z.object({
    profile_id: z.int().describe('As `relftp` takes it.'),
    cdcs_id: z.int(),
    name: z.string(),
    kind: z.string().describe('folder, sftp, ftps or s3.'),
    settings: anyObject,
    active: z.boolean(),
    created_at: at,
    has_secret: z.boolean(),
  }),
  example: {
    ...{ profile_id: 1, cdcs_id: 3, name: 'results', kind: 'sftp', active: true, has_secret: true },
    ...{ settings: { host: 'files.example.com', user: 'ramal' }, created_at: 1_795_325_744_421 },
  },
  show,
  find: table.find,
  create: {
    summary: 'Makes a delivery profile: a place where result files go.',
    body: fields,
    refuses: { 409: 'The account has 200 delivery profiles.' },
    example: { body: { name: 'results', kind: 'folder', settings: { folder: 'results' } } },
    handle: async (request) => {
      const { deps, account, body } = request;
      const { secret: written, ...rest } = body;
      const settings = readSettings(rest.kind, rest.settings);
      const secret = readSecret(rest.kind, written);
      if (rest.kind !== 'folder' && !secret) throw missing('secret', wanted[rest.kind]);
      await table.checkRoom(request, mostProfiles, 'delivery profiles');
      const id = await deps.control.reserveIds('deliveryProfile', 1);
      const kept = sealed(deps, account.id, id, secret) ?? '';
      const data = { ...rest, account_id: account.id, id, settings, secret: kept, created_at: deps.now() };
      return show(await deps.database(account.shard).deliveryProfile.create({ data }));
    },
  },
  list: {
    summary: 'Lists the delivery profiles of an account by id.',
    rows: async (request) => ({ rows: await table.rows(request) }),
  },
  change: {
    summary: 'Changes a delivery profile; settings and secret are replaced as a whole.',
    body: changes,
    example: { body: { active: false } },
    handle: async ({ deps, account, body, row }) => {
      const { secret: written, settings, ...rest } = body;
      const { id, kind } = await row();
      const data = omitUndefined({
        ...rest,
        settings: settings && readSettings(kind as DeliveryProfileKind, settings),
        secret: sealed(deps, account.id, id, readSecret(kind as DeliveryProfileKind, written)),
      });
      const where = { account_id_id: { account_id: account.id, id } };
      return show(await deps.database(account.shard).deliveryProfile.update({ where, data }));
    },
  },
  remove: {
    summary: 'Deletes a delivery profile.',
    handle: async ({ deps, account }, { account_id, id }) => {
      const where = { account_id_id: { account_id, id } };
      await deps.database(account.shard).deliveryProfile.delete({ where });
      return true;
    },
  },
});

export const deliveryProfileRoutes = {
  ...profiles,
  'POST /accounts/:account/delivery-profiles/:id/test': defineRoute({
    role: 'admin',
    summary: 'Puts a small file there now, and says what happened.',
    scope: accountInPath,
    path: z.object({ id: idIn('delivery profile') }),
    answer: z.object({
      delivered: z.boolean(),
      file: z.string().optional().describe('What was put there.'),
      host_key: z.string().optional().describe('That the SFTP server showed.'),
      certificate: z.string().optional().describe('That the FTPS server showed.'),
      reason: z.string().optional().describe('Why it failed; `notNow` when it may work later.'),
      message: z.string().optional(),
    }),
    example: { answer: { delivered: true, file: 'ramal-test.txt' } },
    handle: async (request) => {
      const { deps, account, path, written } = request;
      const profile = await table.find(request, path.id);
      if (!profile) throw notFound(`delivery profile ${written['id']}`);
      return deps.deliveryProfiles.test({ shard: account.shard, account: account.id }, profile.id);
    },
  }),
};

const readSettings = (kind: DeliveryProfileKind, settings: unknown): Prisma.InputJsonObject =>
  withErrorFieldPrefix('settings', () =>
    read<z.ZodType<Prisma.InputJsonObject>>(deliverySettingsSchemas[kind], settings),
  );

const readSecret = (kind: DeliveryProfileKind, secret: unknown): DeliveryProfileSecret | undefined => {
  if (secret === undefined) return undefined;
  if (kind === 'folder') throw missing('secret', 'a folder has none');
  return withErrorFieldPrefix('secret', () =>
    read<z.ZodType<DeliveryProfileSecret>>(fileDeliverySecretSchemas[kind], secret),
  );
};

const missing = (field: string, why: string): AdminError =>
  new AdminError(400, `${field}: ${why}`, { field });
