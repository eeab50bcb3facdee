/** An address as people may see it. */
import { parseUrl } from './parseUrl.ts';

/**
 * Scheme and host, and `…` where a path follows: credentials, path, query and fragment are where receivers take their
 * keys. Any text that is no address is cut to nothing.
 */
export const redactUrlToHost = (url: string): string => {
  const address = parseUrl(url);
  if (!address) return '';
  return `${address.protocol}//${address.host}/${address.pathname === '/' ? '' : '…'}`;
};
