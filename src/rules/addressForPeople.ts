/** An address as people may see it. */

/** Without credentials, query and fragment, where secrets are kept. Any text that is no address is cut to nothing. */
export const addressForPeople = (url: string): string => {
  if (!URL.canParse(url)) return '';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
};
