/**
 * `/docs/guides`: the pages of `docs/` as they come with the package, so that every installation has its guides.
 * Addresses are relative: a proxy may put all of it under a path.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Context, Middleware } from 'koa';
import { markdownToHtml } from './markdown.ts';

/** The README of the package stands among the guides. */
const start = 'docs/guides/README.md';

/** The folder of package.json, above `src/` and above `dist/src/` alike. */
const rootAbove = (folder: string): string =>
  existsSync(join(folder, 'package.json')) || dirname(folder) === folder
    ? folder
    : rootAbove(dirname(folder));

const policy = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages, drawings and pictures by the path of their address, and the file of each. */
const filesBelow = (root: string): ReadonlyMap<string, string> => {
  const docs = join(root, 'docs');
  const names = existsSync(docs) ? readdirSync(docs, { recursive: true, encoding: 'utf8' }) : [];
  const served = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.(md|svg|png)$/.test(name) && !name.startsWith('tools/'))
    .map((name) => [`docs/${name}`, join(docs, name)] as const);
  return new Map([...served, [start, join(root, 'README.md')], ['docs/guides', join(docs, 'README.md')]]);
};

export const serveGuides = (): Middleware => {
  const files = filesBelow(rootAbove(import.meta.dirname));
  /** Made when it is first asked for; they do not change while the process runs. */
  const made = new Map<string, Promise<string>>();
  const page = (path: string): Promise<string> => {
    const known =
      made.get(path) ?? readFile(files.get(path)!, 'utf8').then((text) => pageOf(path, text, files));
    made.set(path, known);
    known.catch(() => made.delete(path));
    return known;
  };
  return async (ctx, next) => {
    const path = ctx.path.slice(1).replace(/\/$/, '');
    if (!['GET', 'HEAD'].includes(ctx.method) || !files.has(path)) {
      await next();
      return;
    }
    // Relative links are read from here.
    if (ctx.path.endsWith('/')) ctx.redirect(`../${posix.basename(path)}`);
    else if (path.endsWith('.svg')) send(ctx, 'image/svg+xml', await readFile(files.get(path)!, 'utf8'));
    else if (path.endsWith('.png')) send(ctx, 'image/png', await readFile(files.get(path)!));
    else send(ctx, 'html', await page(path));
  };
};

const send = (ctx: Context, type: string, body: string | Buffer): void => {
  ctx.set('Content-Security-Policy', policy);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = type;
  ctx.body = body;
};

/** In the repository the README stands at the top, and the list of pages at `docs/README.md`. */
const inRepository = (path: string): string =>
  path === start ? 'README.md' : path === 'docs/guides' ? 'docs/README.md' : path;

const pageOf = (path: string, text: string, files: ReadonlyMap<string, string>): string => {
  const linkTo = (href: string): string | undefined => {
    if (/^(https?:|#)/.test(href)) return href;
    const [file = '', anchor] = href.split('#', 2);
    const meant = posix.join(posix.dirname(inRepository(path)), file);
    const target = meant === 'README.md' ? start : meant;
    if (!files.has(target)) return undefined;
    const address = posix.relative(posix.dirname(path), target);
    return anchor === undefined ? address : `${address}#${anchor}`;
  };
  const home = posix.relative(posix.dirname(path), 'docs');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Ramal';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll(/[&<>]/g, '')} · Ramal</title>
<style>${style}</style>
</head>
<body>
<nav><a href="${home === '' ? '' : `${home}/`}guides">All pages</a> · <a href="${posix.join(home, '..', 'docs')}">Reference</a></nav>
${markdownToHtml(text, linkTo)}
</body>
</html>
`;
};

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
pre{background:#f4f4f4;padding:.75rem;overflow-x:auto}code{font:14px/1.4 ui-monospace,monospace;background:#f4f4f4}
table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:left;vertical-align:top}
img{max-width:100%}@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre,code{background:#262626}a{color:#8ab4f8}}`;
