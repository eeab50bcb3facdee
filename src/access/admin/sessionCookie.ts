/** The cookie of a console session. Scripts cannot read it, and other sites' requests do not carry it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { inCidr } from '../../lib/ipAddressRanges.ts';

const name = 'ramal_session';

/** What the browser holds; undefined: nothing of ours. */
export const readSessionCookie = (ctx: Pick<Context, 'cookies'>): string | undefined => {
  const value = ctx.cookies.get(name);
  return value !== undefined && /^[\w.-]{20,200}$/.test(value) ? value : undefined;
};

export interface SessionCookieSettings {
  publicUrl: string;
  trustedProxies: readonly string[];
}

/** `expires`: epoch milliseconds; absent: the browser forgets it now. */
export const writeSessionCookie = (
  ctx: Context,
  rules: SessionCookieSettings,
  value: string,
  { now, expires = now }: { now: number; expires?: number },
): void => {
  const seconds = Math.max(0, Math.floor((expires - now) / 1000));
  const parts = [`${name}=${value}`, 'Path=/admin', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  if (cameByHttps(ctx, rules)) parts.push('Secure');
  ctx.append('Set-Cookie', parts.join('; '));
};

/** TLS ends at the proxy in front of us. */
const cameByHttps = (ctx: Context, { publicUrl, trustedProxies }: SessionCookieSettings): boolean => {
  if (publicUrl.startsWith('https:')) return true;
  const address = ctx.req.socket.remoteAddress ?? '';
  const isTrusted = trustedProxies.some((cidr) => inCidr(address, cidr));
  return isTrusted && ctx.get('x-forwarded-proto').split(',').at(-1)?.trim().toLowerCase() === 'https';
};

/** Ties a session to the admin token that opened it, so that it ends when the token is changed. */
export const tieSessionToAdminToken = (adminToken: string, secret: string): string =>
  `${secret}.${tie(adminToken, secret)}`;

/** Whether what the browser holds was tied to this token. */
export const isSessionTiedToAdminToken = (adminToken: string, value: string): boolean => {
  const [secret = '', given = ''] = value.split('.');
  const expected = tie(adminToken, secret);
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
};

const tie = (adminToken: string, secret: string): string =>
  createHmac('sha256', adminToken).update(secret).digest('base64url');
