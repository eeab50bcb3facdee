/** An address as people may see it. */
import { urlOf } from './urlOf.ts';

/** Without credentials, query and fragment, where secrets are kept. Any text that is no address is cut to nothing. */
export const addressForPeople = (url: string): string => {
  const address = urlOf(url);
  return address ? `${address.protocol}//${address.host}${address.pathname}` : '';
};
