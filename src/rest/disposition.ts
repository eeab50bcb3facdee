/** `Content-Disposition: form-data; name="…"; filename="…"` of a multipart part (RFC 7578), as byte strings. */

export interface Disposition {
  name: string;
  /** Undefined: the part names no file. */
  fileName: string | undefined;
}

/**
 * A parameter from its semicolon on. Browsers write a quote as %22, others as \"; a backslash before anything else is
 * part of a Windows path.
 */
const parameter = /\s*;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;"]*))\s*(?=;|$)/gy;

/** Undefined: it is no form-data, names nothing, or cannot be read to its end. */
export const readDisposition = (header: string): Disposition | undefined => {
  const [kind] = /^\s*form-data\s*(?=;|$)/i.exec(header) ?? [];
  if (kind === undefined) return undefined;
  const parameters = readParameters(header, kind.length);
  const name = parameters?.get('name');
  if (!parameters || name === undefined) return undefined;
  return { name, fileName: extended(parameters.get('filename*')) ?? parameters.get('filename') };
};

/** Of a repeated parameter the first counts. A semicolon at the end is passed over. */
const readParameters = (header: string, from: number): Map<string, string> | undefined => {
  const parameters = new Map<string, string>();
  let at = from;
  for (const match of header.slice(from).matchAll(parameter)) {
    const [whole, name, quoted, plain] = match;
    const key = name!.toLowerCase();
    if (!parameters.has(key)) parameters.set(key, quoted === undefined ? plain!.trim() : unescape(quoted));
    at += whole.length;
  }
  return /^[\s;]*$/.test(header.slice(at)) ? parameters : undefined;
};

const unescape = (quoted: string): string => quoted.replaceAll('\\"', '"').replaceAll('%22', '"');

/** `UTF-8''…` (RFC 8187), as bytes. */
const extended = (value: string | undefined): string | undefined =>
  /^utf-8'[^']*'(.*)$/is
    .exec(value ?? '')?.[1]
    ?.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
