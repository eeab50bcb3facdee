/** Delivery profiles (spec 4.3 `relftp`): where files for a customer go. Credentials go in and never come out. */
import * as z from 'zod';
import type { DeliveryProfile, Prisma } from '../../generated/prisma/client.ts';
import {
  type ProfileKind,
  type ProfileSecret,
  profileSecrets,
  profileSettings,
} from '../../rules/deliveries/deliveryProfile.ts';
import { ofAccount } from '../accounts/ofAccount.ts';
import { accountTable } from '../accountTable.ts';
import { route } from '../declare.ts';
import type { AdminDeps } from '../deps.ts';
import { anyObject, at, byKind, idIn, json, name, yesNo } from '../fields.ts';
import { resource } from '../resource.ts';
import { AdminError, given, notFound, read, within } from '../respond.ts';

/** Both are read by the kind of the profile. */
const settingsOf = byKind(json, profileSettings);
const secretOf = byKind(z.unknown(), profileSecrets);

const fields = z.strictObject({
  name,
  kind: z.enum(['folder', 'sftp', 'ftps', 's3'] satisfies ProfileKind[]),
  settings: settingsOf.default({}),
  secret: secretOf.optional(),
  active: yesNo.default(true),
});
/** A profile stays of its kind; settings are replaced as a whole. */
const changes = z.strictObject({
  name: name.optional(),
  settings: settingsOf.optional(),
  secret: secretOf.optional(),
  active: yesNo.optional(),
});

/** What a profile of each kind must have as its secret. */
const wanted = {
  sftp: 'an SFTP server needs a password or a private_key',
  ftps: 'an FTPS server needs a password',
  s3: 'a bucket needs an access_key and a secret_key',
} as const satisfies Partial<Record<ProfileKind, string>>;

const mostProfiles = 200;

const table = accountTable((database) => database.deliveryProfile);

const show = ({ account_id, id, secret, ...profile }: DeliveryProfile) => ({
  profile_id: id,
  cdcs_id: account_id,
  ...profile,
  settings: profile.settings as Record<string, unknown>,
  has_secret: secret !== '',
});

const sealed = (deps: AdminDeps, account: number, id: number, secret: ProfileSecret | undefined) =>
  secret && deps.deliveryProfiles.seal(account, id, secret);

const profiles = resource({
  at: '/accounts/:account/delivery-profiles',
  id: 'id',
  what: 'delivery profile',
  many: 'delivery_profiles',
  scope: ofAccount,
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
      const data = given({
        ...rest,
        settings: settings && readSettings(kind as ProfileKind, settings),
        secret: sealed(deps, account.id, id, readSecret(kind as ProfileKind, written)),
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
  'POST /accounts/:account/delivery-profiles/:id/test': route({
    role: 'admin',
    summary: 'Puts a small file there now, and says what happened.',
    scope: ofAccount,
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

const readSettings = (kind: ProfileKind, settings: unknown): Prisma.InputJsonObject =>
  within('settings', () => read<z.ZodType<Prisma.InputJsonObject>>(profileSettings[kind], settings));

const readSecret = (kind: ProfileKind, secret: unknown): ProfileSecret | undefined => {
  if (secret === undefined) return undefined;
  if (kind === 'folder') throw missing('secret', 'a folder has none');
  return within('secret', () => read<z.ZodType<ProfileSecret>>(profileSecrets[kind], secret));
};

const missing = (field: string, why: string): AdminError =>
  new AdminError(400, `${field}: ${why}`, { field });
