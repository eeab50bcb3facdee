/**
 * Whether a browser sends a request from our own pages: a page of another site may not act with an operator's cookie.
 */
import type { Context } from 'koa';
import { parseUrl } from '../../lib/parseUrl.ts';

/** A browser says where a request comes from; `unknown`: it was none, or one of long ago. */
export type BrowserRequestOrigin = 'own' | 'foreign' | 'unknown';

/** `publicUrl`: where browsers reach us, beside the address that the request names itself. */
export const classifyBrowserRequestOrigin = (
  ctx: Pick<Context, 'get'>,
  publicUrl: string,
): BrowserRequestOrigin => {
  const site = ctx.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin' ? 'own' : 'foreign';
  const origin = ctx.get('origin');
  if (origin === '') return 'unknown';
  const asked = parseUrl(origin);
  if (!asked) return 'foreign';
  return asked.host === ctx.get('host') || origin === new URL(publicUrl).origin ? 'own' : 'foreign';
};
