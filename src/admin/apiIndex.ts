/** `GET /admin/api`: what an operator finds who follows the address of the banner. Open to all: it holds no data. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';

interface Front {
  what: string;
  authorization: string;
  reference: string;
  /** The same for programs: OpenAPI. */
  openapi: string;
  guides: string[];
  /** Every route below this address, as `GET /accounts`. */
  routes: string[];
}

/** Of the repository. */
const guides = [
  'docs/guides/who-may-do-what.md',
  'docs/guides/command-line.md',
  'docs/guides/stuck-machine.md',
];

/** `prefix`: the path of the API. */
export const adminApiIndex = (router: Router, prefix: string): Front => ({
  what: 'The administration of Ramal, for programs and the command line (npx ramal --help). People use the console at /admin.',
  authorization: 'Authorization: Bearer <the admin token, or an operator’s key>',
  reference: '/docs',
  openapi: '/admin/openapi.json',
  guides,
  routes: router.stack.flatMap(({ methods, path }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${String(path).slice(prefix.length)}`),
  ),
});

/** JSON for programs, a page for browsers. */
export const sendAdminApiIndex = (ctx: Context, front: Front): void => {
  const isPage = ctx.accepts('json', 'html') === 'html';
  ctx.body = isPage ? pageOf(front) : `${JSON.stringify(front, undefined, 2)}\n`;
  ctx.type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
};

const pageOf = ({ what, authorization, reference, guides: pages, routes }: Front): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Ramal: administration</title>
<body style="font: 16px/1.5 sans-serif; max-width: 45em; margin: 2em auto; padding: 0 1em">
<h1>Administration</h1>
<p>${escaped(what)}</p>
<p>Requests show <code>${escaped(authorization)}</code>.</p>
<ul><li><a href="${reference}">the reference of the operations</a>
${pages.map((page) => `<li><code>${page}</code> in the repository`).join('\n')}</ul>
<h2>Routes</h2>
<ul>${routes.map((route) => `<li><code>${escaped(route)}</code>`).join('\n')}</ul>
`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
