/** Operators: people and programs that administer under their own names. A key is shown once, when it is made. */
import type { Router } from '@koa/router';
import * as z from 'zod';
import { type OperatorRow, roles } from '../store/operators.ts';
import type { AdminDoor } from './api.ts';
import { text } from './fields.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';

const fields = z.strictObject({
  name: text(60)
    .trim()
    .min(1)
    // oxlint-disable-next-line no-control-regex -- they are what is refused: the name stands in the audit log
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters'),
  role: z.enum(roles, `must be ${roles.join(' or ')}`),
});

const mostOperators = 1_000;
const pageSize = 200;

export const operatorRoutes = (router: Router, { operators }: AdminDoor): void => {
  router.post('/operators', async (ctx) => {
    const { name, role } = read(fields, ctx.request.body);
    if ((await operators.count()) >= mostOperators)
      throw new AdminError(409, `there are ${mostOperators} operators already; revoke those who left`);
    const { operator, key } = await operators.create(name, role);
    ctx.status = 201;
    ctx.body = { key, ...show(operator) };
  });

  router.get('/operators', async (ctx) => {
    const after = pathId(String(ctx.query['cursor'] ?? '0'), 'cursor');
    const rows = await operators.list(Math.min(after, maxId), pageSize + 1);
    const page = rows.slice(0, pageSize);
    ctx.body = {
      operators: page.map(show),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  router.get('/operators/:operator', async (ctx) => {
    ctx.body = show(await find(ctx.params['operator']));
  });

  router.patch('/operators/:operator', async (ctx) => {
    const asked = given(read(fields.partial(), ctx.request.body));
    const { id } = await find(ctx.params['operator']);
    const changed = await operators.change(id, asked);
    if (!changed) throw new AdminError(409, `operator ${id} is revoked, which is for good; make another one`);
    ctx.body = show(changed);
  });

  router.delete('/operators/:operator', async (ctx) => {
    const { id } = await find(ctx.params['operator']);
    const revoked = await operators.revoke(id);
    if (!revoked) throw notFound(`operator ${id}`);
    ctx.body = show(revoked);
  });

  const find = async (words: string | undefined): Promise<OperatorRow> => {
    const id = pathId(words, 'operator');
    const operator = id <= maxId ? await operators.one(id) : null;
    if (!operator) throw notFound(`operator ${words}`);
    return operator;
  };
};

const maxId = 2 ** 31 - 1;

/** An operator without what would open a door. */
const show = ({ id, key_hash: _, ...operator }: OperatorRow) => ({ operator_id: id, ...operator });
