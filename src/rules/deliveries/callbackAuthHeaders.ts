/** What a customer's receiver wants beside the body: extra headers and Basic credentials. Kept sealed. */
import * as z from 'zod';

/** As it is sealed. Empty texts: none. */
export const callbackLoginSchema = z.strictObject({
  /** One a line, `Header: value`. */
  headers: z.string().default(''),
  user: z.string().default(''),
  password: z.string().default(''),
});
export type CallbackLogin = z.output<typeof callbackLoginSchema>;

export const emptyCallbackLogin: CallbackLogin = { headers: '', user: '', password: '' };

/** What a sealed login belongs to (`lib/secretBox.ts`): an account, or one push of it. */
export const callbackLoginSealContext = (account: number, delivery?: number): string =>
  delivery === undefined ? `callback login ${account}` : `callback login ${account}/${delivery}`;

/** What a sealed webhook secret belongs to. */
export const webhookSecretSealContext = (account: number): string => `webhook secret ${account}`;

const MOST_HEADERS = 50;
const MOST_CHARACTERS = 8_000;

/** Names that are the connection's, or ours: who sets them could take the request apart, or forge a signature. */
const reserved: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'te', 'trailer'],
  ...['connection', 'keep-alive', 'upgrade', 'expect', 'http2-settings', 'user-agent'],
]);
const reservedPrefixes = ['webhook-', 'proxy-', 'sec-', ':'];

/** Extra headers as name and value, in their order, or a sentence that completes "<parameter> …". */
export const readCallbackHeaders = (written: string): [string, string][] | string => {
  if (written.length > MOST_CHARACTERS) return `must be at most ${MOST_CHARACTERS} characters`;
  const lines = written.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  if (lines.length > MOST_HEADERS) return `must be at most ${MOST_HEADERS} headers`;
  const headers: [string, string][] = [];
  for (const line of lines) {
    const header = readLine(line);
    if (typeof header === 'string') return header;
    if (headers.some(([name]) => name.toLowerCase() === header[0].toLowerCase()))
      return `must name ${header[0]} once`;
    headers.push(header);
  }
  return headers;
};

/** What is wrong with extra headers; completes "<parameter> …". */
export const callbackHeadersFault = (written: string): string | undefined => {
  const read = readCallbackHeaders(written);
  return typeof read === 'string' ? read : undefined;
};

const readLine = (line: string): [string, string] | string => {
  const colon = line.indexOf(':', 1);
  const name = line.slice(0, colon).trim();
  const value = line.slice(colon + 1).trim();
  if (colon < 0 || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name))
    return 'must be one a line, Header: value';
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return `must not hold control characters or letters beyond ISO-8859-1 (${name})`;
  const plain = name.toLowerCase();
  if (reserved.has(plain) || reservedPrefixes.some((prefix) => plain.startsWith(prefix)))
    return `must not set ${name}, which is the service's own`;
  return [name, value];
};

/** What is wrong with Basic credentials; completes "<parameter> …". */
export const basicAuthUserFormatProblem = (user: string): string | undefined =>
  user.includes(':') || !isPlain(user) ? 'must not hold a colon or control characters' : undefined;

export const basicAuthPasswordFormatProblem = (password: string): string | undefined =>
  isPlain(password) ? undefined : 'must not hold control characters';

// oxlint-disable-next-line no-control-regex -- they are what is refused
const isPlain = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text);

/**
 * The headers of a login, ready to be sent. Basic credentials win over an `Authorization` among the headers. What is
 * kept was read before; what cannot be read any more is left out.
 */
export const callbackLoginHeaders = ({ headers, user, password }: CallbackLogin): Record<string, string> => {
  const read = readCallbackHeaders(headers);
  const extra = Object.fromEntries(
    typeof read === 'string' ? [] : read.map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (user === '' && password === '') return extra;
  const basic = Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  return { ...extra, authorization: `Basic ${basic}` };
};
