/**
 * The address that a text is; undefined when it is none. Not `URL.canParse`: once it runs hot, Node 20 calls addresses
 * with letters such as `ü` none.
 */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
};
