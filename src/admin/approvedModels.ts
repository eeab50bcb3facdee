/** Texts that may name a bank (spec 7, code 270); `*` stands for anything. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { ApprovedModel } from '../generated/prisma/client.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { text, yesNo } from './fields.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';

const fields = z.strictObject({
  name: text(120).optional(),
  text: text(2_000).refine((value) => /[^\s*]/.test(value), 'must say something beside *'),
  active: yesNo.optional(),
});

/** Models of an account; each message that names a bank is compared with all of them. */
const most = 500;

export const approvedModelRoutes = (router: Router, door: AdminDoor): void => {
  const modelsOf = (shard: string) => door.database(shard).approvedModel;

  router.post('/accounts/:account/approved-models', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const { text: said, ...asked } = read(fields, ctx.request.body);
    if ((await modelsOf(shard).count({ where: { account_id } })) >= most)
      throw new AdminError(409, `an account has at most ${most} approved models`);
    const id = await door.control.reserveIds('approvedModel', 1);
    const model = await modelsOf(shard).create({
      data: { ...given(asked), text: said, account_id, id, created_at: door.now() },
    });
    ctx.status = 201;
    ctx.body = show(model);
  });

  router.get('/accounts/:account/approved-models', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const models = await modelsOf(shard).findMany({
      where: { account_id },
      orderBy: { id: 'asc' },
      take: most,
    });
    ctx.body = { approved_models: models.map(show) };
  });

  router.get('/accounts/:account/approved-models/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id_id: { account_id, id: idOf(ctx.params['id']) } };
    const model = await modelsOf(shard).findUnique({ where });
    if (!model) throw notFound(`approved model ${ctx.params['id']}`);
    ctx.body = show(model);
  });

  router.patch('/accounts/:account/approved-models/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id, id: idOf(ctx.params['id']) };
    const data = given(read(fields.partial(), ctx.request.body));
    const [model] = await modelsOf(shard).updateManyAndReturn({ where, data });
    if (!model) throw notFound(`approved model ${ctx.params['id']}`);
    ctx.body = show(model);
  });

  router.delete('/accounts/:account/approved-models/:id', async (ctx) => {
    const { id: account_id, shard } = await accountOf(door, ctx.params['account']);
    const where = { account_id, id: idOf(ctx.params['id']) };
    const { count } = await modelsOf(shard).deleteMany({ where });
    if (count === 0) throw notFound(`approved model ${ctx.params['id']}`);
    ctx.status = 204;
  });
};

const idOf = (text: string | undefined): number => {
  const id = pathId(text, 'approved model');
  if (id >= 2 ** 31) throw notFound(`approved model ${text}`);
  return id;
};

const show = ({ account_id: cdcs_id, ...model }: ApprovedModel) => ({ ...model, cdcs_id });
