/** Delivery profiles (spec 4.3 `relftp`): where files for a customer go. Credentials go in and never come out. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { DeliveryProfile, Prisma } from '../generated/prisma/client.ts';
import {
  type ProfileKind,
  type ProfileSecret,
  profileSecrets,
  profileSettings,
} from '../rules/deliveries/deliveryProfile.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { json, name, yesNo } from './fields.ts';
import { AdminError, given, notFound, pathId, read, within } from './respond.ts';

/** What the rest of the house does for delivery profiles. */
export interface ProfileWorkshop {
  /** Credentials as they are kept. */
  seal(account: number, profile: number, secret: ProfileSecret): string;
  /** Puts a small file there and says what happened. */
  test(tenant: { shard: string; account: number }, profile: number): Promise<object>;
}

const fields = z.strictObject({
  name,
  kind: z.enum(['folder', 'sftp', 'ftps', 's3'] satisfies ProfileKind[]),
  settings: json.default({}),
  secret: z.unknown().optional(),
  active: yesNo.default(true),
});
/** A profile stays of its kind; settings are replaced as a whole. */
const changes = z.strictObject({
  name: name.optional(),
  settings: json.optional(),
  secret: z.unknown().optional(),
  active: yesNo.optional(),
});

/** What a profile of each kind must have as its secret. */
const wanted = {
  sftp: 'an SFTP server needs a password or a private_key',
  ftps: 'an FTPS server needs a password',
  s3: 'a bucket needs an access_key and a secret_key',
} as const satisfies Partial<Record<ProfileKind, string>>;

const mostProfiles = 200;

export const deliveryProfileRoutes = (router: Router, door: AdminDoor): void => {
  const profilesOf = (shard: string) => door.database(shard).deliveryProfile;
  const find = async (
    shard: string,
    account_id: number,
    text: string | undefined,
  ): Promise<DeliveryProfile> => {
    const id = pathId(text, 'delivery profile');
    const row =
      id < 2 ** 31 && (await profilesOf(shard).findUnique({ where: { account_id_id: { account_id, id } } }));
    if (!row) throw notFound(`delivery profile ${text}`);
    return row;
  };
  const sealed = (account: number, id: number, secret: ProfileSecret | undefined) =>
    secret && door.deliveryProfiles.seal(account, id, secret);

  router.post('/accounts/:account/delivery-profiles', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { secret: written, ...asked } = read(fields, ctx.request.body);
    const settings = readSettings(asked.kind, asked.settings);
    const secret = readSecret(asked.kind, written);
    if (asked.kind !== 'folder' && !secret) throw missing('secret', wanted[asked.kind]);
    if ((await profilesOf(shard).count({ where: { account_id } })) >= mostProfiles)
      throw new AdminError(409, `an account has at most ${mostProfiles} delivery profiles`);
    const id = await door.control.reserveIds('deliveryProfile', 1);
    const row = { ...asked, account_id, id, settings, secret: sealed(account_id, id, secret) ?? '' };
    ctx.status = 201;
    ctx.body = show(await profilesOf(shard).create({ data: { ...row, created_at: door.now() } }));
  });

  router.get('/accounts/:account/delivery-profiles', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const profiles = await profilesOf(shard).findMany({ where: { account_id }, orderBy: { id: 'asc' } });
    ctx.body = { delivery_profiles: profiles.map(show) };
  });

  router.get('/accounts/:account/delivery-profiles/:id', async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = show(await find(account.shard, account.id, ctx.params['id']));
  });

  router.patch('/accounts/:account/delivery-profiles/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { secret: written, settings, ...asked } = read(changes, ctx.request.body);
    const { id, kind } = await find(shard, account_id, ctx.params['id']);
    const data = given({
      ...asked,
      settings: settings && readSettings(kind as ProfileKind, settings),
      secret: sealed(account_id, id, readSecret(kind as ProfileKind, written)),
    });
    ctx.body = show(await profilesOf(shard).update({ where: { account_id_id: { account_id, id } }, data }));
  });

  router.delete('/accounts/:account/delivery-profiles/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { id } = await find(shard, account_id, ctx.params['id']);
    await profilesOf(shard).delete({ where: { account_id_id: { account_id, id } } });
    ctx.status = 204;
  });

  router.post('/accounts/:account/delivery-profiles/:id/test', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const profile = await find(shard, account, ctx.params['id']);
    ctx.body = await door.deliveryProfiles.test({ shard, account }, profile.id);
  });
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

const show = ({ account_id, id, secret, ...profile }: DeliveryProfile) => ({
  profile_id: id,
  cdcs_id: account_id,
  ...profile,
  has_secret: secret !== '',
});
