/** Media files for headers of templates (`cwm_id`): public addresses (spec 2.5.1). */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { TemplateMedia } from '../generated/prisma/client.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { text } from './fields.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';
import { urlOf } from '../lib/urlOf.ts';

/** It is shown and never fetched from here. */
const address = text(2_000).refine(
  (value) => /^https?:\/\/[^\s/]/i.test(value) && urlOf(value) !== undefined,
  'must be an http or https address',
);
const fields = z.strictObject({ cwm_file_path: address, name: text(120).optional() });

const mostMedia = 1_000;

export const templateMediaRoutes = (router: Router, door: AdminDoor): void => {
  const mediaOf = (shard: string) => door.database(shard).templateMedia;
  const find = async (
    shard: string,
    account_id: number,
    written: string | undefined,
  ): Promise<TemplateMedia> => {
    const id = pathId(written, 'media file');
    const row =
      id < 2 ** 31 && (await mediaOf(shard).findUnique({ where: { account_id_id: { account_id, id } } }));
    if (!row) throw notFound(`media file ${written}`);
    return row;
  };
  const path = '/accounts/:account/media';

  router.post(path, async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { cwm_file_path: file_path, name = '' } = read(fields, ctx.request.body);
    if ((await mediaOf(shard).count({ where: { account_id } })) >= mostMedia)
      throw new AdminError(409, `an account has at most ${mostMedia} media files`);
    const id = await door.control.reserveIds('templateMedia', 1);
    const data = { account_id, id, file_path, name, created_at: door.now() };
    ctx.status = 201;
    ctx.body = show(await mediaOf(shard).create({ data }));
  });

  router.get(path, async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const rows = await mediaOf(shard).findMany({ where: { account_id }, orderBy: { id: 'asc' } });
    ctx.body = { media: rows.map(show) };
  });

  router.get(`${path}/:media`, async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    ctx.body = show(await find(shard, account_id, ctx.params['media']));
  });

  router.patch(`${path}/:media`, async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { cwm_file_path: file_path, name } = read(fields.partial(), ctx.request.body);
    const { id } = await find(shard, account_id, ctx.params['media']);
    const where = { account_id_id: { account_id, id } };
    ctx.body = show(await mediaOf(shard).update({ where, data: given({ file_path, name }) }));
  });

  router.delete(`${path}/:media`, async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { id } = await find(shard, account_id, ctx.params['media']);
    await mediaOf(shard).deleteMany({ where: { account_id, id } });
    ctx.status = 204;
  });
};

const show = ({ account_id, id, file_path, ...row }: TemplateMedia) => ({
  cwm_id: id,
  cdcs_id: account_id,
  cwm_file_path: file_path,
  ...row,
});
