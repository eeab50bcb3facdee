/**
 * `/`: what a person meets first. At the machine of the service, while all goes to the sandboxes: what runs, the last
 * calls and messages, the demo token, and a form for a test call. Other clients get links (decisions/0018).
 */
import type { Context, Middleware } from 'koa';
import { homePage, icon } from './page.ts';
import { homePageScript } from './homePageScript.ts';
import { homePageStyle } from './homePageStyle.ts';

export type HomePageLanguage = 'en' | 'pt';

export interface Home {
  /** Whether the request may see what is shown at the machine of the service only. */
  isHere(ctx: Context): Promise<boolean>;
  languageOf(ctx: Context): HomePageLanguage;
  /** What runs, and what happened last. `open`: the call or message whose story is told with it. */
  now(open: string, language: HomePageLanguage): Promise<object>;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Type and text by path: they hold nothing secret. */
const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/home/home.css': ['text/css; charset=utf-8', homePageStyle],
  '/home/home.js': ['text/javascript; charset=utf-8', homePageScript],
  '/home/icon.svg': ['image/svg+xml', icon],
};

export const home = (from: Home): Middleware => {
  const own = new Map<string, (ctx: Context) => Promise<void>>([
    ['/', (ctx) => sendPage(from, ctx)],
    ['/home/now.json', (ctx) => sendNow(from, ctx)],
  ]);
  return async (ctx, next) => {
    const send = own.get(ctx.path);
    const file = Object.hasOwn(files, ctx.path) ? files[ctx.path] : undefined;
    if (!['GET', 'HEAD'].includes(ctx.method) || !(send || file)) return next();
    ctx.set('Content-Security-Policy', policy);
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (file) [ctx.type, ctx.body] = file;
    else await send!(ctx);
  };
};

const sendPage = async (from: Home, ctx: Context): Promise<void> => {
  ctx.vary('Accept-Language');
  ctx.type = 'html';
  ctx.body = homePage(from.languageOf(ctx), await from.isHere(ctx));
};

const sendNow = async (from: Home, ctx: Context): Promise<void> => {
  const isHere = await from.isHere(ctx);
  ctx.status = isHere ? 200 : 403;
  ctx.type = 'application/json; charset=utf-8';
  const asked = ctx.query['open'];
  const body = isHere
    ? await from.now(typeof asked === 'string' ? asked.slice(0, 40) : '', from.languageOf(ctx))
    : { error: 'this is shown at the machine of the service only, while all goes to the sandboxes' };
  ctx.body = JSON.stringify(body);
};
