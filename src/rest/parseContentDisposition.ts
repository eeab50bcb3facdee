/** `Content-Disposition: form-data; name="…"; filename="…"` of a multipart part (RFC 7578), as byte strings. */

export interface ContentDisposition {
  name: string;
  /** Undefined: the part names no file. */
  fileName: string | undefined;
}

/** Undefined: it is no form-data, names nothing, or cannot be read to its end. */
export const parseContentDisposition = (header: string): ContentDisposition | undefined => {
  const [kind] = /^\s*form-data\s*(?=;|$)/i.exec(header) ?? [];
  if (kind === undefined) return undefined;
  const parameters = readParameters(header, kind.length);
  const name = parameters?.get('name');
  if (!parameters || name === undefined) return undefined;
  return { name, fileName: extended(parameters.get('filename*')) ?? parameters.get('filename') };
};

/**
 * Of a repeated parameter the first counts. A semicolon at the end is passed over. Written by hand: it looks at each
 * character a few times at most, where an expression that tries again took minutes for a header of 16 kB of spaces.
 */
const readParameters = (header: string, from: number): Map<string, string> | undefined => {
  const parameters = new Map<string, string>();
  for (let at = pastSeparators(header, from); at < header.length; at = pastSeparators(header, at)) {
    const read = readParameter(header, at);
    if (!read) return undefined;
    if (!parameters.has(read.name)) parameters.set(read.name, read.value);
    at = read.end;
  }
  return parameters;
};

/** The parameter that begins here, and where it ends: at a semicolon, or with the header. */
const readParameter = (
  header: string,
  begin: number,
): { name: string; value: string; end: number } | undefined => {
  const equals = header.indexOf('=', begin);
  if (equals < 0) return undefined;
  const name = header.slice(begin, equals).trim().toLowerCase();
  if (name === '' || /[\s;"]/.test(name)) return undefined;
  const value = pastSpaces(header, equals + 1);
  if (header[value] === '"') {
    const close = closingQuote(header, value);
    if (close === undefined) return undefined;
    return { name, value: unescape(header.slice(value + 1, close)), end: pastSpaces(header, close + 1) };
  }
  const semicolon = header.indexOf(';', value);
  const end = semicolon < 0 ? header.length : semicolon;
  const plain = header.slice(value, end).trim();
  return plain.includes('"') ? undefined : { name, value: plain, end };
};

/**
 * Browsers write a quote as %22, others as \"; a backslash before anything else is part of a Windows path, and so is one
 * before a quote that can only be the closing one: it is followed by a semicolon or the end, and no later one is.
 */
const closingQuote = (header: string, open: number): number | undefined => {
  const closes = (at: number): boolean => {
    const next = header[pastSpaces(header, at + 1)];
    return header[at] === '"' && (next === undefined || next === ';');
  };
  let at = header.indexOf('"', open + 1);
  while (at >= 0 && header[at - 1] === '\\' && at - 1 > open) at = header.indexOf('"', at + 1);
  if (at >= 0 && closes(at)) return at;
  for (
    at = header.lastIndexOf('\\"', at < 0 ? header.length : at - 1);
    at > open;
    at = header.lastIndexOf('\\"', at - 1)
  )
    if (closes(at + 1)) return at + 1;
  return undefined;
};

const pastSpaces = (header: string, from: number): number => {
  let at = from;
  while (/\s/.test(header.charAt(at))) at += 1;
  return at;
};

const pastSeparators = (header: string, from: number): number => {
  let at = from;
  while (/[\s;]/.test(header.charAt(at))) at += 1;
  return at;
};

const unescape = (quoted: string): string => quoted.replaceAll('\\"', '"').replaceAll('%22', '"');

/** `UTF-8''…` (RFC 8187), as bytes. */
const extended = (value: string | undefined): string | undefined =>
  /^utf-8'[^']*'(.*)$/is
    .exec(value ?? '')?.[1]
    ?.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
