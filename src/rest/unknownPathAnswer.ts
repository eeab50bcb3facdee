/** An address that is none: the answer names the one that was meant, where there is one. */
import type { Context, Middleware } from 'koa';
import { type OperationResponse, buildRefusalResponse } from '../operations/run.ts';
import { closestKnownName } from '../lib/closestKnownName.ts';

const prefix = '/api/v2/';

/** `paths`: those that exist, e.g. `/api/v2/MakeSMS.php`. */
export const unknownPathAnswer = (paths: readonly string[]): ((path: string) => OperationResponse) => {
  const byName = new Map(paths.map((path) => [nameIn(path), path]));
  return (path) => {
    const name = nameIn(path);
    const near = byName.has(name) ? name : closestKnownName(name, byName.keys());
    const meant = near === undefined ? '' : `: the path is ${byName.get(near)}`;
    return buildRefusalResponse(undefined, '404', `unknown endpoint${meant}`, 404);
  };
};

/** What follows `/api/v2/`, or the last part of another address. */
const nameIn = (path: string): string => {
  const plain = path.replace(/\/+$/, '');
  const from = plain.lastIndexOf(prefix);
  const name = from < 0 ? plain.slice(plain.lastIndexOf('/') + 1) : plain.slice(from + prefix.length);
  return name.replace(/\.php$/i, '');
};

/**
 * The last of the doors: programs, which post or ask for JSON, get the envelope of the interface. A page that a browser
 * does not find stays plain text. `operations`: names of those that exist.
 */
export const unknownPathMiddleware = (operations: readonly string[]): Middleware => {
  const answer = unknownPathAnswer(operations.map((name) => `${prefix}${name}.php`));
  return async (ctx, next) => {
    if (!isFromProgram(ctx)) return next();
    const { http, body } = answer(ctx.path);
    ctx.status = http;
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = JSON.stringify(body);
  };
};

const isFromProgram = (ctx: Context): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(ctx.method) || /\bjson\b/i.test(ctx.get('accept'));
