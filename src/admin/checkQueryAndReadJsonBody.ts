/** What a request brings, its query and its body, within bounds: read before any route sees it. */
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { Need } from '../access/admin/roles.ts';
import { findUnstorableCharacter } from '../lib/clientTextEncoding.ts';
import { isDeeperThan } from '../lib/depth.ts';
import { AdminError } from './adminErrorsAndRequestParsing.ts';

/** Objects and lists within each other; what the routes take needs ten. */
const deepest = 64;

/** Throws a 400 or 413. `need`: the role that its route needs. */
export const readQueryAndBody = async (ctx: Context, need: Need): Promise<void> => {
  checkQuery(ctx);
  await readBody(ctx, need === 'anybody');
};

/** No database takes such text, and no name holds it. */
const checkQuery = ({ querystring }: Context): void => {
  for (const [name, value] of new URLSearchParams(querystring))
    if (findUnstorableCharacter(name) !== undefined || findUnstorableCharacter(value) !== undefined)
      throw new AdminError(400, `${name}: must not contain NUL`, { field: name });
};

const jsonBody = (jsonLimit: string) =>
  koaBody({ json: true, jsonLimit, urlencoded: false, text: false, multipart: false, patchNode: false });

/** Of strangers little is read: a key and no more. */
const bodies = { stranger: jsonBody('8kb'), known: jsonBody('1mb') };

const readBody = async (ctx: Context, isStranger: boolean): Promise<void> => {
  try {
    await bodies[isStranger ? 'stranger' : 'known'](ctx, () => Promise.resolve());
  } catch (error) {
    if ((error as { status?: number }).status === 413)
      throw new AdminError(413, `the body is larger than ${isStranger ? '8 kB' : '1 MB'}`);
    // The reader of JSON refuses the name with an error of its own, at whatever depth.
    if (/forbidden prototype property/.test((error as Error).message))
      throw new AdminError(400, '__proto__ is not known here', { field: '__proto__' });
    throw new AdminError(400, 'the body is not JSON', { field: null });
  }
  const request = ctx.request as { body?: unknown };
  if (!isDeeperThan(request.body, deepest)) return;
  // It stands in no audit log either.
  request.body = undefined;
  throw new AdminError(400, `the body is nested deeper than ${deepest}`, { field: null });
};
